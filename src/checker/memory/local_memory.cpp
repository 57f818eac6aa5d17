// What lanes do with local arrays, and what is wrong with it.
#include <sys/mman.h>

#include <new>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/local_memory.hpp>

#include "checker/checker.hpp"
#include "checker/hooks/hooks.hpp"
#include "checker/memory/poisons.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::finding_kind;

heddle_host::address_range range_for_local_arrays() {
  constexpr std::size_t bytes = std::size_t{1} << 32;
  void* const base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  return {number(base), bytes};
}

void* checker::local_array_begins(std::size_t bytes, const char* name,
                                  heddle_host::declaration_place where) {
  void* const place = locals_.begin(bytes, running_lane(), name, where);
  if (place == nullptr) return nullptr;
  auto* const first = static_cast<unsigned char*>(place);
  for (std::size_t i = 0; i < bytes; ++i) {
    first[i] = static_cast<unsigned char>(first_poison >> i % 8 * 8);
  }
  return place;
}

void checker::lane_touches_local_array(const access& what) {
  const local_verdict verdict = locals_.touch(what.address, what.bytes, what.way, running_lane());
  if (__builtin_expect(verdict != local_verdict::fine, 0)) report_local_array(what, verdict);
}

void checker::report_local_array(const access& what, local_verdict verdict) {
  finding wrong{finding_kind::out_of_bounds, cudaErrorIllegalAddress, grid_->kernel->signature};
  switch (verdict) {
    case local_verdict::fine:
    case local_verdict::outside:
      break;
    case local_verdict::unwritten:
      return lane_loads_unwritten(what);
    case local_verdict::ended:
      wrong.kind = finding_kind::use_after_free;
      wrong.cause = finding_cause::ended_scope;
      break;
    case local_verdict::of_another_lane:
      wrong.kind = finding_kind::wrong_space;
      wrong.cause = finding_cause::local_memory;
  }
  wrong.places.push_back(heddle_host::place_of_running_lane(what.code, true));
  wrong.places.back().doing = doing(what.way);
  if (const local_array* const one = locals_.around(what.address)) {
    wrong.memory = spot_in(allocation_of(*one), what);
  }
  collect(std::move(wrong));
}

allocation checker::allocation_of(const local_array& one) {
  allocation made;
  made.begin = one.begin;
  made.bytes = one.bytes;
  made.name = one.name;
  made.declared = one.declared;
  return made;
}

}  // namespace heddle_checker

namespace heddle_host {

void* begin_local_array(std::size_t bytes, std::size_t alignment, const char* name,
                        declaration_place where) {
  const bool is_watched = in_lane() && heddle_checker::checker_in_force != nullptr &&
                          alignment <= heddle_checker::local_arrays::alignment;
  if (!is_watched) return nullptr;
  const heddle_checker::checker_section guard;
  return heddle_checker::checker_in_force->local_array_begins(bytes, name, where);
}

void end_local_array(void* place) {
  const heddle_checker::checker_section guard;
  heddle_checker::checker_in_force->local_array_ends(place);
}

}  // namespace heddle_host
