// Marks the driver as initialized: by cuInit, or by any runtime call.
#pragma once

namespace heddle_host::api {

void initialize_driver() noexcept;

}  // namespace heddle_host::api
