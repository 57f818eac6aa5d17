// Where all memory of the device lies in a checked run: one range of addresses, none used twice.
#pragma once
#include <cstddef>
#include <cstdint>

namespace heddle_host {

struct address_range {
  std::uintptr_t begin;
  std::size_t bytes;
  bool contains(std::uintptr_t address) const { return address - begin < bytes; }
};

// The range for the device's heap and the blocks' shared memory, reserved at the first call.
address_range checked_arena();

// Takes `bytes` of it, with room before and behind that nobody gets. Null: it is exhausted.
void* take_from_arena(std::size_t bytes);
// Where the next will lie, or a little before.
std::uintptr_t next_in_arena();
// Gives the pages back; the addresses stay taken.
void leave_to_arena(void* base, std::size_t bytes);

// True while the machine itself copies or fills for the host, on this thread.
extern thread_local bool machine_copies;

// What fresh memory is filled with; the same 8 bytes again and again.
void set_poison(std::uint64_t pattern);

}  // namespace heddle_host
