// The texture objects of the program.
#pragma once

namespace heddle_host::api {

// All handles become invalid.
void forget_textures();

}  // namespace heddle_host::api
