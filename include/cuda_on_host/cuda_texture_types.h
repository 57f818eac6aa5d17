// CUDA's types of textures, under the name that older code includes.
#pragma once
#include <texture_types.h>
