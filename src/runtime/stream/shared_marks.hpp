// The marks of an event that several processes record and wait for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

namespace heddle_host::stream {

// The marks are numbered from 1. The content lies in a file without a name, which another process
// can open and map.
class shared_marks {
 public:
  static const std::size_t file_bytes;
  // Takes a new file of this size; null if it cannot be mapped.
  static std::shared_ptr<shared_marks> create(int file);
  // Duplicates the file; null if it is of another kind.
  static std::shared_ptr<shared_marks> open(int file);
  ~shared_marks();
  shared_marks(const shared_marks&) = delete;
  shared_marks& operator=(const shared_marks&) = delete;

  int file() const { return file_; }

  // Adds a mark, which is now the last one, and returns its number.
  std::uint64_t add();
  std::uint64_t last() const;  // 0 if there is none
  // The work before the mark has run.
  void pass(std::uint64_t number);
  // If 64 or more marks are recorded and not passed, the first of them may count as passed too
  // early.
  bool is_passed(std::uint64_t number) const;
  void wait_for(std::uint64_t number) const;

 private:
  struct content;
  shared_marks(int file, content& mapped) : file_(file), shared_(mapped) {}

  const int file_;
  content& shared_;
};

}  // namespace heddle_host::stream
