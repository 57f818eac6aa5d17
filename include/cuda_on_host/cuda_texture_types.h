// CUDA's texture types, under the name that older code includes.
#pragma once
#include <texture_types.h>
