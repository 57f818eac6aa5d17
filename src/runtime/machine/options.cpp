// Reads the runtime's settings from the environment.
#include <heddle_host/options.hpp>
#include <heddle_host/run_policy.hpp>

#include <heddle_host/schedule.hpp>

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "fiber/fiber.hpp"

namespace heddle_host {
namespace {

double number_from(const char* variable, double otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return otherwise;
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  return end == text || *end != '\0' || value < 0 ? otherwise : value;
}

unsigned usable_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1u, static_cast<unsigned>(CPU_COUNT(&set)));
}

// The address sanitizer makes frames larger.
std::size_t least_stack_bytes() { return (has_address_sanitizer() ? 256 : 64) * 1024; }

std::atomic<std::size_t> wanted_stack_bytes{0};

}  // namespace

unsigned worker_count() {
  if (policy().uses_one_worker) return 1;
  static const unsigned count = std::clamp(
      static_cast<unsigned>(number_from("HEDDLE_WORKERS", usable_processors())), 1u, 1024u);
  return count;
}

// A checker also uses the stacks of lanes.
std::size_t stack_bytes() {
  const std::size_t wanted = wanted_stack_bytes.load(std::memory_order_relaxed);
  return std::max(wanted, least_stack_bytes()) * policy().stack_factor;
}
void set_stack_bytes(std::size_t wanted) { wanted_stack_bytes = wanted; }

double timeout_seconds() {
  static const double seconds = number_from("HEDDLE_TIMEOUT", policy().timeout_seconds);
  return seconds;
}

bool wants_notes() { return number_from("HEDDLE_NOTES", 0) != 0; }

}  // namespace heddle_host
