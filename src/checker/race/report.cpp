// Reports races as values, one for each pair of code addresses.
#include <algorithm>

#include "checker/race/race_detector.hpp"

namespace heddle_checker {

side race_detector::side_of(record what, unsigned thread, direction does) const {
  const instance_id owner = timeline_.owner(what.segment());
  const instance& block = timeline_.at(owner);
  return {block.of,
          agents_.is_host(block.of),
          block.home != owner,
          block.linear_block,
          thread,
          codes_.code(what.code()),
          what.is_update() ? direction::update : does,
          strength_of(what.how()),
          scope_of(what.how())};
}

// Asks the current lane, then the other one, then the other one's block.
void race_detector::find_program_order(record old, unsigned thread, const newcomer& fresh,
                                       race& in) const {
  constexpr std::size_t most_texts = 64;
  if (in.first.code == in.second.code) return;
  const auto ask = [&](const lane_clock& lane) {
    const auto first = lane.visited.first_of(in.first.code, in.second.code, codes_);
    if (first) {
      in.intended =
          *first == in.first.code ? program_order::first_side : program_order::second_side;
    } else if (in.texts.size() < most_texts) {
      in.texts.push_back(lane.visited.in_order(codes_));
    }
    return first.has_value();
  };
  const auto block_of = [&](record what) {
    const instance_id owner = timeline_.owner(what.segment());
    const auto found =
        std::ranges::find(blocks_, owner, [](const auto& block) { return block->instance; });
    return found == blocks_.end() ? nullptr : found->get();
  };
  const block_clock* const here = block_of(fresh.what);
  const block_clock* const there = block_of(old);
  if (here != nullptr && ask(here->lanes[fresh.thread])) return;
  if (there == nullptr) return;
  // What it did before it last synchronised does not count.
  const lane_clock& lane = there->lanes[thread];
  if (old.segment() < std::max(there->known, lane.warp_known) || ask(lane)) return;
  for (const lane_clock& each : there->lanes) {
    if (ask(each)) return;
  }
}

void race_detector::report(const access_entry& old, unsigned thread, const newcomer& fresh) {
  if (is_reported_) return;
  is_reported_ = true;
  const bool both_are_strong = !old.what.is_plain() && !fresh.what.is_plain();
  const race_cause cause = !both_are_strong                               ? race_cause::unordered
                           : old.what.log_size() != fresh.what.log_size() ? race_cause::size
                                                                          : race_cause::scope;
  const auto [smaller, larger] = std::minmax({old.what.code(), fresh.what.code()});
  const std::uint64_t pair =
      std::uint64_t{smaller} << 32 | std::uint64_t{larger} << 8 | static_cast<unsigned>(cause);
  const auto [place, is_new] = known_pairs_.try_emplace(pair, races_.size());
  if (!is_new) {
    ++races_[place->second].times;
    return;
  }
  race found{side_of(old.what, thread, old.is_write() ? direction::write : direction::read),
             side_of(fresh.what, fresh.thread, fresh.does), fresh.address, cause};
  find_program_order(old.what, thread, fresh, found);
  races_.push_back({found, 1});
  if (on_race_) on_race_(found);
}

std::optional<side> race_detector::last_writer(std::uintptr_t address) {
  std::optional<side> last;
  const auto look = [&](const cell& where, std::uintptr_t) {
    const record what = *where.write;
    if (!last && !what.is_none() && !what.is_elsewhere()) {
      last = side_of(what, what.thread(), direction::write);
    }
  };
  shadow_.for_each_cell(address & ~std::uintptr_t{shadow::granule - 1}, shadow::granule, look);
  return last;
}

std::vector<counted_race> race_detector::races() const { return races_; }

void race_detector::forget_races() {
  races_.clear();
  known_pairs_.clear();
}

}  // namespace heddle_checker
