// Which launches of a kernel are looked at closely, where it is launched again and again.
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <string>

namespace heddle_checker {

class sampled_launches {
 public:
  // The next launch of this kernel: all of the first ones, then 32 while their number doubles.
  bool takes(const std::string& kernel) {
    constexpr std::uint64_t first_ones = 64;
    const std::uint64_t number = launches_[kernel]++;
    const std::uint64_t distance = std::uint64_t{1} << std::bit_width(number / first_ones);
    return number % distance == 0;
  }

 private:
  std::map<std::string, std::uint64_t> launches_;
};

}  // namespace heddle_checker
