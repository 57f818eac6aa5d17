// Which basic blocks of the program lanes have run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle_checker {

// A file of the program's: itself or a shared library. In a file of its own this is followed by the
// marks: one byte for each `bytes_per_mark` bytes of code. That of a call's return address is not 0
// if a lane has made the call.
struct ran_module {
  std::uint64_t begin;  // of its code, as the linker has placed it
  std::uint64_t bytes;
  std::uint64_t bytes_per_mark;
  char file[4096];

  [[nodiscard]] const unsigned char* marks() const {
    return reinterpret_cast<const unsigned char*>(this) + sizeof(ran_module);
  }
  [[nodiscard]] std::size_t size() const { return sizeof(ran_module) + bytes / bytes_per_mark + 1; }
};

// Keeps the marks in files of that folder, where runs of other schedules and copies of this process
// add theirs; in memory if there is no folder.
void keep_ran_code(const std::string& folder);

// This process is a copy that only tries something out: what it runs does not count.
void forget_ran_code();

// What is in memory.
std::vector<const ran_module*> kept_ran_code();

}  // namespace heddle_checker
