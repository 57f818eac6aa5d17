// The matrices of the row norm bench, and the calls of our norms.
#pragma once
#include "support/device_contest.cuh"

#include <heddle/norm/layer_norm.cuh>
#include <heddle/norm/rms_norm.cuh>
#include <heddle/norm/softmax.cuh>

#include <cmath>
#include <cstdint>
#include <vector>

namespace heddle_bench {

using norm_element = __nv_bfloat16;

enum class norm_kind { rms_norm, layer_norm, softmax, log_softmax, add_rms_norm, add_layer_norm };
inline constexpr norm_kind all_norm_kinds[]{norm_kind::rms_norm,     norm_kind::layer_norm,
                                            norm_kind::softmax,      norm_kind::log_softmax,
                                            norm_kind::add_rms_norm, norm_kind::add_layer_norm};
inline const char* name_of(norm_kind which) {
  const char* const names[] = {"rms_norm",    "layer_norm",   "softmax",
                               "log_softmax", "add_rms_norm", "add_layer_norm"};
  return names[static_cast<int>(which)];
}
inline bool adds_residual(norm_kind which) {
  return which == norm_kind::add_rms_norm || which == norm_kind::add_layer_norm;
}

// Pseudo-random numbers in [-2, 2).
static __global__ void fill_with_samples(norm_element* values, std::size_t count, unsigned seed) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const auto bits = thread_bits(static_cast<int>(static_cast<unsigned>(i) * 2654435761u + seed));
    values[i] = norm_element(static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-30f);
  }
}

// The matrices of one extent: so many of each that no call finds its data in a cache.
class norm_data {
 public:
  norm_data(std::int64_t rows, std::int64_t columns, std::size_t cache_bytes)
      : rows_(rows),
        columns_(columns),
        turns_(static_cast<std::size_t>(rows * columns) * sizeof(norm_element), cache_bytes),
        elements_(turns_.bytes() / sizeof(norm_element)),
        input_(elements_),
        residual_(elements_),
        sum_(elements_),
        output_(elements_),
        weight_(static_cast<std::size_t>(columns)),
        bias_(static_cast<std::size_t>(columns)) {
    fill_with_samples<<<2048, 256>>>(input_.data(), elements_, 1);
    fill_with_samples<<<2048, 256>>>(residual_.data(), elements_, 2);
    fill_with_samples<<<64, 256>>>(weight_.data(), static_cast<std::size_t>(columns), 3);
    fill_with_samples<<<64, 256>>>(bias_.data(), static_cast<std::size_t>(columns), 4);
    check(cudaGetLastError());
    output_.poison();
    check(cudaDeviceSynchronize());
  }

  int calls() const { return turns_.calls(); }

  // Call i of a norm, with `shape`, or with the default shape if it is null.
  void call(heddle::device::workspace& space, norm_kind which, int i,
            const heddle::norm::launch_shape* shape) const {
    using heddle::norm::matrix;
    const matrix<norm_element> input = part(input_, i), output = part(output_, i);
    const matrix<norm_element> residual = part(residual_, i), sum = part(sum_, i);
    const norm_element* const weight = weight_.data();
    const norm_element* const bias = bias_.data();
    switch (which) {
      case norm_kind::rms_norm:
        return heddle::norm::rms_norm<norm_element>(space, input, output, {.weight = weight},
                                                    shape);
      case norm_kind::layer_norm:
        return heddle::norm::layer_norm<norm_element>(space, input, output,
                                                      {.weight = weight, .bias = bias}, shape);
      case norm_kind::softmax:
        return heddle::norm::softmax<norm_element>(space, input, output, shape);
      case norm_kind::log_softmax:
        return heddle::norm::log_softmax<norm_element>(space, input, output, shape);
      case norm_kind::add_rms_norm:
        return heddle::norm::rms_norm<norm_element>(
            space, input, output, {.weight = weight, .residual = residual, .sum = sum}, shape);
      case norm_kind::add_layer_norm:
        return heddle::norm::layer_norm<norm_element>(
            space, input, output,
            {.weight = weight, .bias = bias, .residual = residual, .sum = sum}, shape);
    }
  }

  // Returns the last row of the first call's output, then poisons the output.
  std::vector<norm_element> take_last_row() const {
    std::vector<norm_element> row(static_cast<std::size_t>(columns_));
    check(cudaMemcpy(row.data(), output_.data() + (rows_ - 1) * columns_,
                     row.size() * sizeof(norm_element), cudaMemcpyDeviceToHost));
    output_.poison();
    check(cudaDeviceSynchronize());
    return row;
  }

 private:
  heddle::norm::matrix<norm_element> part(const device_array<norm_element>& all, int i) const {
    return {all.data() + turns_.offset(i) / sizeof(norm_element), rows_, columns_};
  }

  std::int64_t rows_;
  std::int64_t columns_;
  rotation turns_;
  std::size_t elements_;
  device_array<norm_element> input_, residual_, sum_, output_, weight_, bias_;
};

// Every shape must give the same result as the first, apart from float rounding.
inline bool agree(const std::vector<norm_element>& a, const std::vector<norm_element>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float x = static_cast<float>(a[i]), y = static_cast<float>(b[i]);
    if (!(std::abs(x - y) <= 0.01f * std::abs(x) + 1e-4f)) return false;
  }
  return true;
}

}  // namespace heddle_bench
