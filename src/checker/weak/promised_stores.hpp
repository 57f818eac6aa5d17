// Early loads: they return a promised store, which another lane makes only later.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "checker/schedule/schedules.hpp"

namespace heddle_checker {

// The PTX memory model allows a load to return a store that comes later in the run if nothing
// orders the two. As in the promising semantics, the storing lane promises its store and fulfils
// the promise later.
//
// The value of a future store is unknown, so a copy of the process certifies it: there, some other
// lane runs alone until it stores to the address of the load, and the copy reports that store and
// exits. A second copy then continues with the value, and this process waits for it to end. If the
// store does not come as promised, the second copy exits, and this process continues as if nothing
// had happened.
//
// The lane runs alone because a value must not come out of thin air: the lane makes the store
// without the load that returns it. For the same reason it must reach the store by the same
// accesses in the second copy.
class promised_stores {
 public:
  // From now on loads may be early.
  void allow(std::uint64_t seed);

  // Decides at random whether a load tries to be early.
  [[nodiscard]] bool wants_promise();
  // `lane` is about to load. Nothing: no store was found, or the copy has failed. `let_others_run`
  // may switch to another lane.
  std::optional<std::uint64_t> find_promise(std::uint64_t lane, std::uintptr_t address,
                                            unsigned bytes,
                                            const std::function<void()>& let_others_run);

  [[nodiscard]] bool is_busy() const { return doing_ != activity::nothing; }
  // In the copy that certifies, where a lane runs until it waits.
  [[nodiscard]] bool is_certifying() const { return doing_ == activity::certifying; }

  // A lane is about to access memory. Everything before that has happened.
  void step(std::uint64_t lane, std::uintptr_t address, const void* code);
  // A lane is about to make a strong store. True: it is the promised one.
  bool fulfils(std::uint64_t lane, std::uintptr_t address, unsigned bytes);
  void end_grid();
  // The load must not return the promised store: ends this copy.
  [[noreturn]] void give_up();

 private:
  enum class activity : unsigned char { nothing, certifying, waiting_for_store };
  struct promise {
    std::uint64_t lane;
    std::uint64_t value;
    std::uint64_t path;  // hash of the lane's accesses before it
    std::uint32_t steps;
  };
  std::optional<promise> certify(std::uint64_t lane, const std::function<void()>& let_others_run);
  bool continue_in_copy();
  void check_store();
  [[noreturn]] void leave() const;

  bool is_allowed_ = false;
  random_generator random_{0};
  unsigned tries_left_ = 0;
  unsigned tries_of_grid_ = 0;
  unsigned copies_left_ = 0;

  activity doing_ = activity::nothing;
  std::uint64_t reader_ = 0;
  std::uintptr_t address_ = 0;
  unsigned bytes_ = 0;
  promise expected_{};
  promise seen_{};           // so far
  bool has_stored_ = false;  // the store was the last access
  unsigned steps_ = 0;       // of all lanes
  int answer_ = -1;          // pipe to the process that waits
};

}  // namespace heddle_checker
