// Writes output files without damaging what is already there.
#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle::files {

// One sentence that names the file and gives the system's reason.
class write_error : public std::runtime_error {
 public:
  write_error(const std::filesystem::path& path, int code);
  write_error(const std::filesystem::path& path, const std::string& reason);
};

// Writes all bytes to `path`.
//   `-`, /dev/stdout, /dev/fd/3    the open descriptor
//   a device, a pipe               written to, never replaced; block devices are refused
//   a symbolic link                stays; the rules apply to its target
//   a file, or nothing             replaced by a rename at the end, so readers see either the old
//                                  or the new bytes; permissions of an old file are kept
//   another user's file, or a file in a folder that cannot be written
//                                  overwritten in place, so that its owner stays
//   throws   write_error
void write(const std::filesystem::path& path, std::string_view bytes);

// Copies a finished file to `path` by the same rules; a program stays executable.
void deliver(const std::filesystem::path& finished, const std::filesystem::path& path);

// Throws if write() is bound to fail. Call it before long work; it changes nothing.
void expect_writable(const std::filesystem::path& path);

// True for `-`, /dev/stdout and links to it. A command that writes an output there must print
// nothing else to it.
[[nodiscard]] bool is_standard_output(const std::filesystem::path& path);

// True for open descriptors, devices and pipes: they are written to, never replaced.
[[nodiscard]] bool is_stream(const std::filesystem::path& path);

// The target of the symbolic links of `path`; it need not exist yet.
[[nodiscard]] std::filesystem::path end_of_links(std::filesystem::path path);

// Creates an empty, hidden file with an unused name next to `place`, and returns that name.
//   throws   write_error
[[nodiscard]] std::string make_draft(const std::filesystem::path& place);

// Turns a draft, which other processes may have written, into the output `path`. Removes the draft.
void finish_draft(const std::string& draft, const std::filesystem::path& path);

}  // namespace heddle::files
