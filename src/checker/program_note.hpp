// The ELF note by which a checked program is known.
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
inline constexpr std::uint32_t note_type = 1;  // of heddle's notes: a checked program
// Of what the program reads from HEDDLE_CHECK and writes to its findings file. One more whenever a
// program that was built before could not be understood any more.
inline constexpr std::uint32_t note_version = 2;

}  // namespace heddle_checker
