// Captures a counting kernel into a graph and launches it twice.
#include <cstdio>

__global__ void count(int* counter) { atomicAdd(counter, 1); }

int main() {
  int* counter;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  count<<<1, 32, 0, stream>>>(counter);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  int result = 0;
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&result, counter, sizeof(int), cudaMemcpyDeviceToHost);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", result);
  cudaFree(counter);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}
