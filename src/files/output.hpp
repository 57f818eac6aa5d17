// Where an output option leads, and how bytes get there without harm to what is there already.
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
//   a symbolic link                stays; this is about what it leads to
//   a file, or nothing             a new file takes the name at the end, so that readers see the
//   old
//                                  bytes or the new ones; permissions of an old file are kept
//   another user's file, or a file in a folder that cannot be written
//                                  overwritten in place, so that its owner stays
//   throws   write_error
void write(const std::filesystem::path& path, std::string_view bytes);

// Copies a finished file to where an output option leads, by the same rules; a program stays one.
void deliver(const std::filesystem::path& finished, const std::filesystem::path& path);

// Throws if write() is bound to fail, for a check before long work. Changes nothing.
void expect_writable(const std::filesystem::path& path);

// True for `-`, /dev/stdout and links to it. A command that writes an output there prints nothing
// else to it.
[[nodiscard]] bool is_standard_output(const std::filesystem::path& path);

// True for open descriptors, devices and pipes: they are written to, never replaced.
[[nodiscard]] bool is_stream(const std::filesystem::path& path);

// Where the symbolic links of `path` lead; there may be nothing yet.
[[nodiscard]] std::filesystem::path end_of_links(std::filesystem::path path);

// Makes an empty file beside `place`, hidden, with a name that is free, and returns that name.
//   throws   write_error
[[nodiscard]] std::string make_draft(const std::filesystem::path& place);

// Makes a draft, which other processes may have written, the output `path`. The draft is gone then.
void finish_draft(const std::string& draft, const std::filesystem::path& path);

}  // namespace heddle::files
