// The surface objects of the program.
#pragma once

namespace heddle_host::api {

// Invalidates the handles of all surface objects of the device.
void forget_surfaces(int device);

}  // namespace heddle_host::api
