// Preprocesses a source file: once for the host and once for the device, where that matters.
#pragma once
#include <filesystem>
#include <string>

#include "frontend/driver/build_listener.hpp"
#include "frontend/driver/command_line.hpp"
#include "frontend/driver/installation.hpp"
#include "frontend/driver/toolchain.hpp"

namespace heddle::frontend {

struct preprocessed {
  std::string text;
  bool has_cccl = false;
};

class preprocessor {
 public:
  preprocessor(const command_line& line, const installation& home, const toolchain& tools,
               const build_listener& listener)
      : line_(line), home_(home), tools_(tools), listener_(listener) {}

  // The text to compile. Leaves the preprocessor's own output in `text_file`, and writes the
  // dependency file if one is wanted, for an object at `final_place`.
  preprocessed run(const input_file& input, const std::filesystem::path& text_file,
                   const std::filesystem::path& final_place) const;

 private:
  // What one pass starts from, and what it gives.
  struct task {
    const input_file& input;
    std::filesystem::path text_file;  // the text is left here
    std::filesystem::path object;     // for the dependency file
    include_folders before_ours;
  };
  struct pass {
    int status = 0;
    std::string text;
    std::string messages;
    std::string dependencies;
  };
  pass run_pass(const task& what, compiled_for target) const;
  // Prints messages and throws if the pass failed.
  void accept(const pass& made, const std::string& earlier_messages) const;
  pass run_device_pass(task& what) const;
  bool mentions_architecture(const input_file& input, const std::string& text) const;
  void refuse_headers(const std::string& messages, const std::string& text) const;

  const command_line& line_;
  const installation& home_;
  const toolchain& tools_;
  const build_listener& listener_;
};

}  // namespace heddle::frontend
