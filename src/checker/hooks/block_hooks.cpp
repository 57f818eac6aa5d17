// Defines the function that -fsanitize-coverage=trace-pc calls at each basic block.
#include <heddle_host/lane.hpp>
#include <heddle_host/ran_code.hpp>

#include "checker/checker_section.hpp"
#include "checker/hooks/entry_caller.hpp"

namespace heddle_checker {
namespace {

[[gnu::noinline]] void mark_in_library(std::uintptr_t code, unsigned char who) {
  const bool is_marking = heddle_host::own_ran_code.bytes != 0;
  if (!is_marking || heddle_host::mark_known_library(code, who)) return;
  const checker_section guard;
  heddle_host::add_library_around(code);
  heddle_host::mark_known_library(code, who);
}

[[gnu::noinline]] void mark_on_host(std::uintptr_t code) {
  if (!heddle_host::own_ran_code.mark(code, heddle_host::ran_on_host)) {
    mark_in_library(code, heddle_host::ran_on_host);
  }
}

}  // namespace
}  // namespace heddle_checker

// This needs hardly any stack: if a lane's stack is full, the fault should occur in the lane's
// code, not here.
extern "C" void __sanitizer_cov_trace_pc() {
  const auto code = reinterpret_cast<std::uintptr_t>(HEDDLE_ENTRY_CALLER);
  using namespace heddle_checker;
  // Inlined for lanes only: together, both would load more than either needs.
  if (!heddle_host::in_lane()) return mark_on_host(code);
  if (!heddle_host::own_ran_code.mark(code, heddle_host::ran_in_lane)) {
    mark_in_library(code, heddle_host::ran_in_lane);
  }
}
