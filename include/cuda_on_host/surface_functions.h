// CUDA's surface functions.
#pragma once
#include <surface_indirect_functions.h>
