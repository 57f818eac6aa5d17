// A file that several processes write, each its part, whole or not at all.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace heddle::cloud {

// Makes an empty file beside the one that is wanted and returns its name, which is for others to
// write to; for a device or a pipe it is in the folder for temporary files. One process calls this,
// and in the end either finish_parts or drop_parts.
//   throws   files::write_error, as the others do
[[nodiscard]] std::string begin_parts(const std::filesystem::path& path);

// Writes the bytes of one part to their place in the file of that name; `path` is how errors call
// it. Any process, at any time between the other calls.
void write_part(const std::string& name, const std::filesystem::path& path, std::uint64_t begin,
                std::string_view bytes);

// Gives the file its own name, in place of what had it before, or copies it to a device or a pipe.
void finish_parts(const std::string& name, const std::filesystem::path& path);

// Removes it.
void drop_parts(const std::string& name) noexcept;

}  // namespace heddle::cloud
