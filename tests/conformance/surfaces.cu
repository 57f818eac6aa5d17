// Surface objects: reads and writes of every shape and element size, boundary modes, errors.
#include "arrays.cuh"
#include "own_process.hpp"
#include "values.cuh"

using namespace conformance;

static cudaSurfaceObject_t surface_over(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  CHECKED(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

// Each thread moves its element by one place within the row.
__global__ void rotate_line(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
  const int x = static_cast<int>(threadIdx.x), next = (x + 1) % static_cast<int>(blockDim.x);
  surf1Dwrite(surf1Dread<int>(from, 4 * x) + 1000, to, 4 * next);
}
__global__ void rotate_plane(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int next = (x + 1) % static_cast<int>(blockDim.x);
  surf2Dwrite(surf2Dread<int>(from, 4 * x, y) + 1000, to, 4 * next, y);
}
__global__ void rotate_volume(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int z = static_cast<int>(threadIdx.z), next = (x + 1) % static_cast<int>(blockDim.x);
  surf3Dwrite(surf3Dread<int>(from, 4 * x, y, z) + 1000, to, 4 * next, y, z);
}
__global__ void rotate_lines(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
  const int x = static_cast<int>(threadIdx.x), layer = static_cast<int>(threadIdx.z);
  const int next = (x + 1) % static_cast<int>(blockDim.x);
  surf1DLayeredwrite(surf1DLayeredread<int>(from, 4 * x, layer) + 1000, to, 4 * next, layer);
}
__global__ void rotate_planes(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int layer = static_cast<int>(threadIdx.z), next = (x + 1) % static_cast<int>(blockDim.x);
  surf2DLayeredwrite(surf2DLayeredread<int>(from, 4 * x, y, layer) + 1000, to, 4 * next, y, layer);
}
__global__ void rotate_cube(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int face = static_cast<int>(threadIdx.z), next = (x + 1) % static_cast<int>(blockDim.x);
  surfCubemapwrite(surfCubemapread<int>(from, 4 * x, y, face) + 1000, to, 4 * next, y, face);
}

template <typename Kernel>
static void show_rotated(const char* label, Kernel* kernel, cudaExtent extent, unsigned flags) {
  const dim3 threads(static_cast<unsigned>(extent.width),
                     static_cast<unsigned>(std::max<std::size_t>(extent.height, 1)),
                     static_cast<unsigned>(std::max<std::size_t>(extent.depth, 1)));
  const std::size_t count = threads.x * threads.y * threads.z;
  const filled_array<int> from(numbered<int>(count), extent, flags | cudaArraySurfaceLoadStore);
  const filled_array<int> to(std::vector<int>(count, -1), extent,
                             flags | cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t source = surface_over(from), destination = surface_over(to);
  kernel<<<1, threads>>>(destination, source);
  show(label, to.read());
  CHECKED(cudaDestroySurfaceObject(source));
  CHECKED(cudaDestroySurfaceObject(destination));
}

CASE(every_shape) {
  show_rotated("line", rotate_line, make_cudaExtent(9, 0, 0), 0);
  show_rotated("plane", rotate_plane, make_cudaExtent(5, 3, 0), 0);
  show_rotated("volume", rotate_volume, make_cudaExtent(5, 3, 4), 0);
  show_rotated("lines", rotate_lines, make_cudaExtent(5, 0, 4), cudaArrayLayered);
  show_rotated("planes", rotate_planes, make_cudaExtent(5, 3, 4), cudaArrayLayered);
  show_rotated("cube", rotate_cube, make_cudaExtent(3, 3, 6), cudaArrayCubemap);
}

template <typename T>
__global__ void reverse(cudaSurfaceObject_t surface) {
  const int x = static_cast<int>(threadIdx.x), last = static_cast<int>(blockDim.x) - 1;
  T value;
  surf2Dread(&value, surface, x * static_cast<int>(sizeof(T)), 1);
  __syncthreads();
  surf2Dwrite(value, surface, (last - x) * static_cast<int>(sizeof(T)), 1);
}

// Accesses may be wider or narrower than the elements of the array.
CASE(every_access_size) {
  const filled_array<unsigned> array(numbered<unsigned>(2 * 16, 12345), make_cudaExtent(16, 2, 0),
                                     cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t surface = surface_over(array);
  reverse<unsigned><<<1, 16>>>(surface);
  show("4 bytes", array.read());
  CHECKED(cudaDestroySurfaceObject(surface));
  const filled_array<uint4> wide(
      std::vector<uint4>{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}},
      make_cudaExtent(2, 2, 0), cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t of_wide = surface_over(wide);
  reverse<uint4><<<1, 2>>>(of_wide);
  const std::vector<uint4> values = wide.read();
  for (const uint4& each : values) std::printf("%u %u %u %u\n", each.x, each.y, each.z, each.w);
  CHECKED(cudaDestroySurfaceObject(of_wide));
}

__global__ void read_around(int* results, cudaSurfaceObject_t surface, bool clamps) {
  const int x = static_cast<int>(threadIdx.x % 6) - 1, y = static_cast<int>(threadIdx.x / 6) - 1;
  results[threadIdx.x] = clamps ? surf2Dread<int>(surface, 4 * x, y, cudaBoundaryModeClamp)
                                : surf2Dread<int>(surface, 4 * x, y, cudaBoundaryModeZero);
}

CASE(reads_outside) {
  const filled_array<int> array(numbered<int>(12), make_cudaExtent(4, 3, 0),
                                cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t surface = surface_over(array);
  const buffer<int> results(30);
  read_around<<<1, 30>>>(results, surface, false);
  show("zero", results);
  read_around<<<1, 30>>>(results, surface, true);
  show("clamp", results);
  CHECKED(cudaDestroySurfaceObject(surface));
}

__global__ void write_outside(cudaSurfaceObject_t surface) {
  surf2Dwrite(91, surface, -4, 0, cudaBoundaryModeZero);
  surf2Dwrite(92, surface, 16, 1, cudaBoundaryModeZero);
  surf2Dwrite(93, surface, 0, 3, cudaBoundaryModeZero);
  surf2Dwrite(94, surface, 4, 1, cudaBoundaryModeZero);
}

CASE(writes_outside_are_dropped) {
  const filled_array<int> array(numbered<int>(12), make_cudaExtent(4, 3, 0),
                                cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t surface = surface_over(array);
  write_outside<<<1, 1>>>(surface);
  show("zero", array.read());
  CHECKED(cudaDestroySurfaceObject(surface));
}

__global__ void write_at(cudaSurfaceObject_t surface, int x, int y) {
  surf2Dwrite(1, surface, x, y);
}

static void show_fault(int x, int y) {
  const filled_array<int> array(numbered<int>(12), make_cudaExtent(4, 3, 0),
                                cudaArraySurfaceLoadStore);
  write_at<<<1, 1>>>(surface_over(array), x, y);
  SHOW_ERROR(cudaDeviceSynchronize());
}

CASE(trap_beside_the_surface) {
  if (in_own_process()) show_fault(1 << 20, 0);
}

CASE(trap_below_the_surface) {
  if (in_own_process()) show_fault(0, 1000);
}

CASE(trap_at_a_misaligned_x) {
  if (in_own_process()) show_fault(2, 0);
}

CASE(surfaces_that_cannot_be) {
  const filled_array<int> array(numbered<int>(12), make_cudaExtent(4, 3, 0));
  const cudaResourceDesc resource = resource_of(array), nothing = resource_of(nullptr);
  cudaSurfaceObject_t surface = 0;
  SHOW_ERROR(cudaCreateSurfaceObject(&surface, &resource));  // not made for surfaces
  SHOW_ERROR(cudaCreateSurfaceObject(&surface, &nothing));
  SHOW_ERROR(cudaCreateSurfaceObject(&surface, nullptr));
  SHOW_ERROR(cudaCreateSurfaceObject(nullptr, &resource));
  SHOW_ERROR(cudaDestroySurfaceObject(0));
  cudaGetLastError();
}
