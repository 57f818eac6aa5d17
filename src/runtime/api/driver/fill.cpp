// The driver API that fills memory with values of 1, 2 or 4 bytes.
#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "api/driver/call.hpp"
#include "api/transfer.hpp"

using namespace heddle_host::api;

namespace {

// Fills `height` rows of `width` elements. Pointer and pitch must be multiples of the element size.
template <typename T>
CUresult fill(CUdeviceptr to, size_t pitch, T value, size_t width, size_t height, CUstream stream) {
  return runtime_call([&] {
    return device_call([&] {
      const bool fits_pitch = height <= 1 || (pitch % sizeof(T) == 0 && pitch >= width * sizeof(T));
      if (to % sizeof(T) != 0 || !fits_pitch) return cudaErrorInvalidValue;
      heddle_host::memory::fill what;
      what.destination = pointer_to(to);
      what.value = static_cast<int>(value);
      what.width = width * sizeof(T);
      what.height = height;
      what.pitch = pitch;
      what.element_bytes = sizeof(T);
      return transfer_in_stream(what, stream);
    });
  });
}

}  // namespace

#define HEDDLE_FILLS(bits, type)                                                               \
  CUresult cuMemsetD##bits(CUdeviceptr to, type value, size_t count) {                         \
    return fill(to, 0, value, count, 1, nullptr);                                              \
  }                                                                                            \
  CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t count, CUstream stream) { \
    return fill(to, 0, value, count, 1, stream);                                               \
  }                                                                                            \
  CUresult cuMemsetD2D##bits(CUdeviceptr to, size_t pitch, type value, size_t width,           \
                             size_t height) {                                                  \
    return fill(to, pitch, value, width, height, nullptr);                                     \
  }                                                                                            \
  CUresult cuMemsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value, size_t width,    \
                                    size_t height, CUstream stream) {                          \
    return fill(to, pitch, value, width, height, stream);                                      \
  }
HEDDLE_FILLS(8, unsigned char)
HEDDLE_FILLS(16, unsigned short)
HEDDLE_FILLS(32, unsigned)
#undef HEDDLE_FILLS
