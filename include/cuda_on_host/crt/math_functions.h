// CUDA's math functions, under the name that its own headers include.
#pragma once
#include <math_functions.h>
