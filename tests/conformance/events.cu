// Events: what they wait for, what they measure, and their errors.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void slow_sum(unsigned* values) {
  unsigned value = rank_in_grid();
  for (unsigned round = 0; round < 30000; ++round) value = mix(value);
  values[rank_in_grid()] += value;
}

__global__ void hold(volatile int* flag) {
  while (*flag == 0) {
  }
}

CASE(event_synchronize_waits) {
  cudaEvent_t event;
  CHECKED(cudaEventCreate(&event));
  const buffer<unsigned> values(128, 0);
  unsigned* pinned = nullptr;
  CHECKED(cudaMallocHost(&pinned, 128 * sizeof(unsigned)));
  cudaStream_t stream;
  CHECKED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECKED(cudaDeviceSynchronize());
  slow_sum<<<2, 64, 0, stream>>>(values);
  CHECKED(cudaMemcpyAsync(pinned, values, 128 * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
  CHECKED(cudaEventRecord(event, stream));
  CHECKED(cudaEventSynchronize(event));
  show("values", std::vector<unsigned>(pinned, pinned + 128));
  SHOW_ERROR(cudaEventQuery(event));
  CHECKED(cudaEventDestroy(event));
  CHECKED(cudaStreamDestroy(stream));
  CHECKED(cudaFreeHost(pinned));
}

CASE(event_query_while_the_work_runs) {
  int* flag = nullptr;
  CHECKED(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
  *flag = 0;
  cudaStream_t stream;
  CHECKED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t before, after;
  CHECKED(cudaEventCreate(&before));
  CHECKED(cudaEventCreate(&after));
  CHECKED(cudaEventRecord(before, stream));
  CHECKED(cudaEventSynchronize(before));
  hold<<<1, 1, 0, stream>>>(flag);
  CHECKED(cudaEventRecord(after, stream));
  SHOW_ERROR(cudaEventQuery(before));
  SHOW_ERROR(cudaEventQuery(after));
  float milliseconds = -1;
  SHOW_ERROR(cudaEventElapsedTime(&milliseconds, before, after));
  *const_cast<volatile int*>(flag) = 1;
  SHOW_ERROR(cudaEventSynchronize(after));
  SHOW_ERROR(cudaEventElapsedTime(&milliseconds, before, after));
  std::printf("not negative: %d\n", milliseconds >= 0);
  CHECKED(cudaEventDestroy(before));
  CHECKED(cudaEventDestroy(after));
  CHECKED(cudaStreamDestroy(stream));
  CHECKED(cudaFreeHost(flag));
  cudaGetLastError();
}

CASE(elapsed_time_needs_recorded_timing_events) {
  cudaEvent_t timed, other, untimed;
  CHECKED(cudaEventCreate(&timed));
  CHECKED(cudaEventCreate(&other));
  CHECKED(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  float milliseconds = 0;
  SHOW_ERROR(cudaEventElapsedTime(&milliseconds, timed, other));
  CHECKED(cudaEventRecord(timed));
  CHECKED(cudaEventRecord(untimed));
  CHECKED(cudaDeviceSynchronize());
  SHOW_ERROR(cudaEventElapsedTime(&milliseconds, timed, untimed));
  SHOW_ERROR(cudaEventElapsedTime(&milliseconds, timed, other));
  CHECKED(cudaEventDestroy(timed));
  CHECKED(cudaEventDestroy(other));
  CHECKED(cudaEventDestroy(untimed));
  cudaGetLastError();
}

CASE(event_that_was_never_recorded_is_complete) {
  cudaEvent_t event;
  CHECKED(cudaEventCreate(&event));
  SHOW_ERROR(cudaEventQuery(event));
  SHOW_ERROR(cudaEventSynchronize(event));
  SHOW_ERROR(cudaStreamWaitEvent(nullptr, event, 0));
  CHECKED(cudaDeviceSynchronize());
  CHECKED(cudaEventDestroy(event));
}

CASE(event_recorded_again_waits_for_the_later_work) {
  cudaEvent_t event;
  CHECKED(cudaEventCreate(&event));
  cudaStream_t first, second;
  CHECKED(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECKED(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  const buffer<unsigned> values(128, 0), copies(128);
  CHECKED(cudaDeviceSynchronize());
  CHECKED(cudaEventRecord(event, first));
  for (int i = 0; i < 3; ++i) slow_sum<<<2, 64, 0, first>>>(values);
  CHECKED(cudaEventRecord(event, first));
  CHECKED(cudaStreamWaitEvent(second, event, 0));
  CHECKED(
      cudaMemcpyAsync(copies, values, 128 * sizeof(unsigned), cudaMemcpyDeviceToDevice, second));
  CHECKED(cudaStreamSynchronize(second));
  show("copies", copies);
  CHECKED(cudaEventDestroy(event));
  CHECKED(cudaStreamDestroy(first));
  CHECKED(cudaStreamDestroy(second));
}

CASE(stream_waits_for_the_record_before_the_wait) {
  // recording the event again after the wait was issued does not change that wait
  int* flag = nullptr;
  CHECKED(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
  *flag = 0;
  cudaEvent_t event;
  CHECKED(cudaEventCreate(&event));
  cudaStream_t first, second;
  CHECKED(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECKED(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  const buffer<unsigned> values(128, 0);
  slow_sum<<<2, 64>>>(values);  // the first launch loads the kernel, which may block
  CHECKED(cudaDeviceSynchronize());
  CHECKED(cudaEventRecord(event, first));
  CHECKED(cudaStreamWaitEvent(second, event, 0));
  hold<<<1, 1, 0, first>>>(flag);
  CHECKED(cudaEventRecord(event, first));
  slow_sum<<<2, 64, 0, second>>>(values);
  SHOW_ERROR(cudaStreamSynchronize(second));
  SHOW_ERROR(cudaStreamQuery(first));
  *const_cast<volatile int*>(flag) = 1;
  CHECKED(cudaStreamSynchronize(first));
  show("values", values);
  CHECKED(cudaEventDestroy(event));
  CHECKED(cudaStreamDestroy(first));
  CHECKED(cudaStreamDestroy(second));
  CHECKED(cudaFreeHost(flag));
  cudaGetLastError();
}
