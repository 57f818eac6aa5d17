// The work of streams in a checked run, where it is done only when somebody waits for it.
#pragma once

namespace heddle_host {

// Something was asked for and has not been done.
bool is_stream_work_left();

// Does one piece of it on the calling thread, unless other threads are at all that is left.
void do_stream_work();

}  // namespace heddle_host
