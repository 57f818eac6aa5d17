// Whether the driver has been initialized: by cuInit, or by any call of the runtime.
#pragma once

namespace heddle_host::api {

void initialize_driver() noexcept;

}  // namespace heddle_host::api
