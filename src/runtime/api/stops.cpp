// Functions of the runtime API and of graphics interoperability that the CPU does not support. Each
// ends the program with a message.
#include <string_view>

#include <cudaGL.h>
#include <cuda_runtime_api.h>
#include <heddle_host/stop.hpp>

namespace {

[[noreturn]] void stop(const char* what, std::string_view name, const void* caller) {
  const bool is_of_library = name.substr(0, 11) == "cudaLibrary";
  const char* const advice = is_of_library ? "compile the kernels into the program" : nullptr;
  heddle_host::stop_at_call(what, advice, caller);
}

}  // namespace

// Weak, so that a program may define its own functions of these names.
#define HEDDLE_STOP(result, name, parameters)                         \
  __attribute__((__weak__)) result name parameters {                  \
    stop("the call `" #name "`", #name, __builtin_return_address(0)); \
  }
#define HEDDLE_OR(type, value) type
#define HEDDLE_RUNTIME_CALL(name, parameters) HEDDLE_STOP(cudaError_t, name, parameters)
#define HEDDLE_GRAPHICS_CALL(result, name, parameters) HEDDLE_STOP(result, name, parameters)
#include <detail/graphics_stops.inc>
#include <detail/runtime_stops.inc>
#undef HEDDLE_GRAPHICS_CALL
#undef HEDDLE_RUNTIME_CALL
#undef HEDDLE_OR
#undef HEDDLE_STOP
