// The types that describe memory accesses and the races between them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle_checker {

enum class direction : std::uint8_t {
  read,  // also a failed compare-and-swap
  write,
  update,  // a read-modify-write
};

// Volatile accesses are relaxed at system scope. `copied` is a plain access by an asynchronous
// copy, not by the lane that issued it.
enum class strength : std::uint8_t { plain, relaxed_volatile, atomic, copied };

// Which lanes an atomic access or a fence can synchronise with.
enum class scope : std::uint8_t { block, cluster, device, system };

enum class order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };

// A grid or a host action: the unit that streams, events and host waits order.
using agent = std::uint32_t;
inline constexpr agent no_agent = ~agent{0};

// Input and output of a strong access when loads may return older or promised stores.
struct late_value {
  std::uint64_t held = 0;                 // what memory holds now
  std::optional<std::uint64_t> stored;    // what a store writes, if known
  bool takes_newest = false;              // a failed compare-and-swap
  std::optional<std::uint64_t> promised;  // what a load returns before it is stored
  bool fulfils_promise = false;           // an early load has returned this store
  // Output: an older value that the load returns; whether that is newer than the oldest value
  // allowed; and whether this store precedes others in coherence order, so that memory keeps its
  // value.
  std::optional<std::uint64_t> seen;
  bool is_news = false;
  bool is_overtaken = false;
};

struct side {
  agent of = 0;
  bool is_host = false;
  bool is_copy = false;     // an asynchronous copy issued by the thread
  std::uint64_t block = 0;  // linear index in the grid
  unsigned thread = 0;      // linear index in the block
  const void* code = nullptr;
  direction does = direction::read;
  strength how = strength::plain;
  scope reach = scope::system;  // of an access that is not plain
};

enum class race_cause : std::uint8_t {
  unordered,  // nothing orders the two, and at least one is plain
  scope,      // both are atomic, but one's scope excludes the other's lane
  size,       // both are atomic, but not on the same bytes
};

// Which of two sides comes first in the code that lanes run between two synchronisations.
enum class program_order : std::uint8_t { unknown, first_side, second_side };

struct race {
  side first;  // the earlier one in this run
  side second;
  std::uintptr_t address = 0;  // the first byte of the overlap at which the race was found
  race_cause cause = race_cause::unordered;
  program_order intended = program_order::unknown;
  // If `intended` is unknown: the code addresses that lanes have visited, in order. The compiler
  // may have split one line into several pieces of code, so a caller that knows the lines may still
  // find the order.
  std::vector<std::vector<const void*>> texts = {};
};

struct counted_race {
  race one;  // the first of its pair of code addresses
  std::uint64_t times = 0;
};

}  // namespace heddle_checker
