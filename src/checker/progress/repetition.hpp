// Detects lanes that no longer do anything new.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle_checker {

// A kernel that hangs repeats its comparisons and accesses. A slow kernel does not: each iteration
// of a loop compares a new counter value, reads a new address or finds a new value there. So a
// search records what each lane does for a quarter of a window, then waits for something that it
// has not recorded. Nested loops are covered, too. Take the outermost loop that completes an
// iteration within the quarter. It does not finish within that quarter, or the loop around it would
// be the outermost; so its counter reaches a new value. A counter that no comparison reads is not
// seen, and does not matter.
class repetition {
 public:
  // Digests of the steps that a lane has made in search number `search`.
  class lane {
   public:
    [[nodiscard]] bool insert(std::uint64_t what);  // true: it is new
    [[nodiscard]] bool contains(std::uint64_t what) const;
    void begin(std::uint64_t search);

    std::uint64_t search = 0;
    std::uint32_t steps = 0;
    const void* code = nullptr;  // of the last step
    std::uintptr_t read = 0;     // the last address that it read in this search; 0: none
    bool has_met = false;        // met others in this search, who may have passed it a value

   private:
    void grow();
    std::vector<std::uint64_t> slots_;  // open addressing; 0: free
    std::size_t used_ = 0;
  };

  // Searches begin after a certain amount of work. Each one that finds nothing doubles that amount.
  void grid_begins();
  // True: a search should begin now.
  bool work(std::uint64_t units) {
    worked_ += units;
    return !is_searching_ && worked_ >= next_search_;
  }
  // Something suggests that a search would succeed, so it may begin early.
  [[nodiscard]] bool is_worth_while() const {
    return !is_searching_ && worked_ >= next_search_ / 256;
  }

  void begin(std::size_t lanes);
  [[nodiscard]] bool is_searching() const { return is_searching_; }
  // The lane makes a step. True: it has done nothing new for a whole window; again after each
  // further quarter.
  bool step(lane& who, std::uint64_t what);
  // The lane meets others. Ignored if it has made no step in this search.
  void meet(lane& who) const { who.has_met = who.has_met || takes_part(who); }
  // Something other than a lane may change what lanes see.
  void give_up() { end(); }
  // How many searches have ended because a lane did something new.
  [[nodiscard]] std::uint64_t news() const { return news_; }

  [[nodiscard]] bool repeats(const lane& who) const {
    return takes_part(who) && who.steps >= quarters * quarter_;
  }
  [[nodiscard]] bool takes_part(const lane& who) const { return who.search == search_; }
  [[nodiscard]] std::uint32_t quarter() const { return quarter_; }

 private:
  static constexpr std::uint32_t quarters = 4;
  static constexpr std::uint32_t most_quarters = 256;  // then gives up on slower lanes
  static constexpr std::uint64_t first_search = std::uint64_t{1} << 22;
  // Often enough that a kernel which only reads shows progress within its time limit.
  static constexpr std::uint64_t rarest_search = std::uint64_t{1} << 24;
  void end();

  bool is_searching_ = false;
  std::uint64_t search_ = 0;
  std::uint32_t quarter_ = 0;
  std::uint64_t worked_ = 0;  // since the last search
  std::uint64_t next_search_ = first_search;
  std::uint64_t news_ = 0;
};

// Mixes a sequence of numbers into one; the order matters.
class mixture {
 public:
  mixture& add(std::uint64_t number) {
    state_ = (state_ ^ number) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 29;
    return *this;
  }
  [[nodiscard]] std::uint64_t number() const { return state_ == 0 ? 1 : state_; }

 private:
  std::uint64_t state_ = 0x2545f4914f6cdd1du;
};

}  // namespace heddle_checker
