// Calls that must not compile, each with the sentence that the user gets in the line above it. With
// FIXED, what the user should have written instead: that must compile.
#include <heddle/block/exchange.cuh>
#include <heddle/block/histogram.cuh>
#include <heddle/block/reduce.cuh>
#include <heddle/container/hash_map.cuh>
#include <heddle/container/hash_set.cuh>
#include <heddle/group/labelled.cuh>
#include <heddle/warp/mixed_sum.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>

#include <cstdint>

#ifdef FIXED
#define EITHER(wrong, fixed) fixed
#else
#define EITHER(wrong, fixed) wrong
#endif

struct large {
  double values[8];
};

__global__ void warps(float* out) {
  const float mine = out[threadIdx.x];
  // refused: warp::sum adds half and bfloat16 in float
  out[0] = heddle::warp::EITHER(sum(mine), reduce(mine));
  // refused: a tile is 1, 2, 4, 8, 16 or 32 lanes wide
  out[1] = heddle::warp::EITHER(inclusive_scan<5>(mine), inclusive_scan<4>(mine));
}

__global__ void blocks(double* out) {
  // refused: this exchange needs more than the 48 KiB
  __shared__ heddle::block::exchange_scratch<double, EITHER(1024, 128), 8> exchange;
  double items[8]{};
  heddle::block::blocked_to_striped(items, exchange);
  // refused: enough for 12288 bins
  __shared__ heddle::block::histogram_scratch<EITHER(12289, 2048)> bins;
  heddle::block::clear_bins(bins);
  // refused: name a smaller block
  __shared__ heddle::group::labelled_scratch<large, 2, EITHER(1024, 128)> labels;
  // refused: reduce fewer rows at a time
  __shared__ heddle::block::scratch<double, 256, EITHER(640, 2)> rows;
  out[0] = items[0] + static_cast<double>(sizeof labels + sizeof rows);
}

int main() {
  // refused: use the bits as the key
  heddle::container::hash_map<EITHER(float, std::uint32_t), int> map(10);
  // refused: use the bits as the key
  heddle::container::hash_set<EITHER(double, std::uint64_t)> set(10);
  // refused: a key has 4 or 8 bytes without gaps
  heddle::container::hash_set<EITHER(short, int)> shorts(10);
  warps<<<1, 32>>>(nullptr);
  blocks<<<1, 32>>>(nullptr);
}
