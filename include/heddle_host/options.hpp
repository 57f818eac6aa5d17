// The machine's settings: from the environment at the start, changed by the CUDA calls that do so.
#pragma once
#include <cstddef>

namespace heddle_host {

// Threads that run blocks; also the multiprocessors that the device reports.
// HEDDLE_WORKERS, else the hardware threads that this process may use.
unsigned worker_count();

// Stack of one lane, guard page not counted. Grows by cudaDeviceSetLimit(cudaLimitStackSize).
std::size_t stack_bytes();
void set_stack_bytes(std::size_t bytes);

// A kernel without progress for so long is ended. HEDDLE_TIMEOUT, else 30, checked 10; 0: never.
double timeout_seconds();

// HEDDLE_NOTES=1, which `heddle run` sets on a terminal: say what a user should know of the
// results.
bool wants_notes();

}  // namespace heddle_host
