// Functions that the frontend's code and the stand-in headers call: local arrays, variables, __ldg
// loads and the exit of a lane.
#include <cstddef>

#include <heddle_host/declared.hpp>
#include <heddle_host/lane_return.hpp>
#include <heddle_host/local_memory.hpp>
#include <heddle_host/managed_variable.hpp>
#include <heddle_host/read_only_load.hpp>

#include "checker/hooks/hooks.hpp"

namespace heddle_host {

using heddle_checker::checker_in_force;
using heddle_checker::checker_section;

void* begin_local_array(std::size_t bytes, std::size_t alignment, const char* name,
                        declaration_place where) {
  const bool is_watched = in_lane() && checker_in_force != nullptr &&
                          alignment <= heddle_checker::local_arrays::alignment;
  if (!is_watched) return nullptr;
  const checker_section guard;
  return checker_in_force->local_array_begins(bytes, name, where);
}

void end_local_array(void* place) {
  const checker_section guard;
  checker_in_force->run().memory.locals.end(place);
}

void declare_variable(const variable_declaration& what) {
  if (checker_in_force != nullptr) checker_in_force->variable_is_declared(what);
}

void add_managed_memory(const volatile void* begin, std::size_t bytes) {
  if (checker_in_force == nullptr) return;
  checker_in_force->run().memory.managed.add(reinterpret_cast<std::uintptr_t>(begin), bytes);
}

void lane_loads_read_only(const void* address, std::size_t bytes) {
  if (!heddle_checker::is_lane_code()) return;
  const checker_section guard;
  checker_in_force->checks().races.lane_loads_read_only(
      heddle_checker::access_to(address, bytes, heddle_checker::direction::read,
                                heddle_checker::strength::plain, __builtin_return_address(0)));
}

void lane_returns() {
  if (checker_in_force == nullptr) return;
  checker_in_force->lane_returns(__builtin_return_address(0));
}

void lane_comes_to_end() {
  if (checker_in_force == nullptr) return;
  checker_in_force->lane_returns(__builtin_return_address(0));
  note_end_of_kernel();
}

}  // namespace heddle_host
