// The schedule of one interleaving: every access of every lane is a step, and a guide chooses the
// lane that makes it.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include <heddle_host/schedule.hpp>

#include "checker/explore/exploration_area.hpp"
#include "checker/explore/guide.hpp"
#include "checker/explore/spin_watch.hpp"

namespace heddle_checker {

// Before each choice every lane has run up to its next access, a meeting or its exit; no other lane
// can observe what it does in between. A lane that would only read the same values again is not
// chosen until one of them changes. If no other lane is left, it reads them anyway. So a loop with
// a retry limit can give up, and one without is reported as usual.
class explored_order final : public heddle_host::schedule {
 public:
  // `turns` is the interleaving to replay. If it is empty, call follow() before the first step.
  explored_order(exploration_area& area, interleaving turns);
  void before_first_grid(std::function<void()> what) { before_first_grid_ = std::move(what); }
  void follow(plan what, const known_states* known) { guide_.emplace(std::move(what), known); }

  // The running lane is about to make an access. `looks`: it would change nothing now.
  void lane_comes_to(std::uintptr_t address, unsigned bytes, bool looks, const void* code);
  // The lane makes the access. `changes`: it changes memory, which an atomic operation need not do.
  void lane_touches(std::uintptr_t address, bool writes, bool changes);
  // Threads of a block, given by linear index, have met; or all lanes of the grid have.
  void threads_meet(std::uint64_t block, const std::vector<unsigned>& threads);
  void all_meet() { area_.add({{}, ~lane_set{0}, 0, 0, happening::meeting}); }
  // Every lane that was not chosen because it spins would certainly do the same again.
  [[nodiscard]] bool is_certain() const { return !watch_.has_guessed(); }
  // The grid has failed: pending accesses will not happen.
  void grid_fails();
  // Exits this process with a sentence for whoever started it.
  [[noreturn]] void refuse(const char* why);

  // schedule
  void grid_begins(std::uint64_t blocks, unsigned threads) override;
  heddle_host::interruption interrupts(std::uint64_t block, unsigned thread,
                                       bool is_strong) override;
  unsigned choose_lane(const heddle_host::choices& among) override;
  unsigned choose_block(const std::uint64_t* blocks, unsigned count) override;
  bool lets_yield(std::uint64_t block, unsigned thread) override;
  bool decides_each_step() const override { return true; }
  unsigned most_blocks_at_once() const override { return most_blocks; }

 private:
  static constexpr unsigned most_blocks = 64;
  struct lane_record {
    bool stands = false;    // waits before an access
    bool spins = false;     // the access would find nothing new
    bool may_look = false;  // once, because no other lane can run
    look next;
    bool looks = false;
  };
  struct open_step {
    unsigned lane;
    look what;
    bool is_recorded;
    bool writes = false;
    bool changes = false;
  };

  [[nodiscard]] std::uint64_t linear(std::uint64_t block, unsigned thread) const {
    return block * threads_ + thread;
  }
  [[nodiscard]] std::optional<unsigned> choose(lane_set able);
  void arrive(unsigned lane);
  void begin_step(unsigned lane, bool is_recorded, lane_set able, lane_set spinning);
  void end_step(bool lane_goes_on = true);
  heddle_host::interruption go_to(std::uint64_t block, unsigned thread, std::uint64_t from);

  exploration_area& area_;
  interleaving turns_;
  std::size_t next_turn_ = 0;
  std::uint64_t steps_ = 0;
  std::optional<unsigned> last_;
  std::optional<guide> guide_;
  std::function<void()> before_first_grid_;
  std::array<lane_record, most_explored_lanes> lanes_{};
  spin_watch watch_;
  std::optional<open_step> open_;
  lane_record coming_;
  unsigned threads_ = 1;  // of a block
  std::optional<heddle_host::ready_lane> goal_;
  std::vector<heddle_host::ready_lane> ready_;
  std::unordered_map<std::uint64_t, unsigned> yields_;  // of lanes, since their last access
  bool yields_now_ = false;
  unsigned rounds_ = 0;
};

}  // namespace heddle_checker
