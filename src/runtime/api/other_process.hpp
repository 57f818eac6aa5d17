// What handles for other processes contain, and how those processes open them.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include <driver_types.h>

namespace heddle_host::api {

// A file descriptor of the process that made the handle.
struct file_of_process {
  std::int32_t process;
  std::int32_t file;

  // A new descriptor of this process, which the caller closes; -1 on failure. Both processes must
  // belong to one user.
  int open() const {
    const std::string name = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(file);
    return ::open(name.c_str(), O_RDWR | O_CLOEXEC);
  }
};

// How the content of each kind of handle begins.
enum class handle_magic : std::uint32_t { memory = 0x68656464, event, pool_memory };

// Waits for all work of all devices.
cudaError_t synchronize_all();

}  // namespace heddle_host::api
