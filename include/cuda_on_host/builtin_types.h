// CUDA's plain types and enumerations, under the name that older code includes.
#pragma once
#include <device_types.h>
#include <driver_types.h>
#include <vector_types.h>
