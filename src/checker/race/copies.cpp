// Asynchronous copies: a second block clock beside each block has one lane for each thread, which
// does that thread's copies.
#include "checker/race/race_detector.hpp"

namespace heddle_checker {

bool race_detector::is_of_copies(const block_clock& block) const {
  return timeline_.at(block.instance).home != block.instance;
}

void race_detector::add_copies(block_clock& block) {
  block_clock* const made = add_block(block.of, block.linear_block, block.threads);
  const instance& home = timeline_.at(block.instance);
  instance& fresh = timeline_.at(made->instance);
  fresh.cluster = home.cluster;
  fresh.home = block.instance;
  made->shared_base = block.shared_base;
  made->shared_bytes = block.shared_bytes;
  block.copies = made;
}

block_clock& race_detector::ask_for_copy(block_clock& block, unsigned thread) {
  has_released_ = true;
  if (block.copies == nullptr) add_copies(block);
  learn(*block.copies, thread, everything_known(block, thread));
  return *block.copies;
}

vector_clock race_detector::copies_so_far(block_clock& block, unsigned thread) {
  if (block.copies == nullptr) return {};
  make_room(1);
  block_clock& copies = *block.copies;
  const unit_known until{unit_known::lane(thread), copies.lanes[thread].segment()};
  move_on(copies, thread);
  return vector_clock::of_block(copies.instance, 0, {&until, 1});
}

}  // namespace heddle_checker
