// The address range that holds all device memory in a checked run; no address is used twice.
#pragma once
#include <cstddef>
#include <cstdint>

namespace heddle_host {

struct address_range {
  std::uintptr_t begin;
  std::size_t bytes;
  bool contains(std::uintptr_t address) const { return address - begin < bytes; }
};

// The range for the device heap and the blocks' shared memory; reserved at the first call.
address_range checked_arena();

// Takes `bytes` from the arena, with an unused gap before and after. Null if it is exhausted.
void* take_from_arena(std::size_t bytes);
// Where the next allocation will start, or slightly before.
std::uintptr_t next_in_arena();
// Returns the pages to the system; the addresses are never reused.
void leave_to_arena(void* base, std::size_t bytes);

// True while this thread runs a copy or fill that the runtime does for the host.
extern thread_local bool machine_copies;

// Sets the 8-byte pattern that fresh memory is filled with.
void set_poison(std::uint64_t pattern);

}  // namespace heddle_host
