// CUDA graphs: captured from streams, instantiated and launched repeatedly.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void step(unsigned* values, unsigned factor) {
  values[rank_in_grid()] = values[rank_in_grid()] * factor + blockIdx.x + 1;
}

__global__ void combine(const unsigned* first, const unsigned* second, unsigned* results) {
  results[rank_in_grid()] += first[rank_in_grid()] ^ second[rank_in_grid()];
}

CASE(captured_kernels_run_at_every_launch) {
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  const buffer<unsigned> values(128, 0);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECKED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  step<<<2, 64, 0, stream>>>(values, 3);
  step<<<2, 64, 0, stream>>>(values, 7);
  CHECKED(cudaStreamEndCapture(stream, &graph));
  CHECKED(cudaGraphInstantiate(&executable, graph, 0));
  show("capture runs nothing", values);
  for (int launch = 0; launch < 4; ++launch) {
    CHECKED(cudaGraphLaunch(executable, stream));
    CHECKED(cudaStreamSynchronize(stream));
    show("values", values);
  }
  CHECKED(cudaGraphExecDestroy(executable));
  CHECKED(cudaGraphDestroy(graph));
  CHECKED(cudaStreamDestroy(stream));
}

CASE(captured_copies_and_fills) {
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  const buffer<unsigned> values(64), copies(64);
  unsigned* pinned = nullptr;
  CHECKED(cudaMallocHost(&pinned, 64 * sizeof(unsigned)));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECKED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECKED(cudaMemsetAsync(values, 0, 64 * sizeof(unsigned), stream));
  step<<<2, 32, 0, stream>>>(values, 5);
  CHECKED(cudaMemcpyAsync(copies, values, 64 * sizeof(unsigned), cudaMemcpyDeviceToDevice, stream));
  step<<<2, 32, 0, stream>>>(copies, 9);
  CHECKED(cudaMemcpyAsync(pinned, copies, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
  CHECKED(cudaStreamEndCapture(stream, &graph));
  CHECKED(cudaGraphInstantiate(&executable, graph, 0));
  for (int launch = 0; launch < 2; ++launch) {
    CHECKED(cudaGraphLaunch(executable, stream));
    CHECKED(cudaStreamSynchronize(stream));
    show("pinned", std::vector<unsigned>(pinned, pinned + 64));
    show("values", values);
  }
  CHECKED(cudaGraphExecDestroy(executable));
  CHECKED(cudaGraphDestroy(graph));
  CHECKED(cudaStreamDestroy(stream));
  CHECKED(cudaFreeHost(pinned));
}

CASE(capture_follows_events_to_another_stream) {
  cudaStream_t main_stream, side_stream;
  CHECKED(cudaStreamCreate(&main_stream));
  CHECKED(cudaStreamCreate(&side_stream));
  cudaEvent_t forked, joined;
  CHECKED(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
  CHECKED(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
  const buffer<unsigned> first(64, 0), second(64, 0), results(64, 0);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECKED(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
  CHECKED(cudaEventRecord(forked, main_stream));
  CHECKED(cudaStreamWaitEvent(side_stream, forked, 0));
  step<<<2, 32, 0, main_stream>>>(first, 3);
  step<<<2, 32, 0, side_stream>>>(second, 11);
  step<<<2, 32, 0, side_stream>>>(second, 13);
  CHECKED(cudaEventRecord(joined, side_stream));
  CHECKED(cudaStreamWaitEvent(main_stream, joined, 0));
  combine<<<2, 32, 0, main_stream>>>(first, second, results);
  CHECKED(cudaStreamEndCapture(main_stream, &graph));
  CHECKED(cudaGraphInstantiate(&executable, graph, 0));
  for (int launch = 0; launch < 5; ++launch) CHECKED(cudaGraphLaunch(executable, main_stream));
  CHECKED(cudaStreamSynchronize(main_stream));
  show("results", results);
  CHECKED(cudaGraphExecDestroy(executable));
  CHECKED(cudaGraphDestroy(graph));
  CHECKED(cudaEventDestroy(forked));
  CHECKED(cudaEventDestroy(joined));
  CHECKED(cudaStreamDestroy(main_stream));
  CHECKED(cudaStreamDestroy(side_stream));
}

CASE(capture_status) {
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  const buffer<unsigned> values(64, 0);
  cudaStreamCaptureStatus status;
  CHECKED(cudaStreamIsCapturing(stream, &status));
  std::printf("before: %d\n", static_cast<int>(status));
  CHECKED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CHECKED(cudaStreamIsCapturing(stream, &status));
  std::printf("while: %d\n", static_cast<int>(status));
  step<<<1, 64, 0, stream>>>(values, 2);
  cudaGraph_t graph;
  CHECKED(cudaStreamEndCapture(stream, &graph));
  CHECKED(cudaStreamIsCapturing(stream, &status));
  std::printf("after: %d\n", static_cast<int>(status));
  std::size_t nodes = 99;
  CHECKED(cudaGraphGetNodes(graph, nullptr, &nodes));
  std::printf("nodes: %zu\n", nodes);
  CHECKED(cudaGraphDestroy(graph));
  // end without begin
  SHOW_ERROR(cudaStreamEndCapture(stream, &graph));
  cudaGetLastError();
  CHECKED(cudaStreamDestroy(stream));
}

CASE(graph_between_other_work_of_its_stream) {
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  const buffer<unsigned> values(64, 0);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECKED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  for (unsigned i = 0; i < 10; ++i) step<<<2, 32, 0, stream>>>(values, i + 2);
  CHECKED(cudaStreamEndCapture(stream, &graph));
  CHECKED(cudaGraphInstantiate(&executable, graph, 0));
  CHECKED(cudaGraphDestroy(graph));  // the executable graph stays valid
  for (unsigned i = 0; i < 6; ++i) {
    step<<<2, 32, 0, stream>>>(values, 17);
    CHECKED(cudaGraphLaunch(executable, stream));
    step<<<2, 32, 0, stream>>>(values, 19);
  }
  CHECKED(cudaStreamSynchronize(stream));
  show("values", values);
  CHECKED(cudaGraphExecDestroy(executable));
  CHECKED(cudaStreamDestroy(stream));
}
