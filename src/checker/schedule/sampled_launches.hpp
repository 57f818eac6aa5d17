// Chooses which launches of a kernel to watch if it is launched again and again.
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <string>

namespace heddle_checker {

class sampled_launches {
 public:
  // Whether to watch the next launch of this kernel: all of the first launches, then half as many
  // each time their number doubles. A kernel that has made many accesses has fewer first launches.
  bool takes(const std::string& kernel) {
    history& of_kernel = kernels_[kernel];
    const std::uint64_t first_ones = of_kernel.accesses < many_accesses ? 64 : 4;
    const std::uint64_t number = of_kernel.launches++;
    const std::uint64_t distance = std::uint64_t{1} << std::bit_width(number / first_ones);
    return number % distance == 0;
  }
  // Accesses by a launch that was watched.
  void has_accessed(const std::string& kernel, std::uint64_t times) {
    kernels_[kernel].accesses += times;
  }

 private:
  static constexpr std::uint64_t many_accesses = std::uint64_t{1} << 25;
  struct history {
    std::uint64_t launches = 0;
    std::uint64_t accesses = 0;
  };
  std::map<std::string, history> kernels_;
};

}  // namespace heddle_checker
