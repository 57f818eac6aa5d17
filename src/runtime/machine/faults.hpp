// Signals of a kernel that crashes, and the signal that takes the processor from a lane.
#pragma once
#include <heddle_host/finding.hpp>

namespace heddle_host {

struct crash_site;
finding describe_crash(const crash_site& crash);

// Gives the calling thread a stack for signal handlers; installs the handlers once.
void prepare_thread_for_faults();
void release_thread_from_faults();

// The signal that asks a thread to let another lane run.
int preemption_signal();

// Lanes are preempted in code of the module that holds `code`, and nowhere else: elsewhere a lane
// may hold a lock of a library.
void allow_preemption_in_module_of(const void* code);

}  // namespace heddle_host
