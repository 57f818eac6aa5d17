// Ends the program when it reaches something that the CPU does not support.
#include <heddle_host/stop.hpp>

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <iostream>

#include <heddle_host/fault.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/reporter.hpp>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"

namespace heddle_host {
namespace {
constexpr int status_of_no_verdict = 2;
std::atomic<bool> is_stopping{false};
std::atomic<stop_listener> listener{nullptr};
}  // namespace

void listen_to_stops(stop_listener who) { listener = who; }

namespace {

[[noreturn]] void stop(program_stop reached) {
  if (in_lane()) {
    leave_lane_code();  // memory used from here on is not the lane's
    reached.kernel = lane_now.block->grid().request().kernel->signature;
    reached.place = place_of_running_lane(reached.caller, true);
  }
  // Many lanes may get here at once; one report is enough.
  while (is_stopping.exchange(true)) pause();
  // Not exit(): its handlers would wait for the workers, and this is one of them.
  std::cout.flush();
  std::fflush(stdout);
  reporter::instance().report(reached, listener);
  _exit(status_of_no_verdict);
}

}  // namespace

void stop_program(const char* what, const char* where) {
  stop({what, where, __builtin_return_address(0), nullptr, nullptr, std::nullopt});
}

void stop_at_call(const char* what, const char* advice, const void* caller) {
  stop({what, nullptr, caller, advice, nullptr, std::nullopt});
}

}  // namespace heddle_host
