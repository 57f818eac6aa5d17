// The driver's OpenGL interoperability functions. They end the program when they are called.
#pragma once
#define CUDAGL_H  // programs test for it
#include <cuda.h>

#include <detail/graphics_stops.h>
