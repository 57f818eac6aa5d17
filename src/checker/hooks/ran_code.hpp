// Records which basic blocks of the program lanes have run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle_checker {

// The program file or a shared library. In its file of marks, this header is followed by one byte
// for each `bytes_per_mark` bytes of code. The byte for a call's return address is nonzero if a
// lane made the call.
struct ran_module {
  std::uint64_t begin;  // of its code, as the linker placed it
  std::uint64_t bytes;
  std::uint64_t bytes_per_mark;
  char file[4096];

  [[nodiscard]] const unsigned char* marks() const {
    return reinterpret_cast<const unsigned char*>(this) + sizeof(ran_module);
  }
  [[nodiscard]] std::size_t size() const { return sizeof(ran_module) + bytes / bytes_per_mark + 1; }
};

// Keeps the marks in files in `folder`, where runs of other schedules and copies of this process
// add theirs. Without a folder it keeps them in memory.
void keep_ran_code(const std::string& folder);

// This process is a copy that only tries something out, so code it runs does not count.
void forget_ran_code();

// The modules whose marks are mapped.
std::vector<const ran_module*> kept_ran_code();

}  // namespace heddle_checker
