// Row norms of bfloat16: the default launch shape, other shapes, and PyTorch.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "norm/norm_data.cuh"

namespace heddle_bench {

struct norm_extent {
  std::int64_t rows, columns;
  double target, target_with_residual;             // microseconds
  std::vector<heddle::norm::launch_shape> shapes;  // tried in addition to the default
};

inline const std::vector<norm_extent>& all_norm_extents() {
  static const std::vector<norm_extent> extents{
      {8192, 4096, 35, 65, {{0, 2, 256}}},
      {8192, 8192, 69, 129, {{0, 2, 512}}},
      {32768, 1024, 36, 65, {{32, 4, 64}, {0, 2, 64}}},
      {32768, 128, 7, 13, {{8, 2, 64}}},
      {4096, 65536, 275, 520, {{0, 4, 1024, 2, true}, {0, 0, 1024, 1}}},
      {32, 4096, 2.1, 2.3, {{0, 1, 512}, {0, 2, 256}}}};
  return extents;
}

inline std::string words_for(const heddle::norm::launch_shape& shape) {
  std::string words;
  if (shape.lanes > 0) {
    words = std::to_string(shape.lanes) + " lanes x " + std::to_string(shape.vectors) +
            ", blocks of " + std::to_string(shape.threads);
  } else {
    words = std::to_string(shape.blocks_per_row) + " x " + std::to_string(shape.threads);
    words += shape.vectors == 0 ? ", two passes" : " x " + std::to_string(shape.vectors);
  }
  if (shape.fetches_ahead) words += ", ahead";
  if (!shape.starts_early) words += ", starts late";
  return words;
}

// One row per shape, and one for PyTorch if `peers` has a time for a case such as
// "rms_norm 8192x4096".
inline void run_norm_case(device_contest& contest, device_report& rows, const norm_extent& of,
                          norm_kind which, const norm_data& data,
                          const std::map<std::string, double>& peers) {
  const std::string name = std::string(name_of(which)) + " " + std::to_string(of.rows) + "x" +
                           std::to_string(of.columns);
  heddle::device::workspace space(contest.stream());
  std::vector<norm_element> first;
  std::vector<device_contender> contenders;
  const auto add = [&](const std::string& words, const heddle::norm::launch_shape* shape) {
    contenders.push_back(
        {words, [&space, &data, which, shape](int i) { data.call(space, which, i, shape); }, 0,
         [&first, &data] {
           const auto found = data.take_last_row();
           if (first.empty()) first = found;
           return agree(first, found);
         }});
  };
  add(name, nullptr);
  for (const heddle::norm::launch_shape& shape : of.shapes) add(words_for(shape), &shape);
  const double bytes = static_cast<double>(of.rows * of.columns) * sizeof(norm_element) *
                       (adds_residual(which) ? 4 : 2);
  const double target = adds_residual(which) ? of.target_with_residual : of.target;
  const double took = contest.run({bytes, data.calls(), target}, contenders)[0];
  const auto peer = peers.find(name);
  if (peer != peers.end()) rows.row(name, "PyTorch", took, peer->second, bytes, 0, 1);
}

inline void norm_cases(device_contest& contest, device_report& rows,
                       const std::map<std::string, double>& peers) {
  for (const norm_extent& of : all_norm_extents()) {
    std::unique_ptr<norm_data> data;
    for (const norm_kind which : all_norm_kinds) {
      if (!rows.wants(std::string(name_of(which)) + " " + std::to_string(of.rows) + "x" +
                      std::to_string(of.columns))) {
        continue;
      }
      if (data == nullptr) {
        data = std::make_unique<norm_data>(of.rows, of.columns, contest.cache_bytes());
      }
      run_norm_case(contest, rows, of, which, *data, peers);
    }
  }
}

}  // namespace heddle_bench
