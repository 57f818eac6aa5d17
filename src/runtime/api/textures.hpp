// The texture objects of the program.
#pragma once

namespace heddle_host::api {

// Invalidates the handles of all texture objects of the device.
void forget_textures(int device);

}  // namespace heddle_host::api
