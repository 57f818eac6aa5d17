// Who runs next, where a checked run leaves a choice.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace heddle_host {

// Lanes of one block that could go on: `thread(i)` for i < count.
class choices {
 public:
  static constexpr unsigned most_warps = 32;
  static constexpr unsigned nobody = ~0u;

  explicit choices(std::uint64_t block) : block_(block) {}
  // In growing order of warps; a mask without lanes adds nothing.
  void add(unsigned warp, std::uint32_t lanes) {
    warps_[used_] = {warp, lanes};
    used_ += lanes != 0 ? 1 : 0;
    count_ += static_cast<unsigned>(__builtin_popcount(lanes));
  }
  // The next one that has not begun, as the last choice.
  void add_unstarted(unsigned thread) {
    unstarted_ = thread;
    ++count_;
  }

  std::uint64_t block() const { return block_; }  // linear index in the grid
  unsigned count() const { return count_; }
  unsigned unstarted() const { return unstarted_; }
  // Linear index in the block.
  unsigned thread(unsigned i) const {
    for (unsigned at = 0; at < used_; ++at) {
      std::uint32_t lanes = warps_[at].lanes;
      const auto here = static_cast<unsigned>(__builtin_popcount(lanes));
      if (i >= here) {
        i -= here;
        continue;
      }
      for (; i != 0; --i) lanes &= lanes - 1;
      return warps_[at].warp * 32 + static_cast<unsigned>(__builtin_ctz(lanes));
    }
    return unstarted_;
  }
  // Calls `see(i, thread(i))` for every i, in linear time.
  template <typename Function>
  void for_each(Function see) const {
    unsigned i = 0;
    for (unsigned at = 0; at < used_; ++at) {
      for (std::uint32_t lanes = warps_[at].lanes; lanes != 0; lanes &= lanes - 1) {
        see(i++, warps_[at].warp * 32 + static_cast<unsigned>(__builtin_ctz(lanes)));
      }
    }
    if (i < count_) see(i, unstarted_);
  }

 private:
  struct of_warp {
    unsigned warp;
    std::uint32_t lanes;
  };
  std::uint64_t block_;
  unsigned used_ = 0;
  unsigned count_ = 0;
  unsigned unstarted_ = nobody;
  std::array<of_warp, most_warps + 1> warps_;
};

// What stops a lane before an access that others may see.
enum class interruption : unsigned char {
  none,
  for_another_lane,   // of the same block
  for_another_block,  // of those that have begun
  for_all_others,     // as if it had found nothing new and let all others go first
};

// A schedule decides alone: the same schedule makes the same run. Called from one thread at a time.
class schedule {
 public:
  virtual ~schedule() = default;
  virtual void grid_begins(std::uint64_t /*blocks*/, unsigned /*threads*/) {}
  // Asked before each access to memory that others may see. `is_strong`: an atomic or volatile one,
  // by which lanes may talk to each other.
  virtual interruption interrupts(std::uint64_t block, unsigned thread, bool is_strong) = 0;
  // So many accesses need not be asked about from now on; `pass` says that some of them were made.
  virtual unsigned free_accesses() const { return 0; }
  virtual void pass(unsigned /*accesses*/) {}
  // Accesses that are neither atomic nor volatile need not be asked about at all.
  virtual bool asks_only_at_strong() const { return false; }
  // One of at least two lanes.
  virtual unsigned choose_lane(const choices& among) = 0;
  // One of `count` blocks that have begun, at least two; `blocks` are their linear indices.
  virtual unsigned choose_block(const std::uint64_t* blocks, unsigned count) = 0;
  // Those of `lanes` that are together when they ask who is active, at least one.
  virtual std::uint32_t choose_active(std::uint32_t lanes) { return lanes; }
  // Asked before a lane stops to let all others go first, as in __nanosleep.
  virtual bool lets_yield(std::uint64_t /*block*/, unsigned /*thread*/) { return true; }
  // Whether a lane that was interrupted asks again before it goes on.
  virtual bool decides_each_step() const { return false; }
  // How many blocks may have begun and not ended at a time, where they need not all.
  virtual unsigned most_blocks_at_once() const { return 1; }
};

// From now on all lanes run on one thread, as `order` says; null: as usual, a warp until it waits.
// While no grid runs, the first time before the first one; `order` must outlive the grids.
void run_checked(schedule* order);
bool is_checked();
schedule* current_schedule();

// As fork(), from within a lane: the watchdog, whose thread the copy has not, begins anew there.
int copy_process();

struct ready_lane {
  std::uint64_t block;  // linear indices
  unsigned thread;
};
// The lanes that could go on besides the running one, of all blocks that have begun, and the next
// one of each block that has not. To be called by lane code.
void list_ready_lanes(std::vector<ready_lane>& into);
// Where the stack of the running lane ends; its frames lie below.
const void* end_of_running_stack();

// The running lane stops here if the schedule wants so. To be called by lane code.
void interrupt_if_scheduled(const void* code, bool is_strong);

}  // namespace heddle_host
