// The C++ compiler that builds programs, and the flags it gets.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "frontend/driver/command_line.hpp"
#include "frontend/driver/installation.hpp"

namespace heddle::frontend {

// Only the device sees `__CUDA_ARCH__`.
enum class compiled_for { host, device };

using include_folders = std::vector<std::filesystem::path>;

class toolchain {
 public:
  // Chooses the compiler: -ccbin, else $HEDDLE_CXX, else g++, else clang++.
  toolchain(const command_line& line, const installation& home);

  // What a cached object depends on besides its text: the compiler and its version.
  const std::string& identity() const { return identity_; }

  std::vector<std::string> preprocess_command(const input_file& input, compiled_for target,
                                              const include_folders& before_ours = {}) const;
  // Compiles preprocessed text, whatever the file is called.
  std::vector<std::string> compile_text_command(const std::string& text_file,
                                                const std::string& object, bool has_cccl) const;
  // Makes a precompiled header of preprocessed text; nullopt if the compiler has none of g++'s
  // kind.
  std::optional<std::vector<std::string>> precompile_command(const std::string& text_file,
                                                             const std::string& header,
                                                             bool has_cccl) const;
  // Compiles a file that needs no rewriting.
  std::vector<std::string> compile_file_command(const input_file& input,
                                                const std::string& object) const;
  // How clangd parses the file: CUDA by clang's own rules (heddle_clangd.h), all else as compiled.
  std::vector<std::string> clangd_command(const input_file& input, const std::string& object) const;
  std::vector<std::string> empty_object_command(const std::string& object) const;
  // `words` are objects, libraries and linker options in the user's order.
  std::vector<std::string> link_command(const std::vector<std::string>& words,
                                        const std::string& program) const;

 private:
  std::vector<std::string> code_flags(language kind) const;
  std::vector<std::string> text_flags(bool has_cccl) const;
  std::vector<std::string> include_flags(language kind, const include_folders& before_ours) const;
  std::vector<std::string> checking_flags() const;
  std::vector<std::string> profiling_flags() const;

  const command_line& line_;
  const installation& home_;
  std::vector<std::string> compiler_;
  std::string identity_;
  bool is_clang_;
  bool is_x86_gcc_ = false;
};

}  // namespace heddle::frontend
