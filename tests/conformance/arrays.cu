// CUDA arrays: shapes, descriptors, 2-D and 3-D copies, mipmaps, errors.
#include "arrays.cuh"

using namespace conformance;

static void show_description(const char* label, cudaArray_t array) {
  cudaChannelFormatDesc format;
  cudaExtent extent;
  unsigned flags;
  CHECKED(cudaArrayGetInfo(&format, &extent, &flags, array));
  std::printf("%s: %zu x %zu x %zu, flags %u, format %d %d %d %d, kind %d\n", label, extent.width,
              extent.height, extent.depth, flags, format.x, format.y, format.z, format.w,
              static_cast<int>(format.f));
}

template <typename T>
static void show_created(const char* label, cudaExtent extent, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  const cudaError_t error = cudaMalloc3DArray(&array, &format, extent, flags);
  cudaGetLastError();
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", label, cudaGetErrorName(error));
    return;
  }
  show_description(label, array);
  CHECKED(cudaFreeArray(array));
}

CASE(shapes) {
  show_created<float>("line", make_cudaExtent(7, 0, 0), 0);
  show_created<uchar4>("plane", make_cudaExtent(7, 5, 0), 0);
  show_created<short2>("volume", make_cudaExtent(7, 5, 3), 0);
  show_created<int>("lines in layers", make_cudaExtent(7, 0, 3), cudaArrayLayered);
  show_created<int>("planes in layers", make_cudaExtent(7, 5, 3), cudaArrayLayered);
  show_created<int>("cube", make_cudaExtent(4, 4, 6), cudaArrayCubemap);
  show_created<int>("cubes", make_cudaExtent(4, 4, 12), cudaArrayCubemap | cudaArrayLayered);
  show_created<int>("surface", make_cudaExtent(4, 4, 0), cudaArraySurfaceLoadStore);
  show_created<int>("gather", make_cudaExtent(4, 4, 0), cudaArrayTextureGather);
}

CASE(shapes_that_cannot_be) {
  show_created<float>("no width", make_cudaExtent(0, 4, 0), 0);
  show_created<float>("depth without height", make_cudaExtent(4, 0, 4), 0);
  show_created<float>("no layers", make_cudaExtent(4, 4, 0), cudaArrayLayered);
  show_created<float>("cube that is not square", make_cudaExtent(4, 5, 6), cudaArrayCubemap);
  show_created<float>("cube with seven faces", make_cudaExtent(4, 4, 7), cudaArrayCubemap);
  show_created<float>("cubes with eight faces", make_cudaExtent(4, 4, 8),
                      cudaArrayCubemap | cudaArrayLayered);
  show_created<float>("gather in a volume", make_cudaExtent(4, 4, 4), cudaArrayTextureGather);
  show_created<float>("unknown flag", make_cudaExtent(4, 4, 0), 0x1000);
  show_created<float>("wide line", make_cudaExtent(131073, 0, 0), 0);
  show_created<float>("many layers", make_cudaExtent(4, 4, 2049), cudaArrayLayered);
  show_created<double>("doubles", make_cudaExtent(4, 4, 0), 0);
  show_created<float3>("three channels", make_cudaExtent(4, 4, 0), 0);
}

CASE(arguments_that_cannot_be) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  SHOW_ERROR(cudaMallocArray(nullptr, &format, 4));
  SHOW_ERROR(cudaMallocArray(&array, nullptr, 4));
  SHOW_ERROR(cudaMallocArray(&array, &format, 4, 4, cudaArrayLayered));
  SHOW_ERROR(cudaFreeArray(nullptr));
  cudaGetLastError();
}

CASE(rectangles) {
  const filled_array<short2> first({{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}},
                                   make_cudaExtent(3, 2, 0));
  const filled_array<short2> second(std::vector<short2>(6), make_cudaExtent(3, 2, 0));
  const std::vector<short> patch = {100, 101, 102, 103, 104, 105, 106, 107};
  CHECKED(cudaMemcpy2DToArray(first, 4, 0, patch.data(), 6, 4, 2, cudaMemcpyHostToDevice));
  CHECKED(cudaMemcpy2DArrayToArray(second, 0, 0, first, 4, 1, 8, 1));
  std::vector<short> results(24, -1);
  CHECKED(cudaMemcpy2DFromArray(results.data(), 16, first, 0, 0, 12, 2, cudaMemcpyDeviceToHost));
  CHECKED(cudaMemcpy2DFromArrayAsync(results.data() + 16, 16, second, 0, 0, 12, 1,
                                     cudaMemcpyDeviceToHost));
  CHECKED(cudaDeviceSynchronize());
  show("results", results);
}

CASE(boxes) {
  const filled_array<int> array(numbered<int>(5 * 4 * 3), make_cudaExtent(5, 4, 3));
  std::vector<int> box = {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007};
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(box.data(), 8, 2, 2);
  copy.dstArray = array;
  copy.dstPos = make_cudaPos(3, 1, 1);
  copy.extent = make_cudaExtent(2, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  CHECKED(cudaMemcpy3D(&copy));
  show("after the copy", array.read());
}

CASE(layers_are_copied_by_number) {
  const filled_array<int> array(numbered<int>(3 * 2 * 4), make_cudaExtent(3, 2, 4),
                                cudaArrayLayered);
  std::vector<int> layer(6, -1);
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.srcPos = make_cudaPos(0, 0, 2);
  copy.dstPtr = make_cudaPitchedPtr(layer.data(), 12, 3, 2);
  copy.extent = make_cudaExtent(3, 2, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECKED(cudaMemcpy3D(&copy));
  show("layer 2", layer);
}

CASE(copies_that_cannot_be) {
  const filled_array<float> array(numbered<float>(32), make_cudaExtent(8, 4, 0));
  const filled_array<short> narrow(numbered<short>(32), make_cudaExtent(8, 4, 0));
  std::vector<char> host(512);
  char* const memory = host.data();
  SHOW_ERROR(cudaMemcpy2DToArray(array, 4, 0, memory, 64, 32, 4, cudaMemcpyHostToDevice));
  SHOW_ERROR(cudaMemcpy2DToArray(array, 0, 1, memory, 64, 32, 4, cudaMemcpyHostToDevice));
  SHOW_ERROR(cudaMemcpy2DToArray(array, 0, 0, memory, 16, 32, 4, cudaMemcpyHostToDevice));
  SHOW_ERROR(cudaMemcpy2DToArray(array, 0, 0, memory, 64, 32, 4, cudaMemcpyDeviceToHost));
  SHOW_ERROR(cudaMemcpy2DFromArray(memory, 64, array, 0, 0, 32, 4, cudaMemcpyHostToDevice));
  SHOW_ERROR(cudaMemcpy2DToArray(nullptr, 0, 0, memory, 64, 32, 4, cudaMemcpyHostToDevice));
  cudaMemcpy3DParms copy = {};
  copy.dstArray = array;
  copy.extent = make_cudaExtent(8, 4, 1);
  copy.kind = cudaMemcpyHostToDevice;
  SHOW_ERROR(cudaMemcpy3D(&copy));  // no source
  copy.srcPtr = make_cudaPitchedPtr(memory, 32, 8, 4);
  copy.kind = cudaMemcpyDeviceToHost;
  SHOW_ERROR(cudaMemcpy3D(&copy));  // the wrong direction
  copy.kind = cudaMemcpyHostToDevice;
  copy.extent = make_cudaExtent(8, 4, 2);
  SHOW_ERROR(cudaMemcpy3D(&copy));  // too deep
  copy.extent = make_cudaExtent(8, 4, 1);
  copy.dstPtr = copy.srcPtr;
  SHOW_ERROR(cudaMemcpy3D(&copy));  // two destinations
  cudaMemcpy3DParms across = {};
  across.srcArray = narrow;
  across.dstArray = array;
  across.extent = make_cudaExtent(8, 4, 1);
  across.kind = cudaMemcpyDeviceToDevice;
  SHOW_ERROR(cudaMemcpy3D(&across));  // elements of different sizes
  cudaGetLastError();
}

CASE(mipmap_levels) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t levels = nullptr;
  CHECKED(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(12, 5, 0), 4));
  for (unsigned number = 0; number < 4; ++number) {
    cudaArray_t level = nullptr;
    CHECKED(cudaGetMipmappedArrayLevel(&level, levels, number));
    show_description("level", level);
  }
  cudaArray_t level = nullptr;
  SHOW_ERROR(cudaGetMipmappedArrayLevel(&level, levels, 4));
  cudaGetLastError();
  CHECKED(cudaFreeMipmappedArray(levels));
}
