// What a build says while it works.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace heddle::frontend {

// Receives the messages of a build, which prints nothing itself.
struct build_listener {
  std::function<void(const std::string& command)> on_command;  // about to start
  std::function<void(std::string_view text)> on_output;        // the preprocessor's messages
  std::function<void(const std::string& note)> on_note;        // may be worth knowing
  std::function<void(const std::filesystem::path& folder)> on_kept_files;
};

}  // namespace heddle::frontend
