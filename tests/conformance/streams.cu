// Streams: order within a stream, order between streams by events, and true asynchrony.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void multiply_add(unsigned* value, unsigned factor, unsigned term) {
  if (threadIdx.x == 0) *value = *value * factor + term;
}

// Runs long enough for a missing wait to show.
__global__ void slow_store(unsigned* values, unsigned count, unsigned seed) {
  unsigned value = seed + rank_in_grid();
  for (unsigned round = 0; round < 20000; ++round) value = mix(value);
  if (rank_in_grid() < count) values[rank_in_grid()] = value;
}

__global__ void copy_values(const unsigned* from, unsigned* to) {
  to[rank_in_grid()] = from[rank_in_grid()];
}

CASE(one_stream_keeps_its_order) {
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  const buffer<unsigned> value(1, 0);
  for (unsigned step = 0; step < 200; ++step) multiply_add<<<1, 32, 0, stream>>>(value, 3, step);
  CHECKED(cudaStreamSynchronize(stream));
  show("value", value);
  CHECKED(cudaStreamDestroy(stream));
}

CASE(streams_of_their_own_order) {
  constexpr int count = 5;
  cudaStream_t streams[count];
  const buffer<unsigned> values(count, 0);
  for (cudaStream_t& stream : streams)
    CHECKED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (unsigned step = 0; step < 50; ++step)
    for (int i = 0; i < count; ++i) multiply_add<<<1, 32, 0, streams[i]>>>(values + i, 5 + i, step);
  for (cudaStream_t stream : streams) CHECKED(cudaStreamSynchronize(stream));
  show("values", values);
  for (cudaStream_t stream : streams) CHECKED(cudaStreamDestroy(stream));
}

CASE(stream_waits_for_an_event) {
  cudaStream_t producer, consumer;
  CHECKED(cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking));
  CHECKED(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking));
  cudaEvent_t produced;
  CHECKED(cudaEventCreateWithFlags(&produced, cudaEventDisableTiming));
  const buffer<unsigned> values(256, 0), copies(256);
  for (unsigned round = 0; round < 5; ++round) {
    slow_store<<<4, 64, 0, producer>>>(values, 256, round * 1000);
    CHECKED(cudaEventRecord(produced, producer));
    CHECKED(cudaStreamWaitEvent(consumer, produced, 0));
    copy_values<<<4, 64, 0, consumer>>>(values, copies);
    CHECKED(cudaStreamSynchronize(consumer));
    show("copies", copies.read());
  }
  CHECKED(cudaEventDestroy(produced));
  CHECKED(cudaStreamDestroy(producer));
  CHECKED(cudaStreamDestroy(consumer));
}

CASE(default_stream_waits_for_blocking_streams) {
  cudaStream_t blocking;
  CHECKED(cudaStreamCreate(&blocking));
  const buffer<unsigned> values(256, 0), copies(256), again(256);
  slow_store<<<4, 64, 0, blocking>>>(values, 256, 5);
  copy_values<<<4, 64>>>(values, copies);
  slow_store<<<4, 64>>>(values, 256, 99);
  copy_values<<<4, 64, 0, blocking>>>(values, again);
  CHECKED(cudaStreamSynchronize(blocking));
  show("copies", copies);
  show("again", again);
  CHECKED(cudaStreamDestroy(blocking));
}

CASE(synchronous_copy_waits_for_the_kernel) {
  const buffer<unsigned> values(256, 0);
  slow_store<<<4, 64>>>(values, 256, 31);
  std::vector<unsigned> back(256);
  CHECKED(cudaMemcpy(back.data(), values, 256 * sizeof(unsigned), cudaMemcpyDeviceToHost));
  show("values", back);
}

__global__ void wait_for_host(volatile int* flag, unsigned* value) {
  while (*flag == 0) {
  }
  *value = 41 + *flag;
}

CASE(launch_returns_before_the_kernel_ends) {
  // the kernel ends only after the host has continued and set the flag
  int* flag = nullptr;
  CHECKED(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
  *flag = 0;
  cudaStream_t stream;
  CHECKED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const buffer<unsigned> value(1, 0);
  wait_for_host<<<1, 1, 0, stream>>>(flag, value);
  SHOW_ERROR(cudaStreamQuery(stream));
  *const_cast<volatile int*>(flag) = 1;
  SHOW_ERROR(cudaStreamSynchronize(stream));
  SHOW_ERROR(cudaStreamQuery(stream));
  show("value", value);
  CHECKED(cudaStreamDestroy(stream));
  CHECKED(cudaFreeHost(flag));
}

CASE(two_streams_run_at_once) {
  // the kernel of the first stream ends only after that of the second has run
  cudaStream_t first, second;
  CHECKED(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECKED(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  const buffer<int> flag(1, 0);
  const buffer<unsigned> value(1, 0);
  multiply_add<<<1, 1>>>(value, 1, 0);  // the first launch loads the kernel, which may block
  CHECKED(cudaDeviceSynchronize());
  wait_for_host<<<1, 1, 0, first>>>(flag, value);
  multiply_add<<<1, 1, 0, second>>>(reinterpret_cast<unsigned*>(static_cast<int*>(flag)), 0, 6);
  SHOW_ERROR(cudaStreamSynchronize(first));
  SHOW_ERROR(cudaStreamSynchronize(second));
  show("value", value);
  CHECKED(cudaStreamDestroy(first));
  CHECKED(cudaStreamDestroy(second));
}

struct host_step {
  std::vector<int>* log;
  int number;
};
static void append_step(void* data) {
  const host_step* step = static_cast<host_step*>(data);
  step->log->push_back(step->number);
}
static void append_callback(cudaStream_t, cudaError_t status, void* data) {
  append_step(data);
  if (status != cudaSuccess) append_step(data);
}

CASE(host_functions_run_in_stream_order) {
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  std::vector<int> log;
  std::vector<host_step> steps;
  for (int i = 0; i < 6; ++i) steps.push_back({&log, i});
  const buffer<unsigned> values(256, 0);
  for (int i = 0; i < 6; ++i) {
    slow_store<<<1, 64, 0, stream>>>(values, 64, i);
    if (i % 2)
      CHECKED(cudaLaunchHostFunc(stream, append_step, &steps[i]));
    else
      CHECKED(cudaStreamAddCallback(stream, append_callback, &steps[i], 0));
  }
  CHECKED(cudaStreamSynchronize(stream));
  show("steps", log);
  show("values", values);
  CHECKED(cudaStreamDestroy(stream));
}

CASE(special_stream_handles) {
  const buffer<unsigned> value(1, 0);
  multiply_add<<<1, 1, 0, cudaStreamPerThread>>>(value, 2, 9);
  CHECKED(cudaStreamSynchronize(cudaStreamPerThread));
  multiply_add<<<1, 1, 0, cudaStreamLegacy>>>(value, 2, 1);
  CHECKED(cudaStreamSynchronize(cudaStreamLegacy));
  multiply_add<<<1, 1, 0, nullptr>>>(value, 3, 1);
  CHECKED(cudaStreamSynchronize(nullptr));
  show("value", value);
  SHOW_ERROR(cudaStreamQuery(nullptr));
}

CASE(priorities) {
  int least = 1, greatest = 1;
  CHECKED(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  std::printf("in order: %d\n", least >= greatest);
  cudaStream_t stream;
  CHECKED(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  unsigned flags = 9;
  CHECKED(cudaStreamGetFlags(stream, &flags));
  std::printf("flags: %u\n", flags);
  const buffer<unsigned> value(1, 0);
  multiply_add<<<1, 1, 0, stream>>>(value, 3, 17);
  CHECKED(cudaStreamSynchronize(stream));
  show("value", value);
  CHECKED(cudaStreamDestroy(stream));
}

CASE(destroyed_stream_finishes_its_work) {
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  const buffer<unsigned> values(256, 0);
  slow_store<<<4, 64, 0, stream>>>(values, 256, 77);
  CHECKED(cudaStreamDestroy(stream));
  CHECKED(cudaDeviceSynchronize());
  show("values", values);
}
