// What every fuzz target does: read the bytes and, if they are a cloud, write it and read it
// again.
#pragma once
#include <cloud/read.hpp>
#include <cloud/write.hpp>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace heddle_test {

inline void expect(bool holds) {
  if (!holds) std::abort();
}

template <typename T>
bool are_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline int fuzz_reader(heddle::cloud::format as, const std::uint8_t* data, std::size_t size) {
  using namespace heddle::cloud;
  read_options options;
  options.as = as;
  cloud read;
  try {
    read = read_cloud_from({reinterpret_cast<const char*>(data), size}, "fuzz", options);
  } catch (const error& failure) {
    expect(std::string_view(failure.what()).find('\n') == std::string_view::npos);
    return 0;
  }
  expect(read.points.size() % 3 == 0);
  expect(read.exact.empty() || read.exact.size() == read.points.size());
  for (const column& one : read.columns)
    expect(one.values.size() == read.size() * one.width * size_of(one.type));
  const std::vector<std::int32_t> labels(read.size(), -1);
  for (const encoding how : {encoding::packed, encoding::ascii}) {
    const auto back = read_cloud_from(bytes_of_cloud("back.pcd", read, labels, how), "back.pcd");
    expect(back.size() == read.size());
    // In text, all NaNs are written alike.
    if (how == encoding::ascii) continue;
    expect(are_same_bits(back.points, read.points) && are_same_bits(back.exact, read.exact));
  }
  return 0;
}

}  // namespace heddle_test
