// Indices that leave an array of known size, and which array that is: the compiler tells of the
// index, and the access that follows has the address.
#include <cstdlib>
#include <cstring>
#include <string>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>

#include "checker/checker.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::finding;
using heddle_host::finding_kind;
using heddle_host::lane_now;

namespace {

// Other operands of the statement may come first.
constexpr unsigned accesses_to_look_at = 8;

// {4, 5} of 'float [4][5]'.
std::vector<std::size_t> extents_in(const char* type) {
  std::vector<std::size_t> extents;
  for (const char* at = std::strchr(type, '['); at != nullptr; at = std::strchr(at + 1, '[')) {
    extents.push_back(std::strtoul(at + 1, nullptr, 10));
  }
  return extents;
}

}  // namespace

void checker::index_leaves_array(const char* array, std::intptr_t index, const void* code) {
  if (!heddle_host::in_lane()) return;
  finding wrong{finding_kind::out_of_bounds, cudaErrorIllegalAddress, grid_->kernel->signature,
                heddle_host::finding_cause::index};
  wrong.fact = heddle_host::array_index{index, array};
  wrong.places.push_back(heddle_host::place_of_running_lane(code, true));
  if (code_of_left_arrays_.insert(code).second) {
    left_index_ = {
        accesses_to_look_at, lane_now.observed, lane_now.thread, {index, extents_in(array)}, wrong};
    looks_closely_ = true;
  }
  collect(std::move(wrong));
}

void checker::name_left_array(access what) {
  if (left_index_.block != lane_now.observed || left_index_.thread != lane_now.thread) return;
  --left_index_.accesses_to_look_at;
  const allocation* array = nullptr;
  allocations_.for_each([&](const allocation& one) {
    if (!one.is_freed && is_left_by(one, left_index_.how, what.address)) array = &one;
  });
  allocation local;
  if (locals_.contains(what.address) && locals_.around(what.address) != nullptr) {
    local = allocation_of(*locals_.around(what.address));
    if (is_left_by(local, left_index_.how, what.address)) array = &local;
  }
  if (array == nullptr) return;
  left_index_.accesses_to_look_at = 0;
  finding named = left_index_.told;
  named.memory = spot_in(*array, what);
  named.places.back().doing = doing(what.way);
  named.count = 0;  // it is counted
  collect(std::move(named));
}

void checker::variable_is_declared(const heddle_host::variable_declaration& what) {
  allocation made;
  made.begin = reinterpret_cast<std::uintptr_t>(what.address);
  made.bytes = what.bytes;
  made.kind = heddle_host::memory_kind::symbol;
  made.name = what.name;
  made.declared = what.declared;
  made.extents = what.extents;
  if (what.is_constant) constants_.push_back({made.begin, made.bytes});
  allocations_.add(std::move(made));
}

}  // namespace heddle_checker

namespace heddle_host {

void declare_variable(const variable_declaration& what) {
  if (heddle_checker::checker_in_force != nullptr) {
    heddle_checker::checker_in_force->variable_is_declared(what);
  }
}

}  // namespace heddle_host
