// A finding with source lines instead of code addresses, as reports use it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <heddle_host/finding_cause.hpp>
#include <heddle_host/finding_fact.hpp>

namespace heddle_report {

using heddle_host::finding_cause;
using heddle_host::finding_fact;
using heddle_host::finding_kind;

struct source_place {
  std::string file;  // empty: unknown
  int line = 0;
  std::string source;  // the text of the line
  int column = 0;      // in `source`, from 1; 0: unknown
};

// A call inside a library, between the user's line and the operation itself.
struct found_frame {
  std::string function;
  source_place at;
};

struct found_place {
  source_place at;
  std::vector<found_frame> frames = {};  // in the library that `at` calls, outermost first
  // calls, reads, writes, updates, waits, spins, runs, exits, copies, fills, launches, allocates
  std::string role;
  std::array<unsigned, 3> block{};
  std::array<unsigned, 3> thread{};
  unsigned warp = 0;
  unsigned lane = 0;
  std::uint32_t mask = 0;  // of a warp operation
  std::string kernel;
  bool is_on_host = false;
  bool is_in_stream = false;  // stream work that the host enqueued: a copy, a fill, a host function
  bool overwrites = false;    // for a copy: the memory in question is its destination
  bool is_copy = false;       // an asynchronous copy that the lane started
};

struct found_memory {
  std::string variable;
  bool is_shared = false;
  std::int64_t offset = 0;
  std::uint64_t access_bytes = 0;
  std::uint64_t bytes = 0;  // 0: no allocation nearby
  source_place allocated;   // or where the variable is declared
  bool is_declared = false;
  source_place freed;
};

struct found {
  std::string id;  // unique within its run; empty: none
  finding_kind kind = finding_kind::race;
  finding_cause cause = finding_cause::none;
  finding_fact fact;
  std::string kernel;
  std::uint64_t count = 1;
  std::vector<found_place> places;
  std::optional<found_memory> memory;
  bool is_candidate = false;  // a defect only if the run depends on it
  std::string interleaving;   // in an exploration: the first to show it
  std::size_t number = 0;     // in an exploration: index into exploration::findings
};

// The finding's fact of this type; null if it has none.
template <typename Fact>
const Fact* fact_of(const found& what) {
  return std::get_if<Fact>(&what.fact);
}

}  // namespace heddle_report
