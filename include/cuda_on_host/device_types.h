// CUDA's rounding modes as an enumeration.
#pragma once
#define __DEVICE_TYPES_H__  // programs test for it
#include <driver_types.h>

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
