// Allocations, copies, fills, and the errors for invalid pointers.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

static std::vector<int> numbers(std::size_t count) {
  std::vector<int> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<int>(mix(static_cast<unsigned>(i)) % 1000);
  return values;
}

CASE(copies_in_every_direction) {
  const std::vector<int> source = numbers(100);
  const buffer<int> first(100), second(100);
  CHECKED(cudaMemcpy(first, source.data(), 400, cudaMemcpyHostToDevice));
  CHECKED(cudaMemcpy(second, first, 400, cudaMemcpyDeviceToDevice));
  CHECKED(cudaMemcpy(second + 50, first, 40, cudaMemcpyDefault));
  std::vector<int> back(100), copy(100);
  CHECKED(cudaMemcpy(back.data(), second, 400, cudaMemcpyDefault));
  CHECKED(cudaMemcpy(copy.data(), back.data(), 400, cudaMemcpyHostToHost));
  show("copy", copy);
  CHECKED(cudaMemcpy(back.data(), first, 0, cudaMemcpyDeviceToHost));
  CHECKED(cudaMemcpyAsync(first, second, 200, cudaMemcpyDeviceToDevice));
  show("asynchronous", first);
}

CASE(fills) {
  const buffer<unsigned char> bytes(300);
  CHECKED(cudaMemset(bytes, 7, 100));
  CHECKED(cudaMemset(bytes + 50, 0x1ff, 25));  // only the low byte counts
  CHECKED(cudaMemsetAsync(bytes + 200, 9, 10));
  CHECKED(cudaMemset(bytes + 150, 3, 0));
  show("bytes", bytes);
}

CASE(two_dimensional_copies_and_fills) {
  int* rows = nullptr;
  std::size_t pitch = 0;
  CHECKED(cudaMallocPitch(&rows, &pitch, 10 * sizeof(int), 6));
  std::printf("pitch is enough: %d, a multiple of 32: %d\n", pitch >= 10 * sizeof(int),
              pitch % 32 == 0);
  const std::vector<int> source = numbers(12 * 6);
  CHECKED(cudaMemset2D(rows, pitch, 1, 10 * sizeof(int), 6));
  CHECKED(cudaMemcpy2D(rows, pitch, source.data(), 12 * sizeof(int), 7 * sizeof(int), 5,
                       cudaMemcpyHostToDevice));
  std::vector<int> back(10 * 6);
  CHECKED(cudaMemcpy2D(back.data(), 10 * sizeof(int), rows, pitch, 10 * sizeof(int), 6,
                       cudaMemcpyDeviceToHost));
  show("rows", back);
  SHOW_ERROR(cudaMemcpy2D(back.data(), 4, rows, pitch, 8, 2, cudaMemcpyDeviceToHost));
  CHECKED(cudaFree(rows));
  cudaGetLastError();
}

CASE(bad_allocations) {
  void* pointer = &pointer;
  SHOW_ERROR(cudaMalloc(&pointer, 0));
  std::printf("null: %d\n", pointer == nullptr);
  SHOW_ERROR(cudaMalloc(&pointer, std::size_t{1} << 50));
  SHOW_ERROR(cudaGetLastError());
  SHOW_ERROR(cudaMalloc(static_cast<void**>(nullptr), 4));
  SHOW_ERROR(cudaGetLastError());
}

CASE(bad_frees) {
  SHOW_ERROR(cudaFree(nullptr));
  void* pointer = nullptr;
  CHECKED(cudaMalloc(&pointer, 1000));
  SHOW_ERROR(cudaFree(pointer));
  SHOW_ERROR(cudaFree(pointer));
  int on_stack = 0;
  SHOW_ERROR(cudaFree(&on_stack));
  SHOW_ERROR(cudaGetLastError());
  SHOW_ERROR(cudaFreeHost(nullptr));
  SHOW_ERROR(cudaFreeHost(&on_stack));
  SHOW_ERROR(cudaGetLastError());
}

CASE(bad_copies) {
  const buffer<int> cells(4);
  int value = 3;
  SHOW_ERROR(cudaMemcpy(cells, &value, 4, static_cast<cudaMemcpyKind>(17)));
  SHOW_ERROR(cudaMemcpy(nullptr, &value, 4, cudaMemcpyHostToDevice));
  SHOW_ERROR(cudaMemcpy(cells, nullptr, 4, cudaMemcpyHostToDevice));
  SHOW_ERROR(cudaMemset(nullptr, 0, 4));
  SHOW_ERROR(cudaGetLastError());
  show("cells", cells);
}

__global__ void add_one(int* values, int count) {
  const int i = static_cast<int>(rank_in_grid());
  if (i < count) values[i] += 1 + static_cast<int>(blockIdx.x);
}

CASE(managed_memory) {
  int* values = nullptr;
  CHECKED(cudaMallocManaged(&values, 100 * sizeof(int)));
  for (int i = 0; i < 100; ++i) values[i] = i * i;
  add_one<<<4, 32>>>(values, 100);
  CHECKED(cudaDeviceSynchronize());
  show("values", std::vector<int>(values, values + 100));
  CHECKED(cudaFree(values));
}

CASE(pinned_and_mapped_memory) {
  int* pinned = nullptr;
  CHECKED(cudaMallocHost(&pinned, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) pinned[i] = i;
  const buffer<int> device(64);
  CHECKED(cudaMemcpyAsync(device, pinned, 64 * sizeof(int), cudaMemcpyHostToDevice));
  add_one<<<2, 32>>>(device, 64);
  CHECKED(cudaMemcpyAsync(pinned, device, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECKED(cudaDeviceSynchronize());
  show("pinned", std::vector<int>(pinned, pinned + 64));
  CHECKED(cudaFreeHost(pinned));
  int *host = nullptr, *mapped = nullptr;
  CHECKED(cudaHostAlloc(&host, 64 * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < 64; ++i) host[i] = 3 * i;
  CHECKED(cudaHostGetDevicePointer(&mapped, host, 0));
  add_one<<<2, 32>>>(mapped, 64);
  CHECKED(cudaDeviceSynchronize());
  show("mapped", std::vector<int>(host, host + 64));
  CHECKED(cudaFreeHost(host));
}

CASE(registered_host_memory) {
  std::vector<int> values(4096, 5);
  SHOW_ERROR(cudaHostRegister(values.data(), values.size() * sizeof(int), cudaHostRegisterMapped));
  SHOW_ERROR(cudaHostRegister(values.data(), values.size() * sizeof(int), cudaHostRegisterMapped));
  int* mapped = nullptr;
  CHECKED(cudaHostGetDevicePointer(&mapped, values.data(), 0));
  add_one<<<2, 32>>>(mapped, 50);
  CHECKED(cudaDeviceSynchronize());
  show("values", values);
  SHOW_ERROR(cudaHostUnregister(values.data()));
  SHOW_ERROR(cudaHostUnregister(values.data()));
  SHOW_ERROR(cudaGetLastError());
}

CASE(allocation_in_a_stream) {
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  int* values = nullptr;
  CHECKED(cudaMallocAsync(&values, 64 * sizeof(int), stream));
  CHECKED(cudaMemsetAsync(values, 0, 64 * sizeof(int), stream));
  add_one<<<2, 32, 0, stream>>>(values, 60);
  std::vector<int> back(64);
  CHECKED(cudaMemcpyAsync(back.data(), values, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECKED(cudaFreeAsync(values, stream));
  CHECKED(cudaStreamSynchronize(stream));
  show("values", back);
  CHECKED(cudaStreamDestroy(stream));
}

static void show_kind(const char* label, const void* pointer) {
  cudaPointerAttributes attributes;
  CHECKED(cudaPointerGetAttributes(&attributes, pointer));
  std::printf(
      "%s: type %d, device pointer is the same: %d\n", label, static_cast<int>(attributes.type),
      attributes.type == cudaMemoryTypeUnregistered ? -1 : attributes.devicePointer == pointer);
}

CASE(kinds_of_pointers) {
  const buffer<int> device(4);
  int *managed = nullptr, *pinned = nullptr;
  CHECKED(cudaMallocManaged(&managed, 16));
  CHECKED(cudaMallocHost(&pinned, 16));
  show_kind("device", device);
  show_kind("inside a device allocation", device + 2);
  show_kind("managed", managed);
  show_kind("pinned", pinned);
  std::vector<int> ordinary(4);
  show_kind("ordinary", ordinary.data());
  CHECKED(cudaFree(managed));
  CHECKED(cudaFreeHost(pinned));
}

CASE(memory_information_is_sane) {
  std::size_t free_before = 0, total = 0;
  CHECKED(cudaMemGetInfo(&free_before, &total));
  std::printf("free at most total: %d\n", free_before > 0 && free_before <= total);
  void* pointers[4] = {};
  for (void*& pointer : pointers) CHECKED(cudaMalloc(&pointer, 1 << 20));
  bool are_aligned = true, are_apart = true;
  for (int i = 0; i < 4; ++i) {
    are_aligned = are_aligned && reinterpret_cast<std::size_t>(pointers[i]) % 256 == 0;
    for (int j = 0; j < i; ++j) {
      const char *a = static_cast<char*>(pointers[i]), *b = static_cast<char*>(pointers[j]);
      are_apart = are_apart && (a >= b + (1 << 20) || b >= a + (1 << 20));
    }
  }
  std::printf("aligned to 256: %d, apart: %d\n", are_aligned, are_apart);
  for (void* pointer : pointers) CHECKED(cudaFree(pointer));
}

CASE(devices) {
  int count = 0, device = -1;
  CHECKED(cudaGetDeviceCount(&count));
  CHECKED(cudaSetDevice(0));
  CHECKED(cudaGetDevice(&device));
  std::printf("at least one: %d, current: %d\n", count >= 1, device);
  SHOW_ERROR(cudaSetDevice(999));
  SHOW_ERROR(cudaSetDevice(-1));
  SHOW_ERROR(cudaGetLastError());
  int warp = 0, threads = 0;
  CHECKED(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
  CHECKED(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0));
  std::printf("warp size %d, threads per block %d\n", warp, threads);
  cudaDeviceProp properties;
  CHECKED(cudaGetDeviceProperties(&properties, 0));
  std::printf("warp size %d, shared memory per block %zu, cooperative launch %d\n",
              properties.warpSize, properties.sharedMemPerBlock, properties.cooperativeLaunch);
  SHOW_ERROR(cudaGetDeviceProperties(&properties, 999));
  cudaGetLastError();
}
