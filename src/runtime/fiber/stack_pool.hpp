// Stacks for fibers: mapped in batches, each stack above a guard page.
#pragma once
#include <cstddef>
#include <vector>

namespace heddle_host {

struct stack {
  std::byte* lowest;  // first usable byte, directly above the guard page
  std::size_t bytes;
};

// The stack that contains `address`, from any pool or of the calling thread. Slow: for sanitizers.
stack stack_around(const void* address);

class stack_pool {
 public:
  explicit stack_pool(std::size_t stack_bytes);
  ~stack_pool();
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  stack take();

  // True if `address` lies in a guard page, that is, a stack has overflowed.
  bool guards(const void* address) const;

 private:
  struct batch {
    std::byte* memory;
    std::size_t bytes;
  };
  void map_batch();

  std::size_t stack_bytes_;
  std::size_t guard_bytes_;
  std::vector<batch> batches_;
  std::vector<stack> free_;
};

}  // namespace heddle_host
