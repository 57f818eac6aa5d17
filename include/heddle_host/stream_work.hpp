// The work of streams in a checked run, which is done only when someone waits for it.
#pragma once

namespace heddle_host {

// Whether some submitted work is unfinished.
bool is_stream_work_left();

// Does one operation on the calling thread, unless other threads already run all that is left.
void do_stream_work();

}  // namespace heddle_host
