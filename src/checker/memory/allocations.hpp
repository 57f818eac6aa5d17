// Every allocation that the program has made, including freed ones.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <heddle_host/observer.hpp>

namespace heddle_checker {

struct allocation {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  heddle_host::memory_kind kind{};
  bool is_shared_memory = false;
  bool is_freed = false;
  bool is_of_device_heap = false;           // by malloc or new in a lane
  std::string name;                         // of a shared variable; else empty
  std::vector<const void*> made;            // the host calls that made it, innermost first
  std::vector<const void*> freed;           // the host calls that freed it
  heddle_host::declaration_place declared;  // of a variable
  std::vector<std::size_t> extents;         // of an array, outermost first, as far as known
};

// An index outside its array, whose type is `T [extents[0]][extents[1]]…`.
struct array_index {
  std::ptrdiff_t index = 0;
  std::vector<std::size_t> extents;
};

// Whether the allocation is or contains such an array, and the address is in the element that the
// index names.
bool is_left_by(const allocation& one, const array_index& how, std::uintptr_t address);

class allocations {
 public:
  allocation& add(allocation what);
  void remove(std::uintptr_t begin);            // forgets a block's shared memory for good
  allocation* find(std::uintptr_t address);     // the one that holds the address, even if freed
  allocation* nearest(std::uintptr_t address);  // that holds it or is next to it; null: far away
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const auto& [begin, one] : by_begin_) visit(one);
  }

 private:
  std::map<std::uintptr_t, allocation> by_begin_;
};

}  // namespace heddle_checker
