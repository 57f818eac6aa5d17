// Creates vectors, under the name that CUDA's own headers include.
#pragma once
#define __VECTOR_FUNCTIONS_HPP__  // programs test for it
#include <vector_functions.h>
