// CUDA's functions of surfaces, each of which says that it is not offered.
#pragma once
#include <surface_types.h>
