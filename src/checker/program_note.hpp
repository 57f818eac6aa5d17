// The ELF note that identifies a checked program.
#pragma once
#include <elf.h>

#include <cstdint>

namespace heddle_checker {

struct program_note {
  Elf64_Nhdr header;
  char name[8];
  std::uint32_t version;
};

inline constexpr char note_name[8] = "heddle";
inline constexpr std::uint32_t note_type = 1;  // among heddle's notes: a checked program
// Version of what the program reads from HEDDLE_CHECK and writes to its findings file. Increment it
// when programs built earlier can no longer be understood.
inline constexpr std::uint32_t note_version = 2;

}  // namespace heddle_checker
