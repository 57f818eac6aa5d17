// Surfaces, and the arrays that they and most textures need; using any of these names is an error.
#pragma once
#define __SURFACE_TYPES_H__  // programs test for it
#include <driver_types.h>

#define HEDDLE_NO_ARRAYS \
  __attribute__((        \
      unavailable("CUDA arrays and surfaces are not offered on the CPU: use cudaMalloc")))

typedef unsigned long long cudaSurfaceObject_t HEDDLE_NO_ARRAYS;

#define HEDDLE_NOT_OFFERED(name)   \
  template <typename... Arguments> \
  HEDDLE_NO_ARRAYS cudaError_t name(Arguments&&...);
HEDDLE_NOT_OFFERED(cudaArrayGetInfo)
HEDDLE_NOT_OFFERED(cudaCreateSurfaceObject)
HEDDLE_NOT_OFFERED(cudaDestroySurfaceObject)
HEDDLE_NOT_OFFERED(cudaFreeArray)
HEDDLE_NOT_OFFERED(cudaFreeMipmappedArray)
HEDDLE_NOT_OFFERED(cudaGetChannelDesc)
HEDDLE_NOT_OFFERED(cudaGetMipmappedArrayLevel)
HEDDLE_NOT_OFFERED(cudaMalloc3DArray)
HEDDLE_NOT_OFFERED(cudaMallocArray)
HEDDLE_NOT_OFFERED(cudaMallocMipmappedArray)
HEDDLE_NOT_OFFERED(cudaMemcpy2DArrayToArray)
HEDDLE_NOT_OFFERED(cudaMemcpy2DFromArray)
HEDDLE_NOT_OFFERED(cudaMemcpy2DFromArrayAsync)
HEDDLE_NOT_OFFERED(cudaMemcpy2DToArray)
HEDDLE_NOT_OFFERED(cudaMemcpy2DToArrayAsync)
HEDDLE_NOT_OFFERED(cudaMemcpyArrayToArray)
HEDDLE_NOT_OFFERED(cudaMemcpyFromArray)
HEDDLE_NOT_OFFERED(cudaMemcpyFromArrayAsync)
HEDDLE_NOT_OFFERED(cudaMemcpyToArray)
HEDDLE_NOT_OFFERED(cudaMemcpyToArrayAsync)
#undef HEDDLE_NOT_OFFERED

#define HEDDLE_NOT_OFFERED(name)                      \
  template <typename T = void, typename... Arguments> \
  HEDDLE_NO_ARRAYS T name(Arguments&&...);
HEDDLE_NOT_OFFERED(surf1Dread)
HEDDLE_NOT_OFFERED(surf1Dwrite)
HEDDLE_NOT_OFFERED(surf1DLayeredread)
HEDDLE_NOT_OFFERED(surf1DLayeredwrite)
HEDDLE_NOT_OFFERED(surf2Dread)
HEDDLE_NOT_OFFERED(surf2Dwrite)
HEDDLE_NOT_OFFERED(surf2DLayeredread)
HEDDLE_NOT_OFFERED(surf2DLayeredwrite)
HEDDLE_NOT_OFFERED(surf3Dread)
HEDDLE_NOT_OFFERED(surf3Dwrite)
HEDDLE_NOT_OFFERED(surfCubemapread)
HEDDLE_NOT_OFFERED(surfCubemapwrite)
HEDDLE_NOT_OFFERED(surfCubemapLayeredread)
HEDDLE_NOT_OFFERED(surfCubemapLayeredwrite)
#undef HEDDLE_NOT_OFFERED
#undef HEDDLE_NO_ARRAYS
