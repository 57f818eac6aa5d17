// The words in which accesses to memory and races between them are told.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle_checker {

enum class direction : std::uint8_t {
  read,  // a failed compare-and-swap is one, too
  write,
  update,  // a read-modify-write
};

// Volatile accesses are relaxed ones at system scope. Those of asynchronous copies are plain, but
// not the lane's.
enum class strength : std::uint8_t { plain, relaxed_volatile, atomic, copied };

// Whose lanes an atomic access or a fence speaks to.
enum class scope : std::uint8_t { block, cluster, device, system };

enum class order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };

// A grid, or something that the host does: what streams and the host bring into an order.
using agent = std::uint32_t;
inline constexpr agent no_agent = ~agent{0};

// What an access that is not plain brings along and takes with it where loads may be late.
struct late_value {
  std::uint64_t held = 0;                 // what memory holds now
  std::optional<std::uint64_t> stored;    // what a store brings, if that is known
  bool takes_newest = false;              // a compare-and-swap that fails
  std::optional<std::uint64_t> promised;  // what a load returns that is stored only later
  bool fulfils_promise = false;           // this store is what an early load has returned
  // Answers: an older value that the load returns; whether that is newer than what the lane had to
  // know; and whether newer stores hide this one, so that memory stays as it is.
  std::optional<std::uint64_t> seen;
  bool is_news = false;
  bool is_overtaken = false;
};

struct side {
  agent of = 0;
  bool is_host = false;
  bool is_copy = false;     // that the thread has asked for
  std::uint64_t block = 0;  // linear index in the grid
  unsigned thread = 0;      // linear index in the block
  const void* code = nullptr;
  direction does = direction::read;
  strength how = strength::plain;
  scope reach = scope::system;  // of an access that is not plain
};

enum class race_cause : std::uint8_t {
  unordered,  // nothing orders the two, and one of them is plain
  scope,      // both are atomic, but one's scope leaves the other's lane out
  size,       // both are atomic, but not on the same bytes
};

// Which of two sides comes first in the text that lanes run between two meetings.
enum class program_order : std::uint8_t { unknown, first_side, second_side };

struct race {
  side first;  // the earlier one in this run
  side second;
  std::uintptr_t address = 0;  // the first byte that both touch and that was found out
  race_cause cause = race_cause::unordered;
  program_order intended = program_order::unknown;
  // If that is unknown: where lanes have been, in their order. A compiler may have made two pieces
  // of code from one line; who knows the lines may know more.
  std::vector<std::vector<const void*>> texts = {};
};

struct counted_race {
  race one;  // the first of its pair of code addresses
  std::uint64_t times = 0;
};

}  // namespace heddle_checker
