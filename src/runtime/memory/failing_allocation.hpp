// Allocations that fail because the user wants to see what becomes of it.
#pragma once

namespace heddle_host::memory {

// True if this allocation is the one that HEDDLE_FAIL_ALLOCATION names: 3 is the third one that
// asks. The variable is looked at each time; when a program changes it, counting starts again.
bool allocation_is_to_fail();

}  // namespace heddle_host::memory
