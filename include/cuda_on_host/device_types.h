// CUDA's plain types, under the name that older code includes.
#pragma once
#define __DEVICE_TYPES_H__  // programs ask for it
#include <driver_types.h>
