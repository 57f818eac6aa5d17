// Puts local arrays of device code where their bounds are checked; for checked programs.
#pragma once
#include <cstddef>
#include <new>

#include <heddle_host/declaration_place.hpp>

namespace heddle_host {

// For the running lane. Null if no lane runs or memory is exhausted.
void* begin_local_array(std::size_t bytes, std::size_t alignment, const char* name,
                        declaration_place where);
void end_local_array(void* place);

// Holds an array whose type can be named.
template <typename Array>
struct array_slot {
  Array array;
};

// Storage for `Slot`, the struct that holds the array. The array is constructed in it at once and
// destroyed with it.
template <typename Slot>
class local_memory {
 public:
  local_memory(const char* name, declaration_place where)
      : watched_(begin_local_array(sizeof(Slot), alignof(Slot), name, where)) {}
  ~local_memory() {
    static_cast<Slot*>(place())->~Slot();
    if (watched_ != nullptr) end_local_array(watched_);
  }
  local_memory(const local_memory&) = delete;
  local_memory& operator=(const local_memory&) = delete;
  void* place() { return watched_ != nullptr ? watched_ : here_; }

 private:
  void* watched_;
  alignas(Slot) unsigned char here_[sizeof(Slot)];
};

}  // namespace heddle_host
