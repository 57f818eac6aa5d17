// Keeps states after which everything is explored, and the races that follow each.
#include "checker/explore/known_states.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <new>

namespace heddle_checker {
namespace {

// Returns zeros, which take no memory until they are touched.
void* room_for(std::size_t bytes, int way) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, way | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

}  // namespace

known_states::known_states()
    : perhaps_(static_cast<std::uint64_t*>(room_for(bits / 8, MAP_SHARED))),
      entries_(static_cast<entry*>(room_for(places * sizeof(entry), MAP_SHARED))),
      races_(static_cast<race_behind*>(room_for(most_races * sizeof(race_behind), MAP_PRIVATE))) {
  madvise(races_, most_races * sizeof(race_behind), MADV_DONTFORK);
}

known_states::~known_states() {
  munmap(perhaps_, bits / 8);
  munmap(entries_, places * sizeof(entry));
  munmap(races_, most_races * sizeof(race_behind));
}

known_states::entry& known_states::place_of(std::uint64_t state) const {
  std::size_t at = state % places;
  while (entries_[at].state != 0 && entries_[at].state != state) at = (at + 1) % places;
  return entries_[at];
}

bool known_states::has(std::uint64_t state, unsigned preemptions) const {
  if ((word_of(state) & bit_of(state)) == 0) return false;
  const entry& found = place_of(state);
  return found.state == state && found.preemptions <= preemptions;
}

std::span<const race_behind> known_states::races_behind(std::uint64_t state) const {
  const entry& found = place_of(state);
  return {races_ + found.begin, found.races};
}

void known_states::add(std::uint64_t state, unsigned preemptions,
                       std::span<const race_behind> races) {
  constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
  entry& place = place_of(state);
  const bool is_new = place.state == 0;
  if (!is_new && place.preemptions <= preemptions) return;
  if (races.size() > most || preemptions > most || race_count_ + races.size() > most_races) return;
  if (is_new && entry_count_ == most_entries) return;
  std::copy(races.begin(), races.end(), races_ + race_count_);
  place = {state, static_cast<std::uint32_t>(race_count_), static_cast<std::uint16_t>(races.size()),
           static_cast<std::uint16_t>(preemptions)};
  word_of(state) |= bit_of(state);
  race_count_ += races.size();
  entry_count_ += is_new ? 1 : 0;
}

}  // namespace heddle_checker
