// Asynchronous copies of lanes: they stand beside all that happens until somebody has waited for
// them.
#include "checker/memory/async_copies.hpp"

#include <algorithm>

#include <heddle_host/lane.hpp>

#include "checker/checker.hpp"
#include "checker/hooks/hooks.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::copy_queue;
using heddle_host::lane_now;

namespace {

block_record& running_block() { return *static_cast<block_record*>(lane_now.observed); }

}  // namespace

void checker::lane_copies(const heddle_host::lane_copy& what) {
  block_record& block = running_block();
  if (is_seen_by_others(number(what.to))) {
    let_others_come(number(what.to), 1, false, false, what.code);
  }
  const checker_section guard;  // a lane that was stopped comes back as one that runs its own code
  races_.ask_for_copy(*block.clock, lane_now.thread);
  const auto touch_all = [&](const void* memory, direction way) {
    std::uintptr_t address = number(memory);
    for (std::size_t left = what.bytes; left != 0;) {
      const std::size_t bytes = std::min<std::size_t>(left, 16 - address % 16);
      const access piece{address,       static_cast<unsigned>(bytes),
                         way,           strength::copied,
                         scope::system, order::relaxed,
                         what.code};
      if (arena_.contains(address)) {
        lane_touches(piece);
      } else {
        lane_touches_other_memory(piece);
      }
      address += bytes;
      left -= bytes;
    }
  };
  if (what.from != nullptr) touch_all(what.from, direction::read);
  block.copies[lane_now.thread].reads = races_.copies_so_far(*block.clock, lane_now.thread);
  touch_all(what.to, direction::write);
}

void checker::copy_needs_alignment(const heddle_host::lane_copy& what, std::size_t alignment) {
  const auto is_whole = [=](std::uintptr_t value) {
    return alignment != 0 && value % alignment == 0;
  };
  // Where there is no such copy the addresses have nothing to comply with.
  if (!is_whole(what.bytes)) copy_is_misaligned(what, copy_part::size, alignment);
  if (alignment == 0) return;
  if (!is_whole(number(what.from))) copy_is_misaligned(what, copy_part::source, alignment);
  if (!is_whole(number(what.to))) copy_is_misaligned(what, copy_part::destination, alignment);
}

void checker::copies_are_committed(copy_queue which) {
  block_record& block = running_block();
  copies_of_lane& mine = block.copies[lane_now.thread];
  mine.commit(which, {mine.reads, races_.copies_so_far(*block.clock, lane_now.thread)});
}

void checker::copies_are_awaited(copy_queue which, std::size_t all_but, bool reads_only) {
  block_record& block = running_block();
  const copies_of_lane::group done = block.copies[lane_now.thread].await(which, all_but);
  races_.has_awaited(*block.clock, lane_now.thread, reads_only ? done.reads : done.all);
}

void checker::barrier_takes_copies(const void* barrier) {
  barrier_copies_.bind(number(barrier),
                       races_.copies_so_far(*running_block().clock, lane_now.thread));
}

void checker::phase_ends(const void* barrier) { barrier_copies_.end_phase(number(barrier)); }

void checker::phase_is_awaited(const void* barrier) {
  races_.has_awaited(*running_block().clock, lane_now.thread,
                     barrier_copies_.done(number(barrier)));
}

}  // namespace heddle_checker
