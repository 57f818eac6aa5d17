// Follows the work of streams: what it comes after, and the memory that copies, fills, host
// functions and frees access.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <heddle_host/observer.hpp>

#include "checker/checks/race_check.hpp"
#include "checker/checks/undefined_check.hpp"
#include "checker/run_state.hpp"
#include "checker/streams/stream_order.hpp"

namespace heddle_checker {

class stream_work final : public heddle_host::observer {
 public:
  stream_work(run_state& run, race_check& races, undefined_check& undefined)
      : run_(run), races_(races), undefined_(undefined) {}

  // The calls that enqueued the work that this thread does now. Null: it does none.
  [[nodiscard]] static const call_chain* enqueued_by() { return enqueued_by_; }
  // Begins a grid in the race detector, after everything that streams and launches order before it.
  [[nodiscard]] agent begin_grid();
  void grid_is_done() { work_of_thread().done_by = run_.running; }

  // The host accesses memory that it shares with lanes.
  void host_touches(const access& what);
  void end_host_action();  // the host's accesses since its last CUDA call
  // Counts as a store to all of the memory: every other access must come before it.
  void free_memory(std::uintptr_t base, std::size_t bytes);

  std::uint64_t work_is_submitted() override;
  void work_begins(std::uint64_t submitted, std::uint64_t stream,
                   const heddle_host::work_point* before, std::size_t count) override;
  void work_ends(std::uint64_t stream, std::uint64_t number) override;
  // Children: what lanes launch.
  void child_is_launched(std::uint64_t child, const void* code) override;
  void child_begins(std::uint64_t child, const std::uint64_t* before, std::size_t count) override;
  void child_ends(std::uint64_t child) override;
  void children_are_done(const std::uint64_t* children, std::size_t count) override;
  void host_has_waited(std::uint64_t stream, std::uint64_t number) override;
  void bytes_arrive(void* to, const void* from, std::size_t bytes) override;

 private:
  struct submission {
    std::uint64_t moment;
    const call_chain* calls;
  };
  // What a lane launched, the lane's clock at the launch, and the agent that did the work.
  struct launched_child {
    agent parent;
    vector_clock at_launch;
    const call_chain* calls;
    std::optional<agent> done_by;
  };
  struct current_work {
    std::vector<agent> after;               // what its next operation comes after
    std::optional<agent> done_by;           // its last operation
    block_clock* running = nullptr;         // the running copy, fill or host function
    const launched_child* child = nullptr;  // if its next operation is the first of a child
  };
  // Work that waits while children of its grid run.
  struct outer_work {
    std::optional<agent> done_by;
    const call_chain* enqueued_by;
  };
  static current_work& work_of_thread();
  block_clock& running_operation();
  void end_operation();
  void copy_touches(std::uintptr_t address, std::size_t bytes, direction way,
                    heddle_host::activity what);
  [[gnu::cold]] void report_bad_copy(std::uintptr_t address, std::size_t bytes,
                                     const stream_operation& by);

  static thread_local const call_chain* enqueued_by_;

  run_state& run_;
  race_check& races_;
  undefined_check& undefined_;
  stream_order order_;
  std::vector<submission> submissions_;
  std::map<std::uint64_t, launched_child> children_;  // by number
  std::vector<outer_work> outer_;
  block_clock* host_ = nullptr;  // the host's accesses since its last CUDA call
};

}  // namespace heddle_checker
