// Functions that host and device share: those of the C library.
#pragma once
#define __COMMON_FUNCTIONS_H__  // programs test for it
#include <cuda_runtime.h>
