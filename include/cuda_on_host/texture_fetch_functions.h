// CUDA's functions of textures, under the name that older code includes.
#pragma once
#include <texture_indirect_functions.h>
