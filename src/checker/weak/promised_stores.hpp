// Loads that return what another lane stores only later, as the PTX memory model allows it where
// nothing orders a load before the stores behind it.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "checker/schedule/schedules.hpp"

namespace heddle_checker {

// Nobody knows what a lane will store, so it is tried out in a copy of the process that ends when
// it has told: some other lane runs alone there, until it stores to the place of the load. Then a
// second copy goes on with that value, and this process waits for its end. If the store does not
// come as it was foreseen, the copy ends, and this process goes on as if nothing had been.
//
// Alone, because a value must not come out of thin air: the store is there without the load that
// returns it. For the same reason the lane must come to its store by the same accesses in the copy
// that counts.
class promised_stores {
 public:
  // From now on loads may look ahead.
  void allow(std::uint64_t seed);

  // Decides by dice whether a load does.
  [[nodiscard]] bool wants_promise();
  // `lane` is about to load. None: nothing was found, or it has not come. `let_others_run` makes
  // the lane stop, perhaps.
  std::optional<std::uint64_t> find_promise(std::uint64_t lane, std::uintptr_t address,
                                            unsigned bytes,
                                            const std::function<void()>& let_others_run);

  [[nodiscard]] bool is_busy() const { return doing_ != activity::nothing; }
  // In a copy that is to try things out, where lanes run until they wait.
  [[nodiscard]] bool is_certifying() const { return doing_ == activity::certifying; }

  // A lane accesses memory next. All that came before has happened.
  void step(std::uint64_t lane, std::uintptr_t address, const void* code);
  // A lane stores next to a place, and not plainly. True: it is what a load has returned already.
  bool fulfils(std::uint64_t lane, std::uintptr_t address, unsigned bytes);
  void end_grid();
  // The store must not have been returned: the copy has been in vain.
  [[noreturn]] void give_up();

 private:
  enum class activity : unsigned char { nothing, certifying, waiting_for_store };
  struct promise {
    std::uint64_t lane;
    std::uint64_t value;
    std::uint64_t path;  // of the accesses by which the lane comes to it
    std::uint32_t steps;
  };
  std::optional<promise> certify(std::uint64_t lane, const std::function<void()>& let_others_run);
  bool continue_in_copy();
  void check_store();
  [[noreturn]] void leave() const;

  bool is_allowed_ = false;
  dice tosses_{0};
  unsigned tries_left_ = 0;
  unsigned tries_of_grid_ = 0;
  unsigned copies_left_ = 0;

  activity doing_ = activity::nothing;
  std::uint64_t reader_ = 0;
  std::uintptr_t address_ = 0;
  unsigned bytes_ = 0;
  promise expected_{};
  promise seen_{};           // so far
  bool has_stored_ = false;  // the store is the last thing that has happened
  unsigned steps_ = 0;       // of all lanes
  int answer_ = -1;          // where to tell what became of it
};

}  // namespace heddle_checker
