// The signals of a crashing kernel, and the signal that preempts a lane.
#pragma once
#include <heddle_host/finding.hpp>

namespace heddle_host {

struct crash_site;
finding describe_crash(const crash_site& crash);
finding describe_without_lane(const crash_site& crash);  // the same, if it is not known which lane

// Gives the calling thread a signal stack; installs the handlers once.
void prepare_thread_for_faults();
void release_thread_from_faults();

// The signal that asks a thread to let another lane run.
int preemption_signal();

// Lanes are preempted only in code of the module that contains `code`: elsewhere a lane may hold a
// library's lock.
void allow_preemption_in_module_of(const void* code);

}  // namespace heddle_host
