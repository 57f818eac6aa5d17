// Ends the running kernel from one of its lanes.
#pragma once
#include <string>

#include <heddle_host/finding.hpp>

namespace heddle_host {

// The place of the running lane, which got to `code`.
lane_place place_of_running_lane(const void* code, bool is_return_address);

// Tells the listener, gives up the grid and never returns; the launch ends with `error`.
[[noreturn]] void fail_launch(finding_kind kind, cudaError_t error, std::string detail,
                              const void* code);

}  // namespace heddle_host
