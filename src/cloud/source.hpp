// The input of the readers: the bytes of a file, and how to report errors in them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cloud/read.hpp"

namespace heddle::cloud {

struct source {
  std::string path;
  std::string_view bytes;
  progress_listener on_progress;
  file_part part;

  // Of `count` points or bytes, the index where the part begins and the index where it ends.
  [[nodiscard]] std::uint64_t begin_of_part(std::uint64_t count) const {
    return share(count, part.number);
  }
  [[nodiscard]] std::uint64_t end_of_part(std::uint64_t count) const {
    return share(count, part.number + 1);
  }
  // Throws error if only a part is wanted, since parts of such a file cannot be found.
  void expect_whole(std::string_view why) const {
    if (part.of > 1)
      fail("no part of it can be read by itself, since " + std::string(why) +
           "; as binary PCD, which `heddle cluster … -o FILE.pcd` writes, it can");
  }

  [[noreturn]] void fail(const std::string& sentence) const { throw error(path, sentence); }
  [[noreturn]] void fail_at_byte(std::size_t byte, const std::string& sentence) const {
    throw error::at_byte(path, byte, sentence);
  }
  [[noreturn]] void fail_at_line(std::size_t line, const std::string& sentence) const {
    throw error::at_line(path, line, sentence);
  }

  // Throws error unless `count` records of `size` bytes fit after `begin`.
  void need(std::size_t begin, std::uint64_t count, std::uint64_t size,
            std::string_view what) const;

  // Split this way to avoid overflow.
  [[nodiscard]] std::uint64_t share(std::uint64_t count, std::uint64_t parts) const {
    return count / part.of * parts + count % part.of * parts / part.of;
  }

  // To be called now and then with the reader's position.
  void report_progress(std::size_t byte) const {
    if (on_progress && !bytes.empty())
      on_progress("parsing", static_cast<double>(byte) / static_cast<double>(bytes.size()));
  }
};

// A word of an untrusted file, shortened and without control characters, for error messages.
[[nodiscard]] std::string shown(std::string_view word);

// The readers, one for each format.
[[nodiscard]] cloud read_pcd(const source& file);
[[nodiscard]] cloud read_ply(const source& file);
[[nodiscard]] cloud read_las(const source& file);
[[nodiscard]] cloud read_npy(const source& file);
[[nodiscard]] cloud read_kitti(const source& file);
[[nodiscard]] cloud read_text(const source& file);

}  // namespace heddle::cloud
