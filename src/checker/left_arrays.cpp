// Indices that leave an array of known size, and which array that is: the compiler tells of the
// index, and the access that follows has the address.
#include <cstdlib>
#include <cstring>
#include <string>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>

#include "checker.hpp"
#include "places.hpp"

namespace heddle_checker {

using heddle_host::array_index;
using heddle_host::finding;
using heddle_host::finding_kind;
using heddle_host::lane_now;

namespace {

// Other operands of the statement may come first.
constexpr unsigned accesses_until_forgotten = 8;

// {4, 5} of 'float [4][5]'.
std::vector<std::size_t> extents_in(const char* type) {
  std::vector<std::size_t> extents;
  for (const char* at = std::strchr(type, '['); at != nullptr; at = std::strchr(at + 1, '[')) {
    extents.push_back(std::strtoul(at + 1, nullptr, 10));
  }
  return extents;
}

// Whether the allocation is this array, and the access is to the element that the index names.
bool is_left_by(const allocation& one, const array_index& how, std::uintptr_t address) {
  if (how.extents.empty() || how.extents[0] == 0 || one.bytes % how.extents[0] != 0) return false;
  const auto element = static_cast<std::ptrdiff_t>(one.bytes / how.extents[0]);
  const auto first = static_cast<std::ptrdiff_t>(address - one.begin) - how.index * element;
  return first >= 0 && first < element;
}

}  // namespace

void checker::index_leaves_array(const char* array, std::intptr_t index, const void* code) {
  if (!heddle_host::in_lane()) return;
  end_search_for_left_array();
  finding wrong{
      finding_kind::out_of_bounds, cudaErrorIllegalAddress, grid_->kernel->signature, {}, {}};
  wrong.detail = "index " + std::to_string(index) + " leaves an array of type " + array;
  wrong.places.push_back(heddle_host::place_of_running_lane(code, true));
  if (code_of_left_arrays_.insert(code).second) {
    left_index_ = {accesses_until_forgotten, lane_now.observed, lane_now.thread, wrong};
    left_index_.told.count = 0;  // it is counted already when its memory is known
    left_index_.told.memory.emplace().leaves = {index, extents_in(array)};
  }
  collect(std::move(wrong));
}

void checker::name_left_array(const access& what) {
  if (left_index_.block != lane_now.observed || left_index_.thread != lane_now.thread) return;
  finding& told = left_index_.told;
  const allocation* const one = allocations_.nearest(what.address);
  if (one != nullptr && is_left_by(*one, *told.memory->leaves, what.address)) {
    describe(what, told);
    told.places.back().doing = doing(what.way);
    return end_search_for_left_array();
  }
  if (!arena_.contains(what.address)) {
    told.memory->accesses.push_back({what.address, what.bytes});
  }
  if (--left_index_.accesses_to_look_at == 0) end_search_for_left_array();
}

// An array in static storage is found among the accesses when the run has ended.
void checker::end_search_for_left_array() {
  left_index_.accesses_to_look_at = 0;
  if (!left_index_.told.memory) return;
  collect(std::move(left_index_.told));
  left_index_.told.memory.reset();
}

}  // namespace heddle_checker
