// CUDA's functions of surfaces, each of which says that it is not offered.
#pragma once
#define __SURFACE_INDIRECT_FUNCTIONS_H__  // programs ask for it
#include <surface_types.h>
