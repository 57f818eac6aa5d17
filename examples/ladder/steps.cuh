// The same sum seven times; each step adds one idea. Every step is one kernel, right on every GPU,
// and slower than the next.
#pragma once

namespace ladder {

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr unsigned all_lanes = 0xffffffff;

// 1. Each thread adds its element to one variable of the block. Right and simple, but the threads
// of a block queue up at one address.
__global__ void one_atomic_each(const float* values, int count, float* sum) {
  __shared__ float of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < count) atomicAdd(&of_block, values[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

// 2. A tree: add neighbours in pairs, then pairs of pairs. No thread queues up, but at each level
// the active threads are spread over all warps, and every warp takes both sides of the
// branch.
__global__ void tree_of_spread_threads(const float* values, int count, float* sum) {
  __shared__ float parts[threads];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * threads + thread;
  parts[thread] = i < count ? values[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < threads; distance *= 2) {
    if (thread % (2 * distance) == 0) parts[thread] += parts[thread + distance];
    __syncthreads();
  }
  if (thread == 0) atomicAdd(sum, parts[0]);
}

// 3. Add the upper half to the lower half: the active threads are the first ones, so whole warps
// drop out together, and few warps diverge.
__device__ inline float sum_of_block(float mine) {
  __shared__ float parts[threads];
  const int thread = threadIdx.x;
  parts[thread] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  return parts[0];
}
__global__ void tree_of_first_threads(const float* values, int count, float* sum) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const float of_block = sum_of_block(i < count ? values[i] : 0);
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

// 4. Each thread adds many elements before the tree begins: one tree for thousands of elements, and
// only as many blocks as run at once.
__global__ void many_for_each_thread(const float* values, int count, float* sum) {
  float mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads) {
    mine += values[i];
  }
  const float of_block = sum_of_block(mine);
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

// 5. The lanes of a warp exchange their values: five shuffles replace five levels with a barrier
// each. Shared memory holds one value per warp. Thread 0 has the result.
__device__ inline float sum_of_warp(float mine) {
  for (int distance = 16; distance > 0; distance /= 2) {
    mine += __shfl_down_sync(all_lanes, mine, distance);
  }
  return mine;
}
__device__ inline float sum_of_block_by_shuffles(float mine) {
  __shared__ float parts[warps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  mine = sum_of_warp(mine);
  if (lane == 0) parts[warp] = mine;
  __syncthreads();
  if (warp == 0) mine = sum_of_warp(lane < warps ? parts[lane] : 0);
  return mine;
}
__global__ void shuffles(const float* values, int count, float* sum) {
  float mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads) {
    mine += values[i];
  }
  mine = sum_of_block_by_shuffles(mine);
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

// 6. Four elements with one load: a quarter of the requests for the same bytes, and more bytes in
// flight at a time.
__device__ inline float sum_of_vectors(const float* values, int count) {
  float mine = 0;
  const float4* const vectors = reinterpret_cast<const float4*>(values);  // cudaMalloc aligns it
  for (int i = blockIdx.x * threads + threadIdx.x; i < count / 4; i += gridDim.x * threads) {
    const float4 four = vectors[i];
    mine += (four.x + four.y) + (four.z + four.w);
  }
  const int rest = count / 4 * 4 + threadIdx.x;
  if (blockIdx.x == 0 && rest < count) mine += values[rest];
  return mine;
}
__global__ void vector_loads(const float* values, int count, float* sum) {
  const float mine = sum_of_block_by_shuffles(sum_of_vectors(values, count));
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

// 7. The last block to finish adds up the results of all blocks, always in the same order. So
// nobody has to clear the result first, and the same input gives the same bits on every run.
// `done` is 0 before the launch and after it.
__global__ void last_block_finishes(const float* values, int count, float* parts, unsigned* done,
                                    float* sum) {
  __shared__ bool is_last;
  const float of_block = sum_of_block_by_shuffles(sum_of_vectors(values, count));
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = of_block;
    __threadfence();  // the part is visible before the block counts as done
    is_last = atomicAdd(done, 1) == gridDim.x - 1;
    __threadfence();  // the last block, which saw all counts, sees all parts
  }
  __syncthreads();
  if (!is_last) return;
  float mine = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += threads) mine += parts[i];
  mine = sum_of_block_by_shuffles(mine);
  if (threadIdx.x == 0) {
    *sum = mine;
    *done = 0;
  }
}

}  // namespace ladder
