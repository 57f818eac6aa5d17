// State shared by the process that explores and the process that runs an interleaving.
#include "checker/explore/exploration_area.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace heddle_checker {

exploration_area& make_exploration_area() {
  void* const memory = mmap(nullptr, sizeof(exploration_area), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return *static_cast<exploration_area*>(memory);
}

void exploration_area::begin_interleaving() {
  entries = 0;
  is_too_long = is_pruned = is_complete = false;
}

int exploration_area::find(std::uint64_t lane) const {
  const auto* const end = lanes.data() + lane_count;
  const auto* const found = std::find(lanes.data(), end, lane);
  return found == end ? -1 : static_cast<int>(found - lanes.data());
}

int exploration_area::number_of(std::uint64_t lane) {
  if (const int known = find(lane); known >= 0) return known;
  if (lane_count == lanes.size()) return -1;
  lanes[lane_count] = lane;
  return static_cast<int>(lane_count++);
}

void exploration_area::add(const trace_entry& what) {
  if (entries == trace.size()) {
    is_too_long = true;
  } else {
    trace[entries++] = what;
  }
}

bool exploration_area::add_finding(std::uint64_t fingerprint, std::uint64_t times,
                                   std::size_t& number) {
  const auto* const end = findings.data() + finding_count;
  auto* found =
      std::find_if(findings.data(), findings.data() + finding_count,
                   [&](const known_finding& one) { return one.fingerprint == fingerprint; });
  const bool is_new = found == end;
  number = static_cast<std::size_t>(found - findings.data());
  if (is_new) {
    if (finding_count == findings.size()) return false;
    ++finding_count;
    *found = {fingerprint, 0, 0};
  }
  found->times += times;
  ++found->interleavings;
  return is_new;
}

interleaving exploration_area::turns() const {
  interleaving all;
  std::uint64_t step = 0;
  int last = -1;
  for (std::size_t i = 0; i < entries; ++i) {
    if (trace[i].kind != happening::access) continue;
    if (trace[i].lane != last) all.push_back({step, lanes[trace[i].lane]});
    last = trace[i].lane;
    ++step;
  }
  return all;
}

}  // namespace heddle_checker
