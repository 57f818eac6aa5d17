// Surfaces, and the arrays that they and most textures need; using any of these names is an error.
#pragma once
#define __SURFACE_TYPES_H__  // programs test for it
#include <driver_types.h>

#define HEDDLE_NO_ARRAYS \
  __attribute__((        \
      unavailable("CUDA arrays and surfaces are not supported on the CPU: use cudaMalloc")))

typedef unsigned long long cudaSurfaceObject_t HEDDLE_NO_ARRAYS;

#define HEDDLE_NOT_SUPPORTED(name) \
  template <typename... Arguments> \
  HEDDLE_NO_ARRAYS cudaError_t name(Arguments&&...);
HEDDLE_NOT_SUPPORTED(cudaArrayGetInfo)
HEDDLE_NOT_SUPPORTED(cudaCreateSurfaceObject)
HEDDLE_NOT_SUPPORTED(cudaDestroySurfaceObject)
HEDDLE_NOT_SUPPORTED(cudaFreeArray)
HEDDLE_NOT_SUPPORTED(cudaFreeMipmappedArray)
HEDDLE_NOT_SUPPORTED(cudaGetChannelDesc)
HEDDLE_NOT_SUPPORTED(cudaGetMipmappedArrayLevel)
HEDDLE_NOT_SUPPORTED(cudaMalloc3DArray)
HEDDLE_NOT_SUPPORTED(cudaMallocArray)
HEDDLE_NOT_SUPPORTED(cudaMallocMipmappedArray)
HEDDLE_NOT_SUPPORTED(cudaMemcpy2DArrayToArray)
HEDDLE_NOT_SUPPORTED(cudaMemcpy2DFromArray)
HEDDLE_NOT_SUPPORTED(cudaMemcpy2DFromArrayAsync)
HEDDLE_NOT_SUPPORTED(cudaMemcpy2DToArray)
HEDDLE_NOT_SUPPORTED(cudaMemcpy2DToArrayAsync)
HEDDLE_NOT_SUPPORTED(cudaMemcpyArrayToArray)
HEDDLE_NOT_SUPPORTED(cudaMemcpyFromArray)
HEDDLE_NOT_SUPPORTED(cudaMemcpyFromArrayAsync)
HEDDLE_NOT_SUPPORTED(cudaMemcpyToArray)
HEDDLE_NOT_SUPPORTED(cudaMemcpyToArrayAsync)
#undef HEDDLE_NOT_SUPPORTED

#define HEDDLE_NOT_SUPPORTED(name)                    \
  template <typename T = void, typename... Arguments> \
  HEDDLE_NO_ARRAYS T name(Arguments&&...);
HEDDLE_NOT_SUPPORTED(surf1Dread)
HEDDLE_NOT_SUPPORTED(surf1Dwrite)
HEDDLE_NOT_SUPPORTED(surf1DLayeredread)
HEDDLE_NOT_SUPPORTED(surf1DLayeredwrite)
HEDDLE_NOT_SUPPORTED(surf2Dread)
HEDDLE_NOT_SUPPORTED(surf2Dwrite)
HEDDLE_NOT_SUPPORTED(surf2DLayeredread)
HEDDLE_NOT_SUPPORTED(surf2DLayeredwrite)
HEDDLE_NOT_SUPPORTED(surf3Dread)
HEDDLE_NOT_SUPPORTED(surf3Dwrite)
HEDDLE_NOT_SUPPORTED(surfCubemapread)
HEDDLE_NOT_SUPPORTED(surfCubemapwrite)
HEDDLE_NOT_SUPPORTED(surfCubemapLayeredread)
HEDDLE_NOT_SUPPORTED(surfCubemapLayeredwrite)
#undef HEDDLE_NOT_SUPPORTED
#undef HEDDLE_NO_ARRAYS
