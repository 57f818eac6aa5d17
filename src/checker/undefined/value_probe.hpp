// Finds out whether an uncertain value matters: runs the rest of the grid again with other bytes in
// its place, and compares the results.
#pragma once
#include <sys/types.h>

#include <bitset>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <heddle_host/finding.hpp>

#include "checker/undefined/written_words.hpp"

namespace heddle_checker {

// Just before a lane gets an undefined value, the process forks a copy of itself, a reserve, which
// waits. At the end of the grid the program sends the reserve a record of what it has done since.
// The reserve forks once for each poison. That copy continues from the load, with the poison as its
// value. It reports whether lanes made other accesses, printed something else or left something
// else in memory. The copies run no host code, so that nothing outside the grid differs.
//
// A site is the instruction that gets the value. In a copy, only the values of one site differ.
class value_probe {
 public:
  // Bytes that hold an undefined value after the grid just as it was loaded: copied, not used.
  struct copied_word {
    std::uintptr_t address;
    std::uint8_t bytes;  // one bit for each
    auto operator<=>(const copied_word&) const = default;
  };
  struct verdict {
    heddle_host::finding about;
    bool matters = false;
    std::vector<copied_word> copies;  // if it does not matter
  };
  // Which bytes of a word outlive the grid, one bit for each.
  using visible_bytes = std::function<std::uint8_t(std::uintptr_t word)>;

  // Whether to ask about the site in this grid.
  [[nodiscard]] bool is_open(const void* site) const;
  // The running lane is about to get a value at the site. `copies_matter`: a value that is only
  // stored counts as used. Returns in the program, and in each copy that continues with a poison.
  void ask(const void* site, bool copies_matter, heddle_host::finding about);
  // The same for one other value, which only this load gets, through value_at(). Only what the grid
  // leaves in memory and prints counts, not how it got there.
  void ask_for_result(const void* site, std::uint64_t other, heddle_host::finding about);

  // Another lane reaches the site in the same grid.
  void count(const void* site);

  // Whether this is a copy that continues with a poison.
  [[nodiscard]] bool is_rerun() const { return is_rerun_; }
  // In such a copy, before a load at the site: sets a byte that nobody has written to the value
  // that the load is to return. At other sites it restores the byte.
  void prepare_byte(const void* site, std::uintptr_t address);
  // In such a copy: the value that the lane gets at the site in place of `usual`.
  [[nodiscard]] std::uint64_t value_at(const void* site, std::uint64_t usual) const {
    return replaces(site) ? poison_ : usual;
  }

  // True from the first question in a grid to the grid's end.
  [[nodiscard]] bool follows() const { return follows_; }
  // A lane is about to access memory that outlives it.
  void follow(std::uint64_t lane, std::uintptr_t address, std::size_t bytes, bool writes,
              const void* code);
  // A lane prints.
  void follow_text(std::uint64_t lane, const char* text, std::size_t bytes);

  // Does not return in a copy.
  std::vector<verdict> end_grid(int error, const visible_bytes& visible);
  // Ends a copy: the grid did something that the program did not do.
  [[noreturn]] void differ() const;

 private:
  struct reserve {
    const void* site;
    heddle_host::finding about;
    int line;
    pid_t process;
    std::vector<std::uint64_t> values;  // tried in place of the usual one
  };
  // What a grid has done since the first question.
  struct effects {
    std::uint64_t steps = 0;
    std::uint64_t path = 0;   // accesses and texts; their order does not matter
    std::uint64_t texts = 0;  // printed
    std::int64_t error = 0;
  };
  struct answer {
    bool differs;
    std::uint64_t copies;  // the number of words that follow
  };

  [[nodiscard]] bool replaces(const void* site) const;
  [[nodiscard]] bool is_copied(std::uint8_t in_program, std::uint8_t here) const;
  void add_step(std::uint64_t hash);
  void make_reserve(const void* site, heddle_host::finding about,
                    std::vector<std::uint64_t> values);
  void wait_in_reserve();
  void send_effects(int line, const visible_bytes& visible) const;
  void receive_effects();
  verdict judge(reserve& one) const;
  static answer try_poison(int line, std::uint64_t poison, std::vector<copied_word>& copies);
  void restore_bytes();
  [[noreturn]] void compare(const visible_bytes& visible) const;

  bool follows_ = false;
  effects done_;
  written_words written_;
  std::vector<reserve> reserves_;
  std::map<const void*, unsigned> tries_;  // by site; a settled site has used up all its tries

  // In a reserve and its copies.
  bool is_rerun_ = false;
  const void* site_ = nullptr;
  bool copies_matter_ = false;
  bool path_matters_ = true;
  std::uint64_t poison_ = 0;
  std::map<std::uintptr_t, std::uint8_t> replaced_;  // unwritten bytes and their values
  std::bitset<256> undefined_;                       // the set of those values
  effects expected_;
  written_words::pages expected_words_;
  int line_ = -1;
};

}  // namespace heddle_checker
