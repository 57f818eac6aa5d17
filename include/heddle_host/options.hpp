// The runtime's settings: read from the environment at startup, changed by CUDA calls.
#pragma once
#include <cstddef>

namespace heddle_host {

// Threads that run blocks; the device reports as many multiprocessors. HEDDLE_WORKERS, by default
// the hardware threads that this process may use.
unsigned worker_count();

// Stack size of one lane, without the guard page. cudaDeviceSetLimit(cudaLimitStackSize) raises it.
std::size_t stack_bytes();
void set_stack_bytes(std::size_t bytes);

// Time limit for a kernel that makes no progress. HEDDLE_TIMEOUT, by default 30, in a checked run
// 10; 0 means none.
double timeout_seconds();

// HEDDLE_NOTES=1, which `heddle run` sets on a terminal: print notes on how to read the results.
bool wants_notes();

}  // namespace heddle_host
