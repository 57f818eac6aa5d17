// The code and the symbols of a program or shared library, read from its file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "report/check/instructions.hpp"

namespace heddle_report {

struct code_symbol {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string_view name;  // mangled
};

class program_file {
 public:
  // Throws std::runtime_error unless the file is 64-bit ELF for a supported processor.
  explicit program_file(const std::filesystem::path& path);
  ~program_file();
  program_file(const program_file&) = delete;
  program_file& operator=(const program_file&) = delete;

  // The executable segment.
  [[nodiscard]] const code_bytes& code() const { return code_; }
  [[nodiscard]] instruction_set instructions() const { return instructions_; }
  // Sorted by address, each range once. Empty if the file is stripped.
  [[nodiscard]] const std::vector<code_symbol>& functions() const { return functions_; }
  // The function at this address; null if there is none.
  [[nodiscard]] const code_symbol* function_at(std::uint64_t address) const;
  // The calls to the function with this name, which may be in another file.
  [[nodiscard]] std::vector<direct_call> calls_of(std::string_view name,
                                                  const std::vector<direct_call>& all) const;
  // The function that a call leads to, which may be in another file; empty if it is unknown.
  [[nodiscard]] std::string_view name_of_target(std::uint64_t target) const;
  // The bytes of a section; empty if there is none of this name.
  [[nodiscard]] std::string_view section(std::string_view name) const;
  // A constant character array; empty if no symbol has this name.
  [[nodiscard]] std::string text_of(std::string_view symbol) const;

 private:
  template <typename T>
  [[nodiscard]] const T* table(std::uint64_t offset, std::uint64_t count) const;
  [[nodiscard]] std::string_view string_at(std::uint64_t table, std::uint64_t bytes,
                                           std::uint64_t offset) const;
  void read_segments();
  void read_sections();

  struct named_address {
    std::uint64_t address;
    std::string_view name;
  };

  std::span<const unsigned char> bytes_;
  instruction_set instructions_ = instruction_set::aarch64;
  code_bytes code_;
  std::vector<code_symbol> functions_;
  std::vector<named_address> symbols_;  // functions and objects of this file
  std::vector<named_address> slots_;    // where the loader writes addresses
};

}  // namespace heddle_report
