// Memory that ends where an access faults.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

class bounded_ints {
 public:
  explicit bounded_ints(std::size_t count) : page_(static_cast<std::size_t>(getpagesize())) {
    memory_ = static_cast<char*>(
        mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory_ + page_, page_, PROT_NONE);
    first_ = reinterpret_cast<int*>(memory_ + page_) - count;
  }
  ~bounded_ints() { munmap(memory_, 2 * page_); }
  bounded_ints(const bounded_ints&) = delete;
  int* get() const { return first_; }

 private:
  std::size_t page_;
  char* memory_;
  int* first_;
};
