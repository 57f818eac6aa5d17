// __device__, __constant__ and __managed__ variables, and the calls that copy to and from them.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__device__ int device_cell = 17;
__device__ unsigned device_array[64];
__constant__ float constant_table[8] = {1, 2, 3, 4, 5, 6, 7, 8.5f};
__constant__ int constant_offset;
__managed__ unsigned managed_counter = 5;

namespace {
__device__ double hidden_value = 2.5;
}

struct settings {
  int count;
  float scale[3];
};
__constant__ settings constant_settings;

__global__ void read_cells(float* results) {
  const unsigned i = rank_in_grid();
  results[i] = device_cell + constant_table[i % 8] * 100 + constant_offset +
               static_cast<float>(hidden_value);
}

// Restores the state in which the cases below begin, whichever of them have run before.
static void reset_variables() {
  const float table[8] = {1, 2, 3, 4, 5, 6, 7, 8.5f};
  const int cell = 17, offset = 0;
  CHECKED(cudaMemcpyToSymbol(constant_table, table, sizeof(table)));
  CHECKED(cudaMemcpyToSymbol(device_cell, &cell, sizeof(cell)));
  CHECKED(cudaMemcpyToSymbol(constant_offset, &offset, sizeof(offset)));
}

CASE(variables_with_initial_values) {
  const buffer<float> results(2 * 16);
  read_cells<<<2, 16>>>(results);
  show("results", results);
}

CASE(copies_to_and_from_symbols) {
  reset_variables();
  const int offset = 1000, cell = -5;
  CHECKED(cudaMemcpyToSymbol(constant_offset, &offset, sizeof(offset)));
  CHECKED(cudaMemcpyToSymbol(device_cell, &cell, sizeof(cell)));
  const float two[2] = {-1, -2};
  CHECKED(cudaMemcpyToSymbol(constant_table, two, sizeof(two), 3 * sizeof(float)));
  const buffer<float> results(2 * 16);
  read_cells<<<2, 16>>>(results);
  show("results", results);
  std::vector<float> table(8);
  CHECKED(cudaMemcpyFromSymbol(table.data(), constant_table, 8 * sizeof(float)));
  show("table", table);
  std::vector<float> part(2);
  CHECKED(cudaMemcpyFromSymbol(part.data(), constant_table, sizeof(float) * 2, 5 * sizeof(float)));
  show("part", part);
}

__global__ void write_array(unsigned seed) {
  device_array[rank_in_grid()] = mix(rank_in_grid() + seed);
  if (threadIdx.x == 0) atomicAdd(&device_cell, 3);
}

CASE(kernels_write_device_variables) {
  const int start = 100;
  CHECKED(cudaMemcpyToSymbol(device_cell, &start, sizeof(start)));
  write_array<<<2, 32>>>(8);
  std::vector<unsigned> values(64);
  CHECKED(cudaMemcpyFromSymbol(values.data(), device_array, sizeof(unsigned) * 64));
  show("array", values);
  int cell = 0;
  CHECKED(cudaMemcpyFromSymbol(&cell, device_cell, sizeof(cell)));
  std::printf("cell: %d\n", cell);
}

__global__ void add_through_pointer(unsigned* values) { values[threadIdx.x] += threadIdx.x; }

CASE(address_and_size_of_a_symbol) {
  write_array<<<2, 32>>>(1);
  void* address = nullptr;
  std::size_t size = 0;
  CHECKED(cudaGetSymbolAddress(&address, device_array));
  CHECKED(cudaGetSymbolSize(&size, device_array));
  std::printf("size: %zu\n", size);
  add_through_pointer<<<1, 64>>>(static_cast<unsigned*>(address));
  std::vector<unsigned> values(64);
  CHECKED(cudaMemcpy(values.data(), address, size, cudaMemcpyDeviceToHost));
  show("array", values);
}

CASE(copies_past_the_end_of_a_symbol) {
  float value = 0;
  SHOW_ERROR(cudaMemcpyToSymbol(constant_table, &value, 4, 32));
  SHOW_ERROR(cudaMemcpyFromSymbol(&value, constant_table, 4, 1000));
  SHOW_ERROR(cudaGetLastError());
}

__global__ void count_up() { atomicAdd(&managed_counter, 1 + blockIdx.x); }

CASE(managed_variable) {
  managed_counter = 40;
  count_up<<<3, 10>>>();
  CHECKED(cudaDeviceSynchronize());
  std::printf("counter: %u\n", managed_counter);
}

__global__ void use_settings(float* results) {
  results[threadIdx.x] = constant_settings.scale[threadIdx.x % 3] * constant_settings.count;
}

CASE(structure_in_constant_memory) {
  const settings values = {7, {0.5f, 1.5f, 2.5f}};
  CHECKED(cudaMemcpyToSymbol(constant_settings, &values, sizeof(values)));
  const buffer<float> results(6);
  use_settings<<<1, 6>>>(results);
  show("results", results);
}

CASE(symbol_copies_in_stream_order) {
  reset_variables();
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  const buffer<float> results(2 * 16);
  const int offsets[2] = {5000, 7000};
  for (const int& offset : offsets) {
    CHECKED(cudaMemcpyToSymbolAsync(constant_offset, &offset, sizeof(int), 0,
                                    cudaMemcpyHostToDevice, stream));
    read_cells<<<2, 16, 0, stream>>>(results);
    CHECKED(cudaStreamSynchronize(stream));
    show("results", results);
  }
  CHECKED(cudaStreamDestroy(stream));
}
