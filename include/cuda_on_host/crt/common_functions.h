// Functions that host and device share, under the name that CUDA's own headers include.
#pragma once
#include <common_functions.h>
