// How much of a program a checked run has checked.
#pragma once
#include <cstdint>
#include <set>
#include <string>

namespace heddle_checker {

struct coverage {
  std::set<std::string> kernels;  // signatures of the launched kernels
  std::uint64_t launches = 0;
  std::uint64_t launches_watched = 0;
  std::uint64_t blocks = 0;
  std::uint64_t blocks_watched = 0;
  std::uint64_t accesses = 0;  // by watched blocks, to memory that others may see
};

}  // namespace heddle_checker
