// Whole files as text.
#pragma once
#include <filesystem>
#include <string>

namespace heddle::frontend {

std::string read_file(const std::filesystem::path& path);  // empty if it cannot be read
void write_file(const std::filesystem::path& path, const std::string& text);  // throws build_error

}  // namespace heddle::frontend
