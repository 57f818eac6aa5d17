// Allocates places for local arrays, in power-of-two sizes.
#include "checker/memory/local_arrays.hpp"

#include <bit>

namespace heddle_checker {

local_arrays::local_arrays(heddle_host::address_range range) : range_(range), state_(range) {}

void* local_arrays::begin(std::size_t bytes, std::uint64_t owner, const char* name,
                          heddle_host::declaration_place where) {
  const std::size_t granules = (bytes + 2 * room + (1u << log_of_granule) - 1) >> log_of_granule;
  const auto size = static_cast<unsigned>(std::bit_width(granules - 1));
  if (size >= sizes) return nullptr;
  std::uint32_t index = 0;
  if (!free_[size].empty()) {
    index = free_[size].front();
    free_[size].pop_front();
  } else {
    const std::size_t whole = std::size_t{1} << (size + log_of_granule);
    if (range_.bytes - used_ < whole) return nullptr;
    index = static_cast<std::uint32_t>(places_.size());
    places_.push_back({{}, size});
    places_.back().holds.begin = range_.begin + used_ + room;
    place_of_granule_.insert(place_of_granule_.end(), std::size_t{1} << size, index);
    used_ += whole;
  }
  local_array& made = places_[index].holds;
  made = {made.begin, bytes, owner, name, where, false};
  state_.begin(made.begin, bytes);
  return reinterpret_cast<void*>(made.begin);
}

void local_arrays::end(const void* which) {
  const auto address = reinterpret_cast<std::uintptr_t>(which);
  const std::uint32_t index = place_of_granule_[(address - range_.begin) >> log_of_granule];
  local_array& ended = places_[index].holds;
  if (ended.has_ended) return;
  ended.has_ended = true;
  state_.end(ended.begin, ended.bytes);
  free_[places_[index].size].push_back(index);
}

void local_arrays::end_all() {
  for (place& one : places_) end(reinterpret_cast<const void*>(one.holds.begin));
}

const local_array* local_arrays::around(std::uintptr_t address) const {
  const std::size_t granule = (address - range_.begin) >> log_of_granule;
  if (granule >= place_of_granule_.size()) return nullptr;
  return &places_[place_of_granule_[granule]].holds;
}

local_verdict local_arrays::touch(std::uintptr_t address, unsigned bytes, direction way,
                                  std::uint64_t who) {
  const local_array* const one = around(address);
  if (one == nullptr) return local_verdict::outside;
  if (one->has_ended) return local_verdict::ended;
  if (one->owner != who) return local_verdict::of_another_lane;
  if (!state_.exists(address, bytes)) return local_verdict::outside;
  const bool is_written = way == direction::write || state_.is_readable(address, bytes);
  if (way != direction::read) state_.write(address, bytes);
  return is_written ? local_verdict::fine : local_verdict::unwritten;
}

}  // namespace heddle_checker
