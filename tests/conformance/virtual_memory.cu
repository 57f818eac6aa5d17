// Virtual memory management: reserved addresses, mappings, access, and sharing between processes.
#include <cuda.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "conformance.hpp"
#include "own_process.hpp"
#include "values.cuh"

using namespace conformance;

#define SHOW_RESULT(call) std::printf("%s: %s\n", #call, name_of(call))

static const char* name_of(CUresult result) {
  const char* name = "no name";
  cuGetErrorName(result, &name);
  return name;
}

__global__ void count_up(int* values, int start) {
  values[rank_in_grid()] = start + static_cast<int>(rank_in_grid());
}

static CUmemAllocationProp device_memory() {
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  wanted.location.id = 0;
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return wanted;
}

static CUmemAccessDesc access_by_device(CUmemAccess_flags flags) {
  CUmemAccessDesc wanted{};
  wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  wanted.location.id = 0;
  wanted.flags = flags;
  return wanted;
}

static std::size_t granularity() {
  const CUmemAllocationProp wanted = device_memory();
  std::size_t bytes = 0;
  cuMemGetAllocationGranularity(&bytes, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  return bytes;
}

static int* at(CUdeviceptr address) { return reinterpret_cast<int*>(address); }

static std::vector<int> read_ints(CUdeviceptr from, std::size_t count) {
  std::vector<int> values(count, -1);
  CHECKED(cudaDeviceSynchronize());
  SHOW_RESULT(cuMemcpyDtoH(values.data(), from, count * sizeof(int)));
  return values;
}

CASE(memory_is_mapped_and_used) {
  CHECKED(cudaFree(nullptr));
  const CUmemAllocationProp wanted = device_memory();
  std::size_t step = 0;
  SHOW_RESULT(cuMemGetAllocationGranularity(&step, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  std::printf("granularity %zu\n", step);
  SHOW_RESULT(cuMemGetAllocationGranularity(&step, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  std::printf("recommended %zu\n", step);
  CUdeviceptr where = 0;
  CUmemGenericAllocationHandle memory = 0;
  SHOW_RESULT(cuMemAddressReserve(&where, 2 * step, 0, 0, 0));
  SHOW_RESULT(cuMemCreate(&memory, step, &wanted, 0));
  SHOW_RESULT(cuMemMap(where, step, 0, memory, 0));
  const CUmemAccessDesc both = access_by_device(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  SHOW_RESULT(cuMemSetAccess(where, step, &both, 1));
  unsigned long long flags = 77;
  SHOW_RESULT(cuMemGetAccess(&flags, &both.location, where));
  std::printf("access %llu\n", flags);
  count_up<<<4, 32>>>(at(where), 100);
  show("values", read_ints(where, 128));
  SHOW_RESULT(cuMemUnmap(where, step));
  SHOW_RESULT(cuMemRelease(memory));
  SHOW_RESULT(cuMemAddressFree(where, 2 * step));
}

CASE(memory_moves_to_another_address) {
  CHECKED(cudaFree(nullptr));
  const std::size_t step = granularity();
  const CUmemAllocationProp wanted = device_memory();
  const CUmemAccessDesc both = access_by_device(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUdeviceptr where = 0;
  CUmemGenericAllocationHandle memory = 0;
  SHOW_RESULT(cuMemAddressReserve(&where, 4 * step, 0, 0, 0));
  SHOW_RESULT(cuMemCreate(&memory, step, &wanted, 0));
  SHOW_RESULT(cuMemMap(where, step, 0, memory, 0));
  SHOW_RESULT(cuMemSetAccess(where, step, &both, 1));
  count_up<<<1, 64>>>(at(where), 7);
  CHECKED(cudaDeviceSynchronize());
  SHOW_RESULT(cuMemMap(where + 2 * step, step, 0, memory, 0));
  SHOW_RESULT(cuMemSetAccess(where + 2 * step, step, &both, 1));
  show("the same", read_ints(where + 2 * step, 64));
  count_up<<<1, 64>>>(at(where + 2 * step), 1000);
  show("written through the other", read_ints(where, 64));
  SHOW_RESULT(cuMemRelease(memory));
  SHOW_RESULT(cuMemUnmap(where, step));
  show("still mapped", read_ints(where + 2 * step, 64));
  SHOW_RESULT(cuMemUnmap(where + 2 * step, step));
  SHOW_RESULT(cuMemAddressFree(where, 4 * step));
}

CASE(neighbouring_memory_forms_one_range) {
  CHECKED(cudaFree(nullptr));
  const std::size_t step = granularity();
  const CUmemAllocationProp wanted = device_memory();
  const CUmemAccessDesc both = access_by_device(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUdeviceptr where = 0;
  SHOW_RESULT(cuMemAddressReserve(&where, 2 * step, step, 0, 0));
  std::printf("aligned: %d\n", where % step == 0);
  CUmemGenericAllocationHandle parts[2] = {};
  for (int i = 0; i < 2; ++i) {
    SHOW_RESULT(cuMemCreate(&parts[i], step, &wanted, 0));
    SHOW_RESULT(cuMemMap(where + i * step, step, 0, parts[i], 0));
    SHOW_RESULT(cuMemRelease(parts[i]));
  }
  SHOW_RESULT(cuMemSetAccess(where, 2 * step, &both, 1));
  count_up<<<2, 64>>>(at(where + step) - 64, 0);
  show("across", read_ints(where + step - 128, 64));
  CUmemGenericAllocationHandle found = 0;
  SHOW_RESULT(cuMemRetainAllocationHandle(&found, at(where + step)));
  CUmemAllocationProp have{};
  SHOW_RESULT(cuMemGetAllocationPropertiesFromHandle(&have, found));
  std::printf("type %d, location %d\n", have.type, have.location.id);
  SHOW_RESULT(cuMemRelease(found));
  SHOW_RESULT(cuMemUnmap(where, 2 * step));
  SHOW_RESULT(cuMemAddressFree(where, 2 * step));
}

CASE(memory_is_shared_through_a_file_descriptor) {
  CHECKED(cudaFree(nullptr));
  const std::size_t step = granularity();
  const CUmemAllocationProp wanted = device_memory();
  const CUmemAccessDesc both = access_by_device(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUdeviceptr where = 0;
  CUmemGenericAllocationHandle memory = 0, imported = 0;
  int file = -1;
  SHOW_RESULT(cuMemAddressReserve(&where, 2 * step, 0, 0, 0));
  SHOW_RESULT(cuMemCreate(&memory, step, &wanted, 0));
  SHOW_RESULT(
      cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  std::printf("a file: %d\n", file >= 0);
  SHOW_RESULT(cuMemImportFromShareableHandle(
      &imported, reinterpret_cast<void*>(static_cast<std::intptr_t>(file)),
      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(file);
  SHOW_RESULT(cuMemMap(where, step, 0, memory, 0));
  SHOW_RESULT(cuMemMap(where + step, step, 0, imported, 0));
  SHOW_RESULT(cuMemSetAccess(where, 2 * step, &both, 1));
  count_up<<<1, 64>>>(at(where), 50);
  show("imported", read_ints(where + step, 64));
  SHOW_RESULT(cuMemUnmap(where, 2 * step));
  SHOW_RESULT(cuMemRelease(memory));
  SHOW_RESULT(cuMemRelease(imported));
  SHOW_RESULT(cuMemAddressFree(where, 2 * step));
}

CASE(a_kernel_without_access_faults) {
  if (!in_own_process()) return;
  CHECKED(cudaFree(nullptr));
  const std::size_t step = granularity();
  const CUmemAllocationProp wanted = device_memory();
  CUdeviceptr where = 0;
  CUmemGenericAllocationHandle memory = 0;
  SHOW_RESULT(cuMemAddressReserve(&where, step, 0, 0, 0));
  SHOW_RESULT(cuMemCreate(&memory, step, &wanted, 0));
  SHOW_RESULT(cuMemMap(where, step, 0, memory, 0));
  count_up<<<1, 64>>>(at(where), 0);
  SHOW_ERROR(cudaDeviceSynchronize());
}

CASE(mistakes_with_virtual_memory) {
  CHECKED(cudaFree(nullptr));
  const std::size_t step = granularity();
  CUmemAllocationProp wanted = device_memory();
  const CUmemAccessDesc both = access_by_device(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUdeviceptr where = 0;
  CUmemGenericAllocationHandle memory = 0;
  SHOW_RESULT(cuMemAddressReserve(&where, 0, 0, 0, 0));
  SHOW_RESULT(cuMemAddressReserve(&where, step + 1, 0, 0, 0));
  SHOW_RESULT(cuMemCreate(&memory, step + 1, &wanted, 0));
  SHOW_RESULT(cuMemCreate(&memory, 0, &wanted, 0));
  SHOW_RESULT(cuMemAddressReserve(&where, 2 * step, 0, 0, 0));
  SHOW_RESULT(cuMemCreate(&memory, step, &wanted, 0));
  SHOW_RESULT(cuMemSetAccess(where, step, &both, 1));
  SHOW_RESULT(cuMemUnmap(where, step));
  SHOW_RESULT(cuMemMap(where, 2 * step, 0, memory, 0));
  SHOW_RESULT(cuMemMap(where + 1, step, 0, memory, 0));
  SHOW_RESULT(cuMemMap(where, step, 0, memory, 0));
  SHOW_RESULT(cuMemMap(where, step, 0, memory, 0));
  SHOW_RESULT(cuMemAddressFree(where, 2 * step));
  SHOW_RESULT(cuMemUnmap(where, step));
  SHOW_RESULT(cuMemAddressFree(where, step));
  SHOW_RESULT(cuMemAddressFree(where, 2 * step));
  SHOW_RESULT(cuMemRelease(memory));
  wanted.location.id = 1000;
  SHOW_RESULT(cuMemCreate(&memory, step, &wanted, 0));
}

// The parent passes the handle to its child in the environment.
CASE(processes_share_memory) {
  CHECKED(cudaFree(nullptr));
  union {
    cudaIpcMemHandle_t memory;
    unsigned char bytes[64];
  } handle{};
  if (alone) {
    const char* const text = std::getenv("CONFORMANCE_HANDLE");
    for (int i = 0; i < 64; ++i) std::sscanf(text + 2 * i, "%2hhx", &handle.bytes[i]);
    void* memory = nullptr;
    SHOW_ERROR(cudaIpcOpenMemHandle(&memory, handle.memory, cudaIpcMemLazyEnablePeerAccess));
    int* const values = static_cast<int*>(memory);
    std::vector<int> seen(64, -1);
    CHECKED(cudaMemcpy(seen.data(), values, 256, cudaMemcpyDeviceToHost));
    show("the child sees", seen);
    count_up<<<1, 64>>>(values, 500);
    CHECKED(cudaDeviceSynchronize());
    SHOW_ERROR(cudaIpcCloseMemHandle(memory));
    return;
  }
  const buffer<int> values(64, 0);
  count_up<<<1, 64>>>(values, 5);
  CHECKED(cudaDeviceSynchronize());
  SHOW_ERROR(cudaIpcGetMemHandle(&handle.memory, values));
  char text[129];
  for (int i = 0; i < 64; ++i) std::snprintf(text + 2 * i, 3, "%02x", handle.bytes[i]);
  setenv("CONFORMANCE_HANDLE", text, 1);
  in_own_process();
  show("the parent sees", values);
  int* const on_host = new int[1];
  SHOW_ERROR(cudaIpcGetMemHandle(&handle.memory, on_host));
  delete[] on_host;
}
