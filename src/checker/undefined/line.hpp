// Sends values of fixed size between a process and its copies.
#pragma once
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <type_traits>

namespace heddle_checker {

// False: the other end is closed. A copy that has died must not kill this process with SIGPIPE.
inline bool send_bytes(int line, const void* from, std::size_t bytes) {
  const char* next = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t sent = send(line, next, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

inline bool receive_bytes(int line, void* to, std::size_t bytes) {
  char* next = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = recv(line, next, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

template <typename T>
bool send_value(int line, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return send_bytes(line, &value, sizeof value);
}

template <typename T>
bool receive_value(int line, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return receive_bytes(line, &value, sizeof value);
}

}  // namespace heddle_checker
