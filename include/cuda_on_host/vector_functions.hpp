// Makes vectors, under the name that CUDA's own headers include.
#pragma once
#include <vector_functions.h>
