// Functions that host and device share: those of the C library.
#pragma once
#include <cuda_runtime.h>
