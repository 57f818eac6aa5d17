// Records which basic blocks of the program ran in lanes, and which on the host.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle_host {

// Bits of a block's mark: who ran it.
inline constexpr unsigned char ran_in_lane = 1;
inline constexpr unsigned char ran_on_host = 2;

// The program file or a shared library. In its file of marks, this header is followed by one byte
// for each `bytes_per_mark` bytes of code. Each block starts with a call into the runtime; the byte
// for the return address of that call says who ran the block.
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

// Keeps the marks in files in `folder`, where other runs and copies of this process add theirs.
// Without a folder it keeps them in memory.
void keep_ran_code(const std::string& folder);

// Call this in a copy of the process that only tries something out: the code that it runs from now
// on does not count.
void forget_ran_code();

// The modules whose marks are mapped.
std::vector<const ran_module*> kept_ran_code();

// A code segment as it is mapped in this process.
struct marked_code {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  unsigned char* marks = nullptr;

  // False if the code is not in this segment.
  bool mark(std::uintptr_t code, unsigned char who) const {
#if defined(__aarch64__)
    constexpr unsigned shift = 2;
#else
    constexpr unsigned shift = 0;  // an instruction may begin at any byte
#endif
    const std::uintptr_t offset = code - begin;
    if (__builtin_expect(offset >= bytes, 0)) return false;
    unsigned char& place = marks[offset >> shift];
    if ((__atomic_load_n(&place, __ATOMIC_RELAXED) & who) == 0) {
      __atomic_fetch_or(&place, who, __ATOMIC_RELAXED);
    }
    return true;
  }
};

// The module that the runtime is linked into. It marks nothing before keep_ran_code.
[[gnu::visibility("hidden")]] extern marked_code own_ran_code;
// Marks code of a shared library. Returns false if the library is not known yet.
bool mark_known_library(std::uintptr_t code, unsigned char who);
// Maps marks for the library that holds this code.
void add_library_around(std::uintptr_t code);

}  // namespace heddle_host
