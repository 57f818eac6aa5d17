// Who runs next, where a checked run leaves a choice.
#pragma once
#include <cstdint>
#include <vector>

namespace heddle_host {

// Lanes of one block that could go on: `lane(i)` for i < count.
class choices {
 public:
  choices(std::uint64_t block, const unsigned* threads, unsigned count)
      : block_(block), threads_(threads), count_(count) {}
  std::uint64_t block() const { return block_; }  // linear index in the grid
  unsigned count() const { return count_; }
  unsigned thread(unsigned i) const { return threads_[i]; }  // linear index in the block

 private:
  std::uint64_t block_;
  const unsigned* threads_;
  unsigned count_;
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
