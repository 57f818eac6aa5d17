// Lets several processes write one file in parts, completely or not at all.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace heddle::cloud {

// Creates an empty file next to `path` (in the folder for temporary files if that is a device or a
// pipe) and returns its name, which the others write to. One process calls this, and at the end
// either finish_parts or drop_parts.
//   throws   files::write_error, as do the others
[[nodiscard]] std::string begin_parts(const std::filesystem::path& path);

// Writes the bytes of one part at their place in the file `name`; errors name `path`. Any process
// may call this at any time between the other calls.
void write_part(const std::string& name, const std::filesystem::path& path, std::uint64_t begin,
                std::string_view bytes);

// Renames the file to `path`, replacing any old one, or copies it to a device or a pipe.
void finish_parts(const std::string& name, const std::filesystem::path& path);

// Removes the file.
void drop_parts(const std::string& name) noexcept;

}  // namespace heddle::cloud
