// CUDA's texture functions, under the name that older code includes.
#pragma once
#include <texture_indirect_functions.h>
