// Shared memory of the running block, for the code that the frontend writes.
#pragma once
#include <cstddef>

#include <heddle_host/declaration_place.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/type_name.hpp>

namespace heddle_host {

// Reserves a place in every block's static shared memory, at the same offset in each, followed by
// `room` unused bytes. `slot_type` is the mangled name of the declaration's struct, which
// identifies its function; lanes read the offset from `kept_at`.
std::size_t reserve_shared(std::size_t bytes, std::size_t room, std::size_t alignment,
                           const char* slot_type, const std::size_t* kept_at,
                           declaration_place declared = {});

// Bytes kept unused after a declaration's variables in a checked program.
#ifdef HEDDLE_CHECKED
inline constexpr std::size_t padding_after_shared = 64;
#else
inline constexpr std::size_t padding_after_shared = 0;
#endif

// Where a shared declaration lies. `Slot` is a local struct that holds the declared variables, so
// each function and each template instantiation has its own place. The symbol's name contains the
// size, from which the frontend computes what a kernel needs.
template <typename Slot, std::size_t bytes = sizeof(Slot)>
struct shared_place {
  static const std::size_t offset;
};
template <typename Slot, std::size_t bytes>
const std::size_t shared_place<Slot, bytes>::offset = reserve_shared(bytes, padding_after_shared,
                                                                     alignof(Slot),
                                                                     type_name<Slot>(), &offset,
                                                                     declaration_of<Slot>(0));

// The read of the offset belongs to the runtime, so a checked program does not instrument it.
template <typename Slot>
#ifdef HEDDLE_CHECKED
[[gnu::no_sanitize_thread]]
#endif
inline Slot&
shared_slot() {
  return *reinterpret_cast<Slot*>(lane_now.shared + shared_place<Slot>::offset);
}

// The memory whose size the launch gave, as an `Array` (an array of unknown bound).
template <typename Array>
inline Array& dynamic_shared() {
  return *reinterpret_cast<Array*>(lane_now.dynamic_shared);
}

// Replaces a shared variable in constant expressions such as `std::size(s)`, where only its type
// matters. It is never constructed or read.
template <typename Slot>
union slot_shape {
  constexpr slot_shape() : none() {}
  ~slot_shape() {}
  char none;
  Slot variables;
};
template <typename Slot>
inline slot_shape<Slot> shape_of;

// Stands in for a shared variable until a block has been entered.
template <typename Slot>
Slot& slot_outside_blocks() {
  alignas(Slot) static unsigned char bytes[sizeof(Slot)];
  return *reinterpret_cast<Slot*>(bytes);
}

// A shared variable at namespace scope. It lives in thread-local memory, which is swapped when the
// thread switches to another block.
class block_variable {
 public:
  block_variable(void* (*address)(), std::size_t bytes);
};

// The same in a checked program, where the variable lies in the block's shared memory like any
// other. `Home` is a struct with only a reference to it, which is set when a block is entered.
class block_home {
 public:
  template <typename Home, typename Slot, typename Member>
  block_home(Home& home, Member Slot::*which) {
    static_assert(sizeof(Home) == sizeof(void*));
    add(&home, &shared_place<Slot>::offset,
        static_cast<std::size_t>(
            reinterpret_cast<const volatile char*>(&(slot_outside_blocks<Slot>().*which)) -
            reinterpret_cast<const volatile char*>(&slot_outside_blocks<Slot>())));
  }

 private:
  static void add(void* home, const std::size_t* offset_of_slot, std::size_t offset_in_slot);
};

// An `extern __shared__` array at namespace scope: a thread-local pointer that is set for each
// block.
class dynamic_shared_pointer {
 public:
  explicit dynamic_shared_pointer(void (*set)(void* base));
};

}  // namespace heddle_host
