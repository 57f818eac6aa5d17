// Resolves texture handles for lanes.
#include <heddle_host/texture.hpp>

namespace heddle_host {

texture texture_of(unsigned long long handle) {
  return *reinterpret_cast<const texture*>(static_cast<std::uintptr_t>(handle));
}

}  // namespace heddle_host
