// The runtime's OpenGL interoperability functions. They end the program when they are called.
#pragma once
#define __CUDA_GL_INTEROP_H__  // programs test for it
#include <cuda_runtime_api.h>

#include <detail/graphics_stops.h>
