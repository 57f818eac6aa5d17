// The devices of the program. They share the CPU's cores, but each has its own memory, streams and
// events.
#pragma once

namespace heddle_host {

// The value of HEDDLE_DEVICES, by default 1.
int device_count();
inline bool is_device(int device) { return device >= 0 && device < device_count(); }

// The device that the calling host thread has selected.
int current_device();
void select_device(int device);

}  // namespace heddle_host
