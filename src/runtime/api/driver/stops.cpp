// Driver functions that the CPU does not support. Each ends the program with a message.
#include <string_view>

#include <cuda.h>
#include <heddle_host/stop.hpp>

namespace {

struct advice {
  std::string_view start;  // of the call's name
  const char* text;
};

constexpr advice all_advice[] = {
    {"cuGraphics", "copy through memory: there is no graphics API to share it with"},
    {"cuGraph", "use the runtime functions whose names begin with cudaGraph"},
    {"cuKernel", "launch kernels that are part of the program"},
    {"cuLibrary", "compile the kernels into the program"},
    {"cuLink", "compile the kernels into the program"},
    {"cuModule", "compile the kernels into the program"},
    {"cuParam", "use cuLaunchKernel"},
    {"cuLaunch", "use cuLaunchKernel"},
    {"cuTexRef", "use texture objects"},
    {"cuSurfRef", "use surface objects"},
    {"cuTexObject", "use cudaCreateTextureObject"},
    {"cuSurfObject", "use cudaCreateSurfaceObject"},
    {"cuArray", "use the runtime's functions for arrays"},
    {"cuMipmappedArray", "use the runtime's functions for arrays"},
};

[[noreturn]] void stop(const char* what, std::string_view name, const void* caller) {
  for (const advice& each : all_advice) {
    if (name.substr(0, each.start.size()) == each.start) {
      heddle_host::stop_at_call(what, each.text, caller);
    }
  }
  heddle_host::stop_at_call(what, nullptr, caller);
}

}  // namespace

// Weak, so that a program may define its own functions of these names.
#define HEDDLE_DRIVER_CALL(version, name, parameters)                        \
  __attribute__((__weak__)) CUresult name parameters {                       \
    stop("the driver call `" #name "`", #name, __builtin_return_address(0)); \
  }
#include <detail/driver_stops.inc>
#undef HEDDLE_DRIVER_CALL
