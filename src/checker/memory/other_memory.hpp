// Classifies memory outside the arena: the runtime's, a lane's own, a variable's or the host's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <heddle_host/arena.hpp>

namespace heddle_checker {

enum class memory_place : unsigned char {
  of_thread,    // thread-local: runtime state and shared variables of namespaces
  of_stack,     // of the calling lane
  of_variable,  // static storage: __device__, __constant__ and __managed__ variables
  elsewhere,
};

class other_memory {
 public:
  other_memory() { look(); }
  [[nodiscard]] static bool is_of_thread(std::uintptr_t address) {
    if (__builtin_expect(of_thread_.bytes == 0, 0)) look_at_thread();
    return of_thread_.contains(address);
  }
  // The same, but false until is_of_thread() has run on this thread. Mostly asked about threadIdx.
  [[nodiscard]] static bool is_known_of_thread(std::uintptr_t address) {
    return of_thread_.contains(address);
  }
  // Near the caller's frame.
  [[nodiscard, gnu::always_inline]] static bool is_of_stack(std::uintptr_t address) {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    return address - here + reach_of_stack < 2 * reach_of_stack;
  }
  [[nodiscard]] memory_place place_of(std::uintptr_t address) const {
    if (is_of_thread(address)) return memory_place::of_thread;
    if (is_of_stack(address)) return memory_place::of_stack;
    for (const heddle_host::address_range& range : variables_) {
      if (range.contains(address)) return memory_place::of_variable;
    }
    return memory_place::elsewhere;
  }

 private:
  static constexpr std::uintptr_t reach_of_stack = 64 * 1024;
  void look();
  static void look_at_thread();
  static __thread heddle_host::address_range of_thread_;
  std::vector<heddle_host::address_range> variables_;  // the writable and constant data of modules
};

}  // namespace heddle_checker
