// CUDA's plain types, under the name that older code includes.
#pragma once
#define __DEVICE_TYPES_H__  // programs test for it
#include <driver_types.h>
