// CUDA's markers, under the name that its own headers include.
#pragma once
#include <host_defines.h>
