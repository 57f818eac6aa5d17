// A thread that runs blocks: its fibers, its blocks, and how it switches between blocks.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "fiber/fiber.hpp"
#include "machine/block_state.hpp"

namespace heddle_host {

class grid_state;

class worker {
 public:
  // This thread's worker, created on first use.
  static worker& of_this_thread();

  worker();
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Runs blocks of the grid until none is left to claim and all claimed ones have finished.
  void run(grid_state& grid);

  context& scheduler() { return scheduler_; }  // where this thread's loop over blocks resumes
  fiber& take_fiber() {
    if (__builtin_expect(free_.empty(), 0)) make_fiber();
    fiber& taken = *free_.back();
    free_.pop_back();
    if (__builtin_expect(taken.serves != grid_, 0)) take_into_service(taken);
    return taken;
  }
  void put_back(fiber& idle) { free_.push_back(&idle); }
  void abandon_fibers();
  // The running lane has ended in the middle of its code, on the fiber `mine`. Resumes `next`; if
  // that is null, continues with the current lane on another fiber.
  [[noreturn]] void leave_fiber(fiber& mine, context next);
  // As heddle_host::describe_all_lanes, for the running block.
  std::optional<finding> describe_all_lanes(const block_state& running, const void* code) const;
  // The fiber whose stack contains an address, or null.
  fiber* find_fiber(const void* address);
  void list_ready(std::vector<ready_lane>& into) const;  // for heddle_host::list_ready_lanes
  bool guards(const void* address) const { return stacks_ && stacks_->guards(address); }

 private:
  using cluster = std::vector<block_state*>;
  enum class turn { ended, stuck, spinning };
  // After so many turns in which no block has finished, the resident blocks may be waiting for one
  // that has not started.
  static constexpr unsigned turns_before_another_block = 64;

  void start(grid_state& grid, std::uint64_t cluster_index);
  turn give_turn(cluster& blocks);
  void run_by_schedule(grid_state& grid, schedule& order);
  static void fail_with_deadlock(const block_state& block);
  static bool can_run(const cluster& blocks);
  void end(std::size_t resident);
  void abandon_all();
  void make_fiber();
  void take_into_service(fiber& taken);
  void refresh_stacks();

  context scheduler_ = nullptr;
  std::uint64_t grid_ = 0;            // the number of the running grid
  std::uint64_t clusters_begun_ = 0;  // by this worker, of that grid
  std::unique_ptr<stack_pool> stacks_;
  std::size_t stack_bytes_ = 0;
  std::deque<fiber> fibers_;
  std::vector<fiber*> free_;
  std::vector<std::unique_ptr<block_state>> blocks_;
  std::vector<block_state*> idle_blocks_;
  std::vector<cluster> resident_;
  std::vector<cluster> spare_clusters_;
};

}  // namespace heddle_host
