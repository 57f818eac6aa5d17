// The texture objects of the program.
#pragma once

namespace heddle_host::api {

// Invalidates all handles.
void forget_textures();

}  // namespace heddle_host::api
