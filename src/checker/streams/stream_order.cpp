// Records, for each stream in order, which agent did each piece of work.
#include "checker/streams/stream_order.hpp"

#include <algorithm>

namespace heddle_checker {

const agent* stream_order::last_up_to(std::uint64_t stream, std::uint64_t number) const {
  const auto found = done_.find(stream);
  if (found == done_.end()) return nullptr;
  const auto behind =
      std::upper_bound(found->second.begin(), found->second.end(), number,
                       [](std::uint64_t wanted, const auto& one) { return wanted < one.first; });
  return behind == found->second.begin() ? nullptr : &std::prev(behind)->second;
}

// Keeps one agent per stream, so that repeated waits do not add up.
void stream_order::host_has_waited(std::uint64_t stream, std::uint64_t number) {
  const agent* const last = last_up_to(stream, number);
  if (last == nullptr) return;
  std::vector<known_agent> more = moments_.back();
  const auto known = std::ranges::find(more, stream, &known_agent::stream);
  if (known == more.end()) {
    more.push_back({*last, stream});
  } else if (known->which < *last) {  // agents are numbered in the order in which they begin
    known->which = *last;
  } else {
    return;
  }
  moments_.push_back(std::move(more));
}

void stream_order::host_has_done(agent action) { moments_.push_back({{action}}); }

stream_order::agents stream_order::known_at(std::uint64_t moment) const {
  agents all;
  for (const known_agent& each : moments_[moment]) all.push_back(each.which);
  return all;
}

stream_order::agents stream_order::known_to_work(std::uint64_t submitted, std::uint64_t stream,
                                                 const heddle_host::work_point* before,
                                                 std::size_t count) const {
  agents known = known_at(submitted);
  if (const agent* const last = last_up_to(stream, UINT64_MAX)) known.push_back(*last);
  for (std::size_t i = 0; i < count; ++i) {
    if (const agent* const last = last_up_to(before[i].stream, before[i].number)) {
      known.push_back(*last);
    }
  }
  return known;
}

void stream_order::work_is_done(std::uint64_t stream, std::uint64_t number, agent by) {
  done_[stream].emplace_back(number, by);
}

}  // namespace heddle_checker
