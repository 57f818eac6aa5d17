// Row norms of bfloat16 for rows of 1 to 1,048,576 elements, against copies of as many bytes.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "norm/norm_data.cuh"

namespace heddle_bench {

inline constexpr std::int64_t norm_sweep_elements = std::int64_t{1} << 25;  // in a matrix
inline constexpr std::int64_t norm_sweep_longest = std::int64_t{1} << 20;   // in a row
inline constexpr std::int64_t norm_sweep_factor = 4;

// Copies of as many bytes at the full speed of the memory; nothing else uses these arrays.
class norm_copies {
 public:
  explicit norm_copies(const device_contest& contest)
      : turns_(bytes_, contest.cache_bytes()),
        from_(turns_.bytes()),
        to_(turns_.bytes()),
        stream_(contest.stream()) {
    from_.poison();
  }
  // Call i, for this many matrices.
  void call(int i, int matrices) const {
    for (int copy = 0; copy < matrices; ++copy) {
      const std::size_t at = turns_.offset((i * matrices + copy) % turns_.calls());
      check(cudaMemcpyAsync(to_.data() + at, from_.data() + at, bytes_, cudaMemcpyDeviceToDevice,
                            stream_));
    }
  }

 private:
  static constexpr std::size_t bytes_ = norm_sweep_elements * sizeof(norm_element);
  rotation turns_;
  device_array<std::byte> from_, to_;
  cudaStream_t stream_;
};

// Whether a row can be the norm of some row: every element was written, and none exceeds the bound
// for samples below 2, which is twice the root of the row's length, plus a bias.
inline bool can_be_norm(const std::vector<norm_element>& row, norm_kind which) {
  double sum = 0;
  for (const norm_element element : row) {
    constexpr std::uint16_t poison = 0xa5a5;
    if (std::memcmp(&element, &poison, sizeof poison) == 0) return false;
    const double value = static_cast<float>(element);
    if (!(std::abs(value) <= 2 * std::sqrt(static_cast<double>(row.size())) + 16)) return false;
    sum += which == norm_kind::log_softmax ? std::exp(value) : value;
  }
  const bool is_softmax = which == norm_kind::softmax || which == norm_kind::log_softmax;
  return !is_softmax || std::abs(sum - 1) <= 0.02;
}

// Two rows for each norm and length: against the copies, and against PyTorch if `peers` has a time
// for a case such as "rms_norm 8192x4096".
inline void norm_sweep(device_contest& contest, device_report& rows,
                       const std::map<std::string, double>& peers) {
  const norm_copies copies(contest);
  for (std::int64_t columns = 1; columns <= norm_sweep_longest; columns *= norm_sweep_factor) {
    const std::int64_t count = norm_sweep_elements / columns;
    const norm_data data(count, columns, contest.cache_bytes());
    heddle::device::workspace space(contest.stream());
    for (const norm_kind which : all_norm_kinds) {
      const std::string name =
          std::string(name_of(which)) + " " + std::to_string(count) + "x" + std::to_string(columns);
      if (!rows.wants(name)) continue;
      const int matrices = adds_residual(which) ? 2 : 1;
      const double bytes = 2.0 * matrices * norm_sweep_elements * sizeof(norm_element);
      const double took =
          contest.run({bytes, data.calls(), 0},
                      {{name, [&](int i) { data.call(space, which, i, nullptr); }, 0,
                        [&] { return can_be_norm(data.take_last_row(), which); }},
                       {"copies of as much", [&](int i) { copies.call(i, matrices); }, 0}})[0];
      const auto peer = peers.find(name);
      if (peer != peers.end()) rows.row(name, "PyTorch", took, peer->second, bytes, 0, 1);
    }
  }
}

}  // namespace heddle_bench
