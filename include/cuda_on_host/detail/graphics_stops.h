// Declares the functions of graphics_stops.inc.
#pragma once
#include <cuda.h>
#include <cuda_runtime_api.h>

// If there is no OpenGL header: its GLuint and GLenum are unsigned.
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#else
typedef unsigned GLuint;
typedef unsigned GLenum;
#endif

enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};

enum cudaGLMapFlags {
  cudaGLMapFlagsNone = 0,
  cudaGLMapFlagsReadOnly = 1,
  cudaGLMapFlagsWriteDiscard = 2
};

typedef enum CUGLDeviceList_enum {
  CU_GL_DEVICE_LIST_ALL = 1,
  CU_GL_DEVICE_LIST_CURRENT_FRAME = 2,
  CU_GL_DEVICE_LIST_NEXT_FRAME = 3
} CUGLDeviceList;

typedef enum CUGLmap_flags_enum {
  CU_GL_MAP_RESOURCE_FLAGS_NONE = 0,
  CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 1,
  CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2
} CUGLmap_flags;

#define HEDDLE_GRAPHICS_CALL(result, name, parameters) \
  result name parameters __attribute__((__noreturn__));
#include <detail/graphics_stops.inc>
#undef HEDDLE_GRAPHICS_CALL
