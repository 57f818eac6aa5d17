// What one checked run has left behind, read back from the lines of its file.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "checker/coverage.hpp"
#include "report/exploration.hpp"

namespace heddle_report {

struct source_place {
  std::string file;  // empty: not known
  int line = 0;
  std::string source;  // the text of that line
};

struct found_place {
  source_place at;
  // calls, reads, writes, updates, waits, spins, runs, exits, copies, fills, launches
  std::string role;
  std::array<unsigned, 3> block{};
  std::array<unsigned, 3> thread{};
  unsigned warp = 0;
  unsigned lane = 0;
  std::uint32_t mask = 0;  // of a warp operation
  std::string kernel;
  bool is_on_host = false;
  bool is_in_stream = false;  // done there, as the host has asked: a copy, a fill, a host function
  bool overwrites = false;    // of a copy: the memory in question is where it goes
  bool is_copy = false;       // an asynchronous copy that the lane has asked for
};

struct found_memory {
  std::string variable;
  bool is_shared = false;
  std::int64_t offset = 0;
  std::uint64_t access_bytes = 0;
  std::uint64_t bytes = 0;  // 0: no allocation is near
  source_place allocated;   // or where the variable is declared
  bool is_declared = false;
  source_place freed;
};

struct found {
  std::string id;  // in its run; empty: none
  std::string kind;
  std::string kernel;
  std::string detail;
  std::uint64_t count = 1;
  std::vector<found_place> places;
  std::optional<found_memory> memory;
  std::string interleaving;   // the first that showed it, in an exploration
  std::size_t number = 0;     // there
  bool is_candidate = false;  // a defect only if the run depends on the poison
};

struct run_record {
  std::vector<found> findings;
  std::uint64_t digest = 0;  // of all that lanes have touched
  bool is_complete = false;  // the program came to its end and said so
  std::string stopped;       // why the program could not go on; empty: it could
  bool was_ended = false;    // by a signal, and has said what was found so far
  std::string unfinished;    // the kernel that was stopped because it got nowhere; empty: none
  heddle_checker::coverage covered;
  std::optional<exploration> explored;
};

// One finding, as a checked program writes it.
found read_finding(const nlohmann::json& from);

// Lines that are no JSON are passed over: a program that is killed may leave half of one.
run_record read_run_record(const std::filesystem::path& file);

nlohmann::json to_json(const found& what);

}  // namespace heddle_report
