// Lists of values, one for each rank, contiguous in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heddle::distributed {

// What goes to each rank, or has come from each.
template <typename T>
class lists {
 public:
  lists() = default;
  // Makes room for `counts[i]` values in list i; the caller fills them in.
  explicit lists(const std::vector<std::int64_t>& counts) : begins_(counts.size() + 1, 0) {
    for (std::size_t i = 0; i < counts.size(); ++i) begins_[i + 1] = begins_[i] + counts[i];
    values_.resize(static_cast<std::size_t>(begins_.back()));
  }
  // Made from one vector for each rank.
  explicit lists(const std::vector<std::vector<T>>& parts) : begins_(parts.size() + 1, 0) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      begins_[i + 1] = begins_[i] + static_cast<std::int64_t>(parts[i].size());
      values_.insert(values_.end(), parts[i].begin(), parts[i].end());
    }
  }

  // The number of lists.
  [[nodiscard]] int size() const noexcept { return static_cast<int>(begins_.size()) - 1; }
  [[nodiscard]] std::int64_t begin_of(int list) const { return begins_[at(list)]; }
  [[nodiscard]] std::int64_t count_of(int list) const {
    return begins_[at(list) + 1] - begins_[at(list)];
  }
  [[nodiscard]] std::span<T> operator[](int list) {
    return {values_.data() + begin_of(list), static_cast<std::size_t>(count_of(list))};
  }
  [[nodiscard]] std::span<const T> operator[](int list) const {
    return {values_.data() + begin_of(list), static_cast<std::size_t>(count_of(list))};
  }
  // All lists, concatenated.
  [[nodiscard]] std::vector<T>& values() noexcept { return values_; }
  [[nodiscard]] const std::vector<T>& values() const noexcept { return values_; }

 private:
  static std::size_t at(int list) { return static_cast<std::size_t>(list); }

  std::vector<std::int64_t> begins_{0};
  std::vector<T> values_;
};

}  // namespace heddle::distributed
