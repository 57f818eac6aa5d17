// How many devices there are, and which one each host thread uses.
#include <heddle_host/devices.hpp>

#include <algorithm>
#include <cstdlib>

namespace heddle_host {
namespace {

constexpr long most_devices = 64;

thread_local int selected = 0;

}  // namespace

int device_count() {
  static const int count = [] {
    const char* const text = std::getenv("HEDDLE_DEVICES");
    const long wanted = text == nullptr ? 1 : std::strtol(text, nullptr, 10);
    return static_cast<int>(std::clamp(wanted, 1L, most_devices));
  }();
  return count;
}

int current_device() { return selected; }

void select_device(int device) { selected = device; }

}  // namespace heddle_host
