// Makes allocations fail on request, to test how the program reacts.
#pragma once

namespace heddle_host::memory {

// True if this is the allocation that HEDDLE_FAIL_ALLOCATION names: 3 is the third one. The
// variable is read each time; when its value changes, counting starts again.
bool allocation_is_to_fail();

}  // namespace heddle_host::memory
