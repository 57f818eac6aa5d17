// cuda::barrier, cuda::pipeline and the asynchronous copies between global and shared memory.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "conformance.hpp"
#include "values.cuh"

#ifdef __NVCC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

using namespace conformance;
namespace cg = cooperative_groups;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

static std::vector<unsigned> numbers(std::size_t count) {
  std::vector<unsigned> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = mix(static_cast<unsigned>(i));
  return values;
}

__global__ void arrive_and_wait(unsigned* results) {
  __shared__ block_barrier barrier;
  __shared__ unsigned values[96];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  unsigned value = mix(rank_in_grid());
  for (int round = 0; round < 10; ++round) {
    values[threadIdx.x] = value;
    barrier.arrive_and_wait();
    value = value * 3 + values[(threadIdx.x + 41) % 96];
    barrier.arrive_and_wait();
  }
  results[rank_in_grid()] = value;
}

CASE(barrier_object_arrive_and_wait) {
  const buffer<unsigned> results(3 * 96);
  arrive_and_wait<<<3, 96>>>(results);
  show("results", results);
}

__global__ void arrive_then_wait(unsigned* results) {
  __shared__ block_barrier barrier;
  __shared__ unsigned values[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = mix(rank_in_grid());
  block_barrier::arrival_token token = barrier.arrive();
  const unsigned between = threadIdx.x * threadIdx.x;  // work that needs no other thread
  barrier.wait(std::move(token));
  results[rank_in_grid()] = values[63 - threadIdx.x] + between;
}

CASE(barrier_object_split_arrive_and_wait) {
  const buffer<unsigned> results(2 * 64);
  arrive_then_wait<<<2, 64>>>(results);
  show("results", results);
}

__global__ void part_of_the_block(unsigned* results) {
  // one barrier per warp; a lane that drops out is not expected in the next phase
  __shared__ block_barrier barriers[2];
  __shared__ unsigned values[64];
  if (threadIdx.x < 2) init(&barriers[threadIdx.x], 32);
  __syncthreads();
  values[threadIdx.x] = mix(rank_in_grid());
  if (lane_id() >= 20) {
    barriers[warp_id()].arrive_and_drop();
    return;
  }
  barriers[warp_id()].arrive_and_wait();
  const unsigned got = values[warp_id() * 32 + 31 - lane_id()];
  barriers[warp_id()].arrive_and_wait();
  results[rank_in_grid()] = got;
}

CASE(barrier_object_with_lanes_that_drop_out) {
  const buffer<unsigned> results(2 * 64);
  part_of_the_block<<<2, 64>>>(results);
  show("results", results);
}

__global__ void copy_with_barrier(const unsigned* source, unsigned* results) {
  __shared__ block_barrier barrier;
  __shared__ alignas(16) unsigned values[256];
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  unsigned sum = 0;
  for (unsigned round = 0; round < 4; ++round) {
    cuda::memcpy_async(block, values, source + (blockIdx.x * 4 + round) * 256, sizeof(values),
                       barrier);
    barrier.arrive_and_wait();
    sum = sum * 3 + values[(threadIdx.x * 7 + 3) % 256];
    block.sync();
  }
  results[rank_in_grid()] = sum;
}

CASE(memcpy_async_with_a_barrier) {
  const buffer<unsigned> source(numbers(3 * 4 * 256)), results(3 * 64);
  copy_with_barrier<<<3, 64>>>(source, results);
  show("sums", results);
}

__global__ void group_copies(const unsigned* source, unsigned* results) {
  __shared__ alignas(16) unsigned values[128];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, values, source + blockIdx.x * 128, sizeof(values));
  cg::wait(block);
  const unsigned first = values[127 - threadIdx.x];
  block.sync();
  unsigned* const part = values + tile.meta_group_rank() * 32;
  cg::memcpy_async(tile, part, source + (blockIdx.x + 1) * 128 - 32, 32 * sizeof(unsigned));
  cg::wait(tile);
  results[rank_in_grid()] = first + part[31 - tile.thread_rank()] * 3;
}

CASE(memcpy_async_of_groups) {
  const buffer<unsigned> source(numbers(2 * 128)), results(2 * 128);
  group_copies<<<2, 128>>>(source, results);
  show("results", results);
}

__global__ void double_buffer(const unsigned* source, unsigned* results) {
  // the copies of the next batch are in flight while this batch is summed
  constexpr unsigned stages = 2, batch = 64, batches = 6;
  __shared__ unsigned values[stages][batch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const cg::thread_block block = cg::this_thread_block();
  cuda::pipeline<cuda::thread_scope_block> pipeline = cuda::make_pipeline(block, &state);
  const unsigned* const mine = source + blockIdx.x * batch * batches;
  unsigned sum = 0;
  for (unsigned ahead = 0, done = 0; done < batches; ++done) {
    for (; ahead < batches && ahead < done + stages; ++ahead) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, values[ahead % stages], mine + ahead * batch,
                         sizeof(unsigned) * batch, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum = sum * 5 + values[done % stages][batch - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
  results[rank_in_grid()] = sum;
}

CASE(pipeline_with_two_stages) {
  const buffer<unsigned> source(numbers(3 * 6 * 64)), results(3 * 64);
  double_buffer<<<3, 64>>>(source, results);
  show("sums", results);
}

__global__ void thread_pipeline(const unsigned* source, unsigned* results) {
  __shared__ unsigned values[2][64];
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  unsigned sum = 0;
  for (unsigned round = 0; round < 4; ++round) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&values[round % 2][threadIdx.x],
                       source + (round * gridDim.x + blockIdx.x) * 64 + threadIdx.x,
                       sizeof(unsigned), pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    sum = sum * 3 + values[round % 2][threadIdx.x];
    pipeline.consumer_release();
  }
  results[rank_in_grid()] = sum;
}

CASE(pipeline_of_one_thread) {
  const buffer<unsigned> source(numbers(4 * 2 * 64)), results(2 * 64);
  thread_pipeline<<<2, 64>>>(source, results);
  show("sums", results);
}
