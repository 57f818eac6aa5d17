// Lets other processes map memory that is already in use.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

namespace heddle_host::memory {

// Where the memory is in a file of this process.
struct place_in_file {
  int file;
  std::uint64_t offset;
};

// The file of this process to which shared memory moves; -1 on failure.
int file_for_sharing();
// Moves the pages that contain [begin, begin + bytes) to the file; their addresses stay the same.
// Nobody may access them during the call.
std::optional<place_in_file> share(void* begin, std::size_t bytes);
// Call it after the addresses have been unmapped.
void stop_sharing(void* begin, std::size_t bytes);

// Maps memory of another process; null on failure. `unmap_shared` undoes it.
void* map_shared(int file, std::uint64_t offset, std::size_t bytes);
void unmap_shared(void* begin, std::size_t bytes);

}  // namespace heddle_host::memory
