// Sorts numbered keys by their lowest bits, with all members of a team.
#pragma once
#include <heddle/cluster/host_team.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::cluster::detail {

// A key of up to 32 bits and the number of its point, in one word.
struct narrow_item {
  std::uint64_t word;
  narrow_item() = default;
  narrow_item(std::uint64_t key, std::uint32_t number) : word(key << 32 | number) {}
  [[nodiscard]] std::uint64_t key() const { return word >> 32; }
  [[nodiscard]] std::uint32_t number() const { return static_cast<std::uint32_t>(word); }
};

// A key of up to 64 bits and the number of its point.
struct wide_item {
  std::uint64_t bits;
  std::uint32_t point;
  wide_item() = default;
  wide_item(std::uint64_t key, std::uint32_t number) : bits(key), point(number) {}
  [[nodiscard]] std::uint64_t key() const { return bits; }
  [[nodiscard]] std::uint32_t number() const { return point; }
};

// Sorts `items` by the lowest `key_bits` bits of their keys.
//   order       stable, whatever the size of the team
//   scratch     `spare`, which becomes as large as `items`; the two may be swapped
//   cost        two passes over the items for each 11 bits
template <typename Item>
void radix_sort(host_team& team, std::vector<Item>& items, std::vector<Item>& spare, int key_bits) {
  constexpr int most_digit_bits = 11;
  using histogram = std::array<std::uint32_t, 1 << most_digit_bits>;
  const std::size_t members = static_cast<std::size_t>(team.size());
  const std::size_t share = (items.size() + members - 1) / members;
  const int passes = (key_bits + most_digit_bits - 1) / most_digit_bits;
  std::vector<histogram> places(members);
  spare.resize(items.size());
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = key_bits * pass / passes;
    const int digit_bits = key_bits * (pass + 1) / passes - shift;
    const std::size_t digits = std::size_t{1} << digit_bits;
    const auto digit = [&](const Item& item) { return item.key() >> shift & (digits - 1); };
    const auto piece = [&](int member) {
      const std::size_t begin = std::min(items.size(), share * static_cast<std::size_t>(member));
      return std::array{begin, std::min(items.size(), begin + share)};
    };
    team.run([&](int member) {
      histogram& count = places[static_cast<std::size_t>(member)];
      std::fill_n(count.begin(), digits, 0u);
      const auto [begin, end] = piece(member);
      for (std::size_t at = begin; at < end; ++at) ++count[digit(items[at])];
    });
    // Each count becomes the first place for that digit in that member's piece.
    std::uint32_t place = 0;
    for (std::size_t value = 0; value < digits; ++value)
      for (histogram& count : places) {
        const std::uint32_t found = count[value];
        count[value] = place;
        place += found;
      }
    team.run([&](int member) {
      histogram& next = places[static_cast<std::size_t>(member)];
      const auto [begin, end] = piece(member);
      for (std::size_t at = begin; at < end; ++at) spare[next[digit(items[at])]++] = items[at];
    });
    items.swap(spare);
  }
}

}  // namespace heddle::cluster::detail
