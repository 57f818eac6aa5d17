// Launches from kernels: the order of child grids, streams, events, tail launches and errors.
// nvcc: -rdc=true
#include "conformance.hpp"

using namespace conformance;

namespace {

__global__ void multiply_and_add(unsigned* value, unsigned factor, unsigned term) {
  *value = *value * factor + term;
}

__global__ void add_to_all(unsigned* values, unsigned term) {
  atomicAdd(&values[blockIdx.x * blockDim.x + threadIdx.x], term);
}

__global__ void sum_into(const unsigned* values, unsigned count, unsigned* sum) {
  unsigned mine = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) mine += values[i];
  atomicAdd(sum, mine);
}

}  // namespace

__global__ void launch_one_child(unsigned* values) {
  if (threadIdx.x != 0) return;
  values[0] = 100;  // the child sees it
  add_to_all<<<4, 32>>>(values, 7 + blockIdx.x);
}

CASE(child_sees_what_its_parent_has_written) {
  const buffer<unsigned> values(128, 0);
  launch_one_child<<<1, 32>>>(values);
  show("values", values);
}

__global__ void launch_in_sequence(unsigned* values) {
  unsigned* const mine = values + blockIdx.x;
  if (threadIdx.x != 0) return;
  for (unsigned i = 1; i <= 6; ++i) multiply_and_add<<<1, 1>>>(mine, 10, i);
}

CASE(null_stream_of_a_block_runs_in_order) {
  const buffer<unsigned> values(64, 0);
  launch_in_sequence<<<64, 32>>>(values);
  show("values", values);
}

__global__ void launch_from_each_thread(unsigned* counts) {
  add_to_all<<<1, 8>>>(counts + 8 * threadIdx.x, threadIdx.x + 1);
}

CASE(every_thread_of_a_warp_launches) {
  const buffer<unsigned> counts(256, 0);
  launch_from_each_thread<<<2, 32>>>(counts);
  show("counts", counts);
}

__global__ void launch_into_two_streams(unsigned* values) {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  for (unsigned i = 1; i <= 4; ++i) {
    multiply_and_add<<<1, 1, 0, first>>>(values, 10, i);
    multiply_and_add<<<1, 1, 0, second>>>(values + 1, 10, 9 - i);
  }
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

CASE(named_streams_run_in_order) {
  const buffer<unsigned> values(2, 0);
  launch_into_two_streams<<<1, 1>>>(values);
  show("values", values);
}

__global__ void launch_with_an_event(unsigned* value) {
  cudaStream_t first, second;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  multiply_and_add<<<1, 1, 0, first>>>(value, 10, 1);
  multiply_and_add<<<1, 1, 0, first>>>(value, 10, 2);
  cudaEventRecord(event, first);
  cudaStreamWaitEvent(second, event, 0);
  multiply_and_add<<<1, 1, 0, second>>>(value, 10, 3);
  multiply_and_add<<<1, 1, 0, second>>>(value, 10, 4);
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

CASE(events_order_streams) {
  const buffer<unsigned> value(1, 0);
  launch_with_an_event<<<1, 1>>>(value);
  show("value", value);
}

__global__ void launch_tails(unsigned* values, unsigned* sums) {
  if (threadIdx.x == 0) {
    sum_into<<<1, 32, 0, cudaStreamTailLaunch>>>(values, 64, sums);
    multiply_and_add<<<1, 1, 0, cudaStreamTailLaunch>>>(sums, 10, 1);
  }
  add_to_all<<<1, 64, 0, cudaStreamFireAndForget>>>(values, 1);
  add_to_all<<<1, 64>>>(values, 2);
}

CASE(tail_launches_run_after_all_other_work) {
  const buffer<unsigned> values(64, 0), sums(1, 0);
  launch_tails<<<1, 32>>>(values, sums);
  show("values", values);
  show("sums", sums);
}

__global__ void count_down(unsigned* value, unsigned left) {
  *value = *value * 3 + left;
  if (left > 1) count_down<<<1, 1, 0, cudaStreamTailLaunch>>>(value, left - 1);
}

CASE(kernel_continues_by_tail_launches) {
  const buffer<unsigned> value(1, 0);
  count_down<<<1, 1>>>(value, 100);
  show("value", value);
}

__global__ void count_tree(unsigned* counts, unsigned depth) {
  atomicAdd(&counts[depth], 1u);
  if (depth < 5 && threadIdx.x < 2) count_tree<<<2, 4>>>(counts, depth + 1);
}

CASE(children_launch_children) {
  const buffer<unsigned> counts(6, 0);
  count_tree<<<1, 4>>>(counts, 0);
  show("counts", counts);
}

__global__ void launch_a_tree(unsigned* counts) { count_tree<<<1, 4>>>(counts, 2); }

CASE(parent_completes_after_its_descendants) {
  const buffer<unsigned> counts(6, 0), sum(1, 0);
  launch_a_tree<<<3, 1>>>(counts);
  sum_into<<<1, 32>>>(counts, 6, sum);  // in the same stream as the parent
  show("counts", counts);
  show("sum", sum);
}

template <typename T>
__global__ void scale(T* values, T by) {
  extern __shared__ unsigned char bytes[];
  T* const shared = reinterpret_cast<T*>(bytes);
  shared[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  values[blockIdx.x * blockDim.x + threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x] * by;
}

template <typename T>
__global__ void launch_templates(T* values) {
  if (threadIdx.x == 0) scale<T><<<dim3(2, 1, 1), 32, 32 * sizeof(T)>>>(values, T(3));
}

CASE(templates_and_shared_memory) {
  std::vector<double> numbers(64);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i) / 4;
  const buffer<double> values(numbers);
  launch_templates<<<1, 32>>>(static_cast<double*>(values));
  show("values", values);
}

// Fills with zeros, because an H200 with CUDA 13.0 does so whatever value a kernel gives.
__global__ void copy_and_fill(unsigned* values, unsigned* copies, int* results) {
  results[0] = cudaMemsetAsync(values, 0, 32 * sizeof(unsigned));
  add_to_all<<<1, 32>>>(values, 1);
  results[1] = cudaMemcpyAsync(copies, values, 32 * sizeof(unsigned), cudaMemcpyDeviceToDevice);
  add_to_all<<<1, 32>>>(values, 1);
  results[2] = cudaMemsetAsync(values, 0, 16, nullptr);
  results[3] = cudaMemset2DAsync(values + 8, 16, 0, 4, 3);
  results[4] = cudaGetLastError();
}

CASE(copies_and_fills_are_children) {
  const buffer<unsigned> values(32, 7), copies(32, 0);
  const buffer<int> results(5);
  copy_and_fill<<<1, 1>>>(values, copies, results);
  show("values", values);
  show("copies", copies);
  show("results", results);
}

__global__ void allocate(unsigned** kept, int* results) {
  results[threadIdx.x] = cudaMalloc(reinterpret_cast<void**>(&kept[threadIdx.x]), 64);
  kept[threadIdx.x][15] = threadIdx.x * 5;
}

__global__ void read_and_free(unsigned** kept, unsigned* values, int* results) {
  values[threadIdx.x] = kept[threadIdx.x][15];
  results[threadIdx.x] = cudaFree(kept[threadIdx.x]);
}

CASE(kernels_allocate_and_free) {
  const buffer<unsigned*> kept(32);
  const buffer<unsigned> values(32);
  const buffer<int> made(32), freed(32);
  allocate<<<1, 32>>>(kept, made);
  read_and_free<<<1, 32>>>(kept, values, freed);
  show("made", made);
  show("values", values);
  show("freed", freed);
}

__global__ void query(int* results) {
  int device = -1;
  results[0] = cudaGetDevice(&device);
  results[1] = device;
  int threads = 0;
  results[2] = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device);
  results[3] = threads;
  std::size_t limit = 0;
  results[4] = cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
  results[5] = static_cast<int>(limit);
  results[6] = cudaGetLastError();
}

CASE(kernels_query_the_device) {
  const buffer<int> results(7);
  query<<<1, 1>>>(results);
  show("results", results);
}

__global__ void launch_wrongly(int* results, unsigned* values) {
  add_to_all<<<1, 2048>>>(values, 1);
  results[0] = cudaPeekAtLastError() != cudaSuccess;
  results[1] = cudaGetLastError() != cudaSuccess;
  results[2] = cudaGetLastError();
  add_to_all<<<1, 32>>>(values, 1);
  results[3] = cudaGetLastError();
  cudaStream_t stream;
  results[4] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault) != cudaSuccess;
  cudaGetLastError();
}

CASE(an_impossible_launch_fails_in_its_thread) {
  const buffer<int> results(5);
  const buffer<unsigned> values(32, 0);
  launch_wrongly<<<1, 1>>>(results, values);
  show("results", results);
  show("values", values);
}

__global__ void launch_wrongly_by_code(int* results, unsigned* values) {
  add_to_all<<<1, 2048>>>(values, 1);
  results[0] = cudaGetLastError();
  add_to_all<<<0, 32>>>(values, 1);
  results[1] = cudaGetLastError();
  add_to_all<<<1, 32, 1 << 20>>>(values, 1);
  results[2] = cudaGetLastError();
}

CASE(codes_of_impossible_launches) {
  const buffer<int> results(3);
  const buffer<unsigned> values(32, 0);
  launch_wrongly_by_code<<<1, 1>>>(results, values);
  for (const int each : results.read()) {
    std::printf("%s\n", cudaGetErrorName(static_cast<cudaError_t>(each)));
  }
}
