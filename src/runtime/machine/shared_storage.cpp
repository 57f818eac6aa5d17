// Allocates shared memory.
#include "machine/shared_storage.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <heddle_host/arena.hpp>
#include <heddle_host/run_policy.hpp>

#include "machine/shared_layout.hpp"
#include "memory/heap.hpp"

namespace heddle_host {

void shared_storage::aligned_free::operator()(unsigned char* memory) const {
  if (!policy().uses_arena) std::free(memory);  // addresses of the arena are never reused
}

void shared_storage::reserve(std::size_t static_bytes, std::size_t dynamic_bytes) {
  constexpr std::size_t alignment = 1024;  // enough for any bulk copy
  const auto rounded = [](std::size_t bytes) {
    return (bytes / alignment + 1) * alignment;  // at least one unused byte at the end
  };
  static_bytes = rounded(static_bytes);
  dynamic_bytes = rounded(dynamic_bytes);
  if (static_bytes_ >= static_bytes && dynamic_bytes_ >= dynamic_bytes) return;
  static_bytes_ = std::max(static_bytes_, static_bytes);
  dynamic_bytes_ = std::max(dynamic_bytes_, dynamic_bytes);
  const std::size_t bytes = static_bytes_ + dynamic_bytes_;
  void* const memory =
      policy().uses_arena ? take_from_arena(bytes) : std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  memory_.reset(static_cast<unsigned char*>(memory));
}

void shared_storage::poison() { memory::poison(begin(), static_bytes_ + dynamic_bytes_); }

void shared_storage::load_variables() { load_block_variables(variables_, begin(), dynamic()); }
void shared_storage::save_variables() { save_block_variables(variables_); }

}  // namespace heddle_host
