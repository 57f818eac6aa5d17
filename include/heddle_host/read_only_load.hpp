// Reports loads through the read-only cache in a checked program; a no-op elsewhere.
#pragma once
#include <cstddef>

namespace heddle_host {

#ifdef HEDDLE_CHECKED
void lane_loads_read_only(const void* address, std::size_t bytes);
#else
[[gnu::always_inline]] inline void lane_loads_read_only(const void*, std::size_t) {}
#endif

}  // namespace heddle_host
