// Preprocesses a source file: once for the host and once for the device, where that matters.
#pragma once
#include <filesystem>
#include <string>

#include "frontend/driver/build_listener.hpp"
#include "frontend/driver/command_line.hpp"
#include "frontend/driver/installation.hpp"
#include "frontend/driver/toolchain.hpp"

namespace heddle::frontend {

class preprocessor {
 public:
  preprocessor(const command_line& line, const installation& home, const toolchain& tools,
               const build_listener& listener)
      : line_(line), home_(home), tools_(tools), listener_(listener) {}

  // The text to compile. Leaves the preprocessor's own output in `text_file`, and writes the
  // dependency file if one is wanted, for an object at `final_place`.
  std::string run(const input_file& input, const std::filesystem::path& text_file,
                  const std::filesystem::path& final_place) const;

 private:
  // One pass; its text is also left in the file. `earlier_messages` are not repeated.
  struct pass {
    std::string text;
    std::string messages;
    std::string dependencies;
  };
  pass run_pass(const input_file& input, compiled_for target, const std::filesystem::path& text_file,
                const std::filesystem::path& object, const std::string& earlier_messages) const;
  bool mentions_architecture(const input_file& input, const std::string& text) const;
  void refuse_headers(const std::string& messages, const std::string& text) const;

  const command_line& line_;
  const installation& home_;
  const toolchain& tools_;
  const build_listener& listener_;
};

}  // namespace heddle::frontend
