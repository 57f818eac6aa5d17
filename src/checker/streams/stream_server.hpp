// Lets streams make progress while host threads wait for each other.
#pragma once

namespace heddle_checker {

// Called when a host thread is about to wait other than through CUDA. It may wait for work that a
// stream still has to do, such as a host function that wakes it. So a separate thread does that
// work when no other thread can run.
void let_streams_get_on();

// Some work may have been enqueued.
void streams_may_have_work();

}  // namespace heddle_checker
