// CUDA's surface functions, each of which reports that it is not available.
#pragma once
#include <surface_types.h>
