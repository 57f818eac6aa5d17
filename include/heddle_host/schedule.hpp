// Decides who runs next where a checked run has a choice.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace heddle_host {

// The lanes of one block that are ready to run: `thread(i)` for i < count.
class choices {
 public:
  static constexpr unsigned most_warps = 32;
  static constexpr unsigned nobody = ~0u;

  explicit choices(std::uint64_t block) : block_(block) {}
  // Call in ascending order of warps; an empty mask adds nothing.
  void add(unsigned warp, std::uint32_t lanes) {
    warps_[used_] = {warp, lanes};
    used_ += lanes != 0 ? 1 : 0;
    count_ += static_cast<unsigned>(__builtin_popcount(lanes));
  }
  // The next thread that has not started, as the last choice.
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

// Why a lane is interrupted before an access that others may see.
enum class interruption : unsigned char {
  none,
  for_another_lane,   // of the same block
  for_another_block,  // of those that have started
  for_all_others,     // as if its poll had failed and it yielded to all others
};

// The schedule alone decides: the same schedule gives the same run. Called from one thread at a
// time.
class schedule {
 public:
  virtual ~schedule() = default;
  virtual void grid_begins(std::uint64_t /*blocks*/, unsigned /*threads*/) {}
  // Called before each access to memory that others may see. `is_strong`: atomic or volatile, so
  // lanes may communicate through it.
  virtual interruption interrupts(std::uint64_t block, unsigned thread, bool is_strong) = 0;
  // The next `free_accesses()` accesses need no call of `interrupts`; `pass` reports that some of
  // them were made.
  virtual unsigned free_accesses() const { return 0; }
  virtual void pass(unsigned /*accesses*/) {}
  // Whether accesses that are neither atomic nor volatile need no call at all.
  virtual bool asks_only_at_strong() const { return false; }
  // Chooses one of at least two lanes.
  virtual unsigned choose_lane(const choices& among) = 0;
  // Chooses one of `count` started blocks, at least two; `blocks` are their linear indices.
  virtual unsigned choose_block(const std::uint64_t* blocks, unsigned count) = 0;
  // The subset of `lanes`, at least one, that counts as converged when they ask who is active.
  virtual std::uint32_t choose_active(std::uint32_t lanes) { return lanes; }
  // Called before a lane yields to all others, as in __nanosleep.
  virtual bool lets_yield(std::uint64_t /*block*/, unsigned /*thread*/) { return true; }
  // Whether a lane that was interrupted asks again before it resumes.
  virtual bool decides_each_step() const { return false; }
  // How many unfinished blocks there may be at once, unless all of them must be resident.
  virtual unsigned most_blocks_at_once() const { return 1; }
};

// From now on lanes run in the order of the schedule; null restores the normal order, where a warp
// runs until it waits. Needs checked_policy. Call only while no grid runs; `order` must outlive the
// grids.
void run_in_order_of(schedule* order);
schedule* current_schedule();

// fork() from within a lane. The child does not inherit the watchdog's thread, so it starts a new
// one.
int copy_process();

struct ready_lane {
  std::uint64_t block;  // linear indices
  unsigned thread;
};
// The ready lanes of all resident blocks except the running lane, and the next lane of each block
// that has not started. Call only from lane code.
void list_ready_lanes(std::vector<ready_lane>& into);
// The upper end of the running lane's stack; its frames lie below.
const void* end_of_running_stack();

// Suspends the running lane here if the schedule says so. Call only from lane code.
void interrupt_if_scheduled(const void* code, bool is_strong);

}  // namespace heddle_host
