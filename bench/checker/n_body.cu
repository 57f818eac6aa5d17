// The forces among 2048 bodies, 256 at a time in shared memory.
#include <cmath>
#include <vector>

#include "kernel_time.cuh"

constexpr int bodies = 2048;
constexpr int tile = 256;

__global__ void attract(const float4* places, float3* forces) {
  __shared__ float4 others[tile];
  const int body = blockIdx.x * tile + threadIdx.x;
  const float4 mine = places[body];
  float3 force{0, 0, 0};
  for (int first = 0; first < bodies; first += tile) {
    others[threadIdx.x] = places[first + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < tile; ++i) {
      const float4 other = others[i];
      const float x = other.x - mine.x, y = other.y - mine.y, z = other.z - mine.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
      const float pull = other.w * inverse * inverse * inverse;
      force.x += pull * x;
      force.y += pull * y;
      force.z += pull * z;
    }
    __syncthreads();
  }
  forces[body] = force;
}

int main() {
  // Pairs of equal bodies, mirrored at the centre: the sum of all forces is 0.
  std::vector<float4> start(bodies);
  for (int i = 0; i < bodies; i += 2) {
    const float x = 0.37f * static_cast<float>(i % 97), y = 0.11f * static_cast<float>(i % 89);
    start[i] = {x, y, 1.0f, 1.0f};
    start[i + 1] = {-x, -y, -1.0f, 1.0f};
  }
  float4* places = nullptr;
  float3* forces = nullptr;
  cudaMalloc(&places, bodies * sizeof(float4));
  cudaMalloc(&forces, bodies * sizeof(float3));
  cudaMemcpy(places, start.data(), bodies * sizeof(float4), cudaMemcpyHostToDevice);
  print_kernel_time([&] { attract<<<bodies / tile, tile>>>(places, forces); });
  std::vector<float3> result(bodies);
  cudaMemcpy(result.data(), forces, bodies * sizeof(float3), cudaMemcpyDeviceToHost);
  double sum = 0, size = 0;
  for (const float3& each : result) {
    sum += each.x;
    size += std::abs(each.x);
  }
  expect(size > 1 && std::abs(sum) < 1e-3 * size, "the sum of all forces");
  cudaFree(places);
  cudaFree(forces);
}
