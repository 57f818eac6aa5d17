// Counts allocations up to the one that the environment makes fail.
#include "memory/failing_allocation.hpp"

#include <cstdlib>
#include <mutex>
#include <string>

namespace heddle_host::memory {

bool allocation_is_to_fail() {
  static std::mutex mutex;
  static std::string last_wish;
  static unsigned long asked = 0;
  const std::lock_guard lock(mutex);
  const char* const text = std::getenv("HEDDLE_FAIL_ALLOCATION");
  const std::string wish = text == nullptr ? "" : text;
  if (wish != last_wish) {
    last_wish = wish;
    asked = 0;
  }
  if (wish.empty()) return false;
  char* end = nullptr;
  const unsigned long which = std::strtoul(text, &end, 10);
  return *end == '\0' && ++asked == which;
}

}  // namespace heddle_host::memory
