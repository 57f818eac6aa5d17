// Devices for the other parts of the host API.
#pragma once

namespace heddle_host::api {

// What cudaDeviceReset does.
void reset_device(int device);

}  // namespace heddle_host::api
