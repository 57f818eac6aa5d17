// CUDA's surface types, under the name that older code includes.
#pragma once
#include <surface_types.h>
