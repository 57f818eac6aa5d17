// CUDA's surface functions, each of which reports that it is not available.
#pragma once
#define __SURFACE_INDIRECT_FUNCTIONS_H__  // programs test for it
#include <surface_types.h>
