// CUDA's plain types, under the name that older code includes.
#pragma once
#include <driver_types.h>
