// Reads 64-bit ELF files.
#include "report/check/program_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>

namespace heddle_report {
namespace {

std::span<const unsigned char> map_file(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error(path.string() + " cannot be read");
  struct stat about {};
  void* place = MAP_FAILED;
  if (fstat(file, &about) == 0 && about.st_size > 0) {
    place = mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  if (place == MAP_FAILED) throw std::runtime_error(path.string() + " cannot be read");
  return {static_cast<const unsigned char*>(place), static_cast<std::size_t>(about.st_size)};
}

}  // namespace

// Null if the file ends first.
template <typename T>
const T* program_file::table(std::uint64_t offset, std::uint64_t count) const {
  if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(bytes_.data() + offset);
}

program_file::program_file(const std::filesystem::path& path) : bytes_(map_file(path)) {
  const auto* const head = table<Elf64_Ehdr>(0, 1);
  const bool is_known = head != nullptr && std::memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
                        head->e_ident[EI_CLASS] == ELFCLASS64 &&
                        head->e_ident[EI_DATA] == ELFDATA2LSB &&
                        (head->e_machine == EM_AARCH64 || head->e_machine == EM_X86_64);
  if (!is_known) {
    munmap(const_cast<unsigned char*>(bytes_.data()), bytes_.size());
    throw std::runtime_error(path.string() + " is not a program for this kind of machine");
  }
  instructions_ =
      head->e_machine == EM_AARCH64 ? instruction_set::aarch64 : instruction_set::x86_64;
  read_segments();
  read_sections();
}

program_file::~program_file() { munmap(const_cast<unsigned char*>(bytes_.data()), bytes_.size()); }

void program_file::read_segments() {
  const auto& head = *table<Elf64_Ehdr>(0, 1);
  const auto* const segments = table<Elf64_Phdr>(head.e_phoff, head.e_phnum);
  if (segments == nullptr) return;
  for (const Elf64_Phdr& one : std::span(segments, head.e_phnum)) {
    const auto* const first = table<unsigned char>(one.p_offset, one.p_filesz);
    if (one.p_type != PT_LOAD || (one.p_flags & PF_X) == 0 || first == nullptr) continue;
    code_ = {{first, one.p_filesz}, one.p_vaddr};
    return;
  }
}

std::string_view program_file::string_at(std::uint64_t from, std::uint64_t bytes,
                                         std::uint64_t offset) const {
  const auto* const text = table<char>(from, bytes);
  if (text == nullptr || offset >= bytes) return {};
  return {text + offset, strnlen(text + offset, bytes - offset)};
}

void program_file::read_sections() {
  const auto& head = *table<Elf64_Ehdr>(0, 1);
  const auto* const first = table<Elf64_Shdr>(head.e_shoff, head.e_shnum);
  if (first == nullptr) return;
  const std::span sections(first, head.e_shnum);
  const auto name_of = [&](const Elf64_Shdr& symbols, const Elf64_Sym& symbol) {
    if (symbols.sh_link >= sections.size()) return std::string_view();
    const Elf64_Shdr& strings = sections[symbols.sh_link];
    return string_at(strings.sh_offset, strings.sh_size, symbol.st_name);
  };
  const auto symbols_in = [&](const Elf64_Shdr& section) {
    const std::uint64_t count = section.sh_size / sizeof(Elf64_Sym);
    const auto* const symbols = table<Elf64_Sym>(section.sh_offset, count);
    return symbols == nullptr ? std::span<const Elf64_Sym>() : std::span(symbols, count);
  };
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_SYMTAB) {
      for (const Elf64_Sym& symbol : symbols_in(section)) {
        const auto type = ELF64_ST_TYPE(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT)) continue;
        const std::string_view name = name_of(section, symbol);
        symbols_.push_back({symbol.st_value, name});
        if (type != STT_FUNC || symbol.st_size == 0) continue;
        functions_.push_back({symbol.st_value, symbol.st_value + symbol.st_size, name});
      }
    } else if (section.sh_type == SHT_RELA && section.sh_link < sections.size()) {
      const std::uint64_t count = section.sh_size / sizeof(Elf64_Rela);
      const auto* const entries = table<Elf64_Rela>(section.sh_offset, count);
      if (entries == nullptr) continue;
      const Elf64_Shdr& table_of_names = sections[section.sh_link];
      const auto symbols = symbols_in(table_of_names);
      for (const Elf64_Rela& entry : std::span(entries, count)) {
        const std::uint64_t number = ELF64_R_SYM(entry.r_info);
        if (number == 0 || number >= symbols.size()) continue;
        slots_.push_back({entry.r_offset, name_of(table_of_names, symbols[number])});
      }
    }
  }
  std::sort(functions_.begin(), functions_.end(), [](const auto& one, const auto& other) {
    return one.begin != other.begin ? one.begin < other.begin : one.name < other.name;
  });
  const auto last = std::unique(
      functions_.begin(), functions_.end(),
      [](const code_symbol& one, const code_symbol& other) { return one.begin == other.begin; });
  functions_.erase(last, functions_.end());
}

const code_symbol* program_file::function_at(std::uint64_t address) const {
  const auto behind = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](std::uint64_t value, const code_symbol& one) { return value < one.begin; });
  if (behind == functions_.begin() || address >= (behind - 1)->end) return nullptr;
  return &*(behind - 1);
}

std::vector<direct_call> program_file::calls_of(std::string_view name,
                                                const std::vector<direct_call>& all) const {
  constexpr std::uint64_t no_slot = 0;
  std::set<std::uint64_t> addresses, slots;
  for (const named_address& one : symbols_) {
    if (one.name == name) addresses.insert(one.address);
  }
  for (const named_address& one : slots_) {
    if (one.name == name) slots.insert(one.address);
  }
  std::vector<direct_call> calls;
  for (const direct_call& one : all) {
    const bool is_direct = addresses.contains(one.target);
    const bool is_by_stub =
        !slots.empty() &&
        slots.contains(slot_of_stub(code_, one.target, instructions_).value_or(no_slot));
    if (is_direct || is_by_stub) calls.push_back(one);
  }
  return calls;
}

std::string_view program_file::name_of_target(std::uint64_t target) const {
  if (const code_symbol* const own = function_at(target); own != nullptr && own->begin == target) {
    return own->name;
  }
  const auto slot = slot_of_stub(code_, target, instructions_);
  if (!slot) return {};
  const auto found = std::find_if(slots_.begin(), slots_.end(),
                                  [&](const named_address& one) { return one.address == *slot; });
  return found == slots_.end() ? std::string_view() : found->name;
}

std::string_view program_file::section(std::string_view name) const {
  const auto& head = *table<Elf64_Ehdr>(0, 1);
  const auto* const first = table<Elf64_Shdr>(head.e_shoff, head.e_shnum);
  if (first == nullptr || head.e_shstrndx >= head.e_shnum) return {};
  const std::span sections(first, head.e_shnum);
  const Elf64_Shdr& names = sections[head.e_shstrndx];
  for (const Elf64_Shdr& one : sections) {
    if (string_at(names.sh_offset, names.sh_size, one.sh_name) != name) continue;
    const auto* const text = table<char>(one.sh_offset, one.sh_size);
    return text == nullptr ? std::string_view() : std::string_view(text, one.sh_size);
  }
  return {};
}

std::string program_file::text_of(std::string_view symbol) const {
  const auto found = std::find_if(symbols_.begin(), symbols_.end(),
                                  [&](const named_address& one) { return one.name == symbol; });
  const auto& head = *table<Elf64_Ehdr>(0, 1);
  const auto* const segments = table<Elf64_Phdr>(head.e_phoff, head.e_phnum);
  if (found == symbols_.end() || segments == nullptr) return {};
  for (const Elf64_Phdr& one : std::span(segments, head.e_phnum)) {
    if (one.p_type == PT_LOAD && found->address - one.p_vaddr < one.p_filesz) {
      return std::string(string_at(one.p_offset, one.p_filesz, found->address - one.p_vaddr));
    }
  }
  return {};
}

}  // namespace heddle_report
