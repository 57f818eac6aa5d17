// Notices lanes that do nothing any more that they have not done before.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle_checker {

// A kernel that will never end repeats its comparisons and accesses; one that is slow does not:
// each round of a loop compares another counter, reads another place or finds another value there.
// So a search writes down what each lane does for a while, a quarter of a window, and then waits
// for something that is not among it. Of nested loops, the outermost that goes round within a
// quarter does not come to its end within that quarter, or the next one is the outermost: its
// counter is new. A counter that no comparison looks at is not seen, and does not matter.
class repetition {
 public:
  // The numbers that a lane has met in the search of this number.
  class lane {
   public:
    [[nodiscard]] bool insert(std::uint64_t what);  // true: it is new
    [[nodiscard]] bool contains(std::uint64_t what) const;
    void begin(std::uint64_t search);

    std::uint64_t search = 0;
    std::uint32_t steps = 0;
    const void* code = nullptr;  // of the last step
    std::uintptr_t read = 0;     // the last place that it looked at in this search; 0: none
    bool has_met = false;        // others in this search, who may have told it something

   private:
    void grow();
    std::vector<std::uint64_t> slots_;  // open addressing; 0: free
    std::size_t used_ = 0;
  };

  // Searches begin after so much work, and rarely where they have found nothing so far.
  void grid_begins();
  // True: now is the time to begin a search.
  bool work(std::uint64_t units) {
    worked_ += units;
    return !is_searching_ && worked_ >= next_search_;
  }
  // Something suggests that a search would find something.
  [[nodiscard]] bool is_worth_while() const {
    return !is_searching_ && worked_ >= next_search_ / 256;
  }

  void begin(std::size_t lanes);
  [[nodiscard]] bool is_searching() const { return is_searching_; }
  // The lane does something. True: it has filled a window with nothing new, or a part of one more.
  bool step(lane& who, std::uint64_t what);
  // It meets others. A lane that has done nothing yet is not followed yet.
  void meet(lane& who) const { who.has_met = who.has_met || takes_part(who); }
  // Somebody else than lanes may change what lanes see.
  void give_up() { end(); }
  // How often a search has ended because a lane did something new.
  [[nodiscard]] std::uint64_t news() const { return news_; }

  [[nodiscard]] bool repeats(const lane& who) const {
    return takes_part(who) && who.steps >= quarters * quarter_;
  }
  [[nodiscard]] bool takes_part(const lane& who) const { return who.search == search_; }
  [[nodiscard]] std::uint32_t quarter() const { return quarter_; }

 private:
  static constexpr std::uint32_t quarters = 4;
  static constexpr std::uint32_t most_quarters = 256;  // others will not follow any more
  static constexpr std::uint64_t first_search = std::uint64_t{1} << 22;
  // Often enough that a kernel which only reads is seen to get on within its time limit.
  static constexpr std::uint64_t rarest_search = std::uint64_t{1} << 24;
  void end();

  bool is_searching_ = false;
  std::uint64_t search_ = 0;
  std::uint32_t quarter_ = 0;
  std::uint64_t worked_ = 0;  // since the last search
  std::uint64_t next_search_ = first_search;
  std::uint64_t news_ = 0;
};

// Numbers mixed into one, as long as the order counts.
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
