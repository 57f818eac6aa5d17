// Outputs that start poisoned, between guards, and how results are compared.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "support/on_device.cuh"

namespace heddle_test {

// Device memory for `count` results between two guards, all poisoned.
template <typename T>
class guarded_array {
 public:
  explicit guarded_array(std::size_t count) : count_(count), memory_(count + 2 * guard_) {}

  T* data() const { return memory_.data() + guard_; }
  // Waits for the device. Returns the first `written` results; everything else must be unchanged.
  std::vector<T> values(std::size_t written) const {
    check(cudaDeviceSynchronize(), "the kernel");
    const auto all = memory_.values();
    T poison;
    std::memset(static_cast<void*>(&poison), 0xa5, sizeof(T));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i >= guard_ && i < guard_ + written) continue;
      EXPECT_EQ(std::memcmp(&all[i], &poison, sizeof(T)), 0)
          << "element " << static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(guard_)
          << " was written beside " << written << " results";
    }
    const auto first = all.begin() + guard_;
    return {first, first + static_cast<std::ptrdiff_t>(written)};
  }
  std::vector<T> values() const { return values(count_); }

 private:
  static constexpr std::ptrdiff_t guard_ = 17;
  std::size_t count_;
  device_array<T> memory_;
};

// The first index at which two results differ; -1: none.
template <typename T>
std::int64_t first_difference(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return static_cast<std::int64_t>(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return static_cast<std::int64_t>(i);
  }
  return -1;
}

}  // namespace heddle_test
