// Looks for the ELF note that the checker adds to every program it is linked into.
#include "cli/check/checked_program.hpp"

#include <elf.h>
#include <checker/program_note.hpp>
#include <frontend/driver/build_error.hpp>

#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

namespace heddle::cli {
namespace {

using frontend::build_error;

template <typename T>
bool read_at(std::ifstream& file, std::uint64_t offset, T* into, std::size_t count = 1) {
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(sizeof(T) * count));
  return file.good();
}

// The version in our note, if it is among these.
std::optional<std::uint32_t> version_in(const std::vector<char>& notes) {
  const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr header;
    std::memcpy(&header, &notes[at], sizeof header);
    const std::size_t name = at + sizeof header;
    const std::size_t description = name + padded(header.n_namesz);
    const std::size_t end = description + padded(header.n_descsz);
    if (end > notes.size()) return std::nullopt;
    std::uint32_t version = 0;
    if (header.n_type == heddle_checker::note_type && header.n_descsz == sizeof version &&
        header.n_namesz == sizeof heddle_checker::note_name &&
        std::memcmp(&notes[name], heddle_checker::note_name, header.n_namesz) == 0) {
      std::memcpy(&version, &notes[description], sizeof version);
      return version;
    }
    at = end;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> version_of(const std::string& program) {
  constexpr std::uint64_t most_bytes_of_notes = 1 << 20;
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr header;
  if (!read_at(file, 0, &header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return std::nullopt;
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + i * sizeof segment, &segment)) return std::nullopt;
    if (segment.p_type != PT_NOTE || segment.p_filesz > most_bytes_of_notes) continue;
    std::vector<char> notes(segment.p_filesz);
    if (!read_at(file, segment.p_offset, notes.data(), notes.size())) return std::nullopt;
    if (const auto version = version_in(notes)) return version;
  }
  return std::nullopt;
}

}  // namespace

void expect_checked_program(const std::string& file) {
  const auto version = version_of(file);
  if (!version) {
    throw build_error(file + " is not a checked program; build it with `heddle cc --check`");
  }
  if (*version != heddle_checker::note_version) {
    throw build_error(file +
                      " was built by another version of heddle; build it again with "
                      "`heddle cc --check`");
  }
}

}  // namespace heddle::cli
