// Lets streams get on while the threads of the host wait for each other.
#pragma once

namespace heddle_checker {

// A thread of the host is about to wait, by other means than CUDA's. What streams have left to do
// may be what it waits for, a function that tells it to go on; so a thread of their own does it,
// when no other one can go on.
void let_streams_get_on();

// Some work may have been asked for.
void streams_may_have_work();

}  // namespace heddle_checker
