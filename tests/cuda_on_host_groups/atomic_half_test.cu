// atomicAdd of the 16-bit floating-point types and their pairs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "expect.hpp"

namespace {

constexpr int threads = 64;

__global__ void add_all(__half* half_cell, __half2* half_pair, __nv_bfloat16* bfloat_cell,
                        __nv_bfloat162* bfloat_pair, float* sum_of_returned) {
  const __half held = atomicAdd(half_cell, __float2half(1.0f));
  atomicAdd(half_pair, __floats2half2_rn(1.0f, 2.0f));
  atomicAdd(bfloat_cell, __float2bfloat16(1.0f));
  atomicAdd(bfloat_pair, __floats2bfloat162_rn(1.0f, 2.0f));
  atomicAdd(sum_of_returned, __half2float(held));
}

__global__ void widen(const __half* half_cell, const __half2* half_pair,
                      const __nv_bfloat16* bfloat_cell, const __nv_bfloat162* bfloat_pair,
                      float* out) {
  out[0] = __half2float(half_cell[0]);
  out[1] = __half2float(half_cell[1]);
  out[2] = __low2float(*half_pair);
  out[3] = __high2float(*half_pair);
  out[4] = __bfloat162float(bfloat_cell[0]);
  out[5] = __bfloat162float(bfloat_cell[1]);
  out[6] = __low2float(*bfloat_pair);
  out[7] = __high2float(*bfloat_pair);
}

}  // namespace

int main() {
  device_array<__half> half_cell(2, __float2half(0.0f));
  device_array<__half2> half_pair(1, __floats2half2_rn(0.0f, 0.0f));
  device_array<__nv_bfloat16> bfloat_cell(2, __float2bfloat16(0.0f));
  device_array<__nv_bfloat162> bfloat_pair(1, __floats2bfloat162_rn(0.0f, 0.0f));
  device_array<float> returned(1, 0.0f), out(8, -1.0f);
  add_all<<<2, threads / 2>>>(half_cell.get(), half_pair.get(), bfloat_cell.get(),
                              bfloat_pair.get(), returned.get());
  finish_kernels("add_all");
  widen<<<1, 1>>>(half_cell.get(), half_pair.get(), bfloat_cell.get(), bfloat_pair.get(),
                  out.get());
  finish_kernels("widen");
  const float n = threads;
  expect_equal("16-bit numbers and pairs add up, and their neighbours stay", out.read(),
               std::vector<float>{n, 0, n, 2 * n, n, 0, n, 2 * n});
  expect_value("atomicAdd of __half returns the old values 0 … 63", returned.read()[0],
               n * (n - 1) / 2);
  return report();
}
