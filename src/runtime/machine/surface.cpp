// Accesses to surface objects: finds the address of an element, and handles points outside.
#include "machine/surface.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/surface.hpp>

namespace heddle_host {
namespace {

[[noreturn]] void end_kernel(finding_kind kind, finding_cause cause, cudaError_t error,
                             const void* code) {
  if (!in_lane()) std::abort();
  fail_launch(kind, cause, error, code);
}

// The last valid coordinate of an axis; for x, the last one at which a whole element fits.
std::int64_t last_of(std::size_t size, std::size_t element = 1) {
  return static_cast<std::int64_t>(size) - static_cast<std::int64_t>(element);
}

}  // namespace

void* find_surface_element(unsigned long long handle, const surface_point& at, std::size_t bytes,
                           surface_boundary boundary) {
  const void* const code = __builtin_return_address(0);
  const auto& in = *reinterpret_cast<const surface*>(static_cast<std::uintptr_t>(handle));
  const std::int64_t last[3] = {last_of(in.row_bytes, bytes), last_of(in.rows), last_of(in.slices)};
  std::int64_t point[3] = {at.x_bytes, at.y, at.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (point[axis] >= 0 && point[axis] <= last[axis]) continue;
    if (boundary == surface_boundary::zero || last[axis] < 0) return nullptr;
    if (boundary == surface_boundary::trap) {
      end_kernel(finding_kind::out_of_bounds, finding_cause::none, cudaErrorIllegalAddress, code);
    }
    point[axis] = std::clamp<std::int64_t>(point[axis], 0, last[axis]);
  }
  if (static_cast<std::size_t>(point[0]) % bytes != 0) {
    end_kernel(finding_kind::misaligned, finding_cause::type_alignment, cudaErrorMisalignedAddress,
               code);
  }
  const auto offset = [&](int axis, std::size_t step) {
    return static_cast<std::size_t>(point[axis]) * step;
  };
  return in.memory + offset(0, 1) + offset(1, in.row_bytes) + offset(2, in.row_bytes * in.rows);
}

}  // namespace heddle_host
