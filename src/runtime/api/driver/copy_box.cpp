// The driver API that copies boxes of up to three dimensions, between pitched memory and arrays.
#include <cuda_runtime_api.h>

#include "api/arrays.hpp"
#include "api/call.hpp"
#include "api/driver/call.hpp"
#include "api/transfer.hpp"

using namespace heddle_host::api;

namespace {

// One side of the copy as CUDA's structures describe it.
struct side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t x_bytes, y, z;
  size_t pitch, rows;
};

// Where the box begins, and how far apart its rows and slices are.
struct box {
  char* begin;
  size_t pitch;
  size_t slice;
};

bool read_array(box& where, const side& in, size_t width, size_t height, size_t depth) {
  const array_pointer found = find_array(reinterpret_cast<cudaArray_t>(in.array));
  if (found == nullptr) return false;
  const auto fits = [](size_t begin, size_t count, size_t size) {
    return begin <= size && count <= size - begin;
  };
  where = {found->memory + in.x_bytes + in.y * found->row_bytes() + in.z * found->slice_bytes(),
           found->row_bytes(), found->slice_bytes()};
  return fits(in.x_bytes, width, found->row_bytes()) && fits(in.y, height, found->rows()) &&
         fits(in.z, depth, found->slices());
}

// False if the side is invalid. A pitch of 0 means rows without padding.
bool read_side(box& where, const side& in, size_t width, size_t height, size_t depth) {
  if (in.type == CU_MEMORYTYPE_ARRAY) return read_array(where, in, width, height, depth);
  if (in.type != CU_MEMORYTYPE_HOST && in.type != CU_MEMORYTYPE_DEVICE &&
      in.type != CU_MEMORYTYPE_UNIFIED) {
    return false;
  }
  const size_t pitch = in.pitch == 0 ? in.x_bytes + width : in.pitch;
  const size_t rows = in.rows == 0 ? in.y + height : in.rows;
  const void* const base = in.type == CU_MEMORYTYPE_HOST ? in.host : pointer_to(in.device);
  char* const begin = static_cast<char*>(const_cast<void*>(base));
  where = {begin + in.x_bytes + in.y * pitch + in.z * pitch * rows, pitch, pitch * rows};
  return pitch >= in.x_bytes + width && (depth <= 1 || rows >= in.y + height);
}

cudaMemcpyKind kind_of(CUmemorytype from, CUmemorytype to) {
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (from == CU_MEMORYTYPE_HOST) {
    return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  }
  return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

// Calls `perform` with the copy that `what` describes, and its direction.
template <typename Perform>
CUresult copy_box(const CUDA_MEMCPY3D* what, Perform&& perform) {
  return runtime_call([&] {
    if (what == nullptr) return cudaErrorInvalidValue;
    const size_t width = what->WidthInBytes, height = what->Height, depth = what->Depth;
    box from, to;
    const bool is_valid =
        read_side(from,
                  {what->srcMemoryType, what->srcHost, what->srcDevice, what->srcArray,
                   what->srcXInBytes, what->srcY, what->srcZ, what->srcPitch, what->srcHeight},
                  width, height, depth) &&
        read_side(to,
                  {what->dstMemoryType, what->dstHost, what->dstDevice, what->dstArray,
                   what->dstXInBytes, what->dstY, what->dstZ, what->dstPitch, what->dstHeight},
                  width, height, depth);
    if (!is_valid) return cudaErrorInvalidValue;
    heddle_host::memory::copy made = heddle_host::memory::flat_copy(to.begin, from.begin, width);
    made.height = height;
    made.depth = depth;
    made.destination_pitch = to.pitch;
    made.destination_slice = to.slice;
    made.source_pitch = from.pitch;
    made.source_slice = from.slice;
    const cudaMemcpyKind kind = kind_of(what->srcMemoryType, what->dstMemoryType);
    return device_call([&] { return perform(made, kind); });
  });
}

CUresult copy_box(const CUDA_MEMCPY3D* what) {
  return copy_box(what, [](const auto& made, cudaMemcpyKind kind) { return transfer(made, kind); });
}

CUresult copy_box(const CUDA_MEMCPY3D* what, CUstream stream) {
  return copy_box(what, [&](const auto& made, cudaMemcpyKind kind) {
    return transfer_in_stream(made, kind, stream);
  });
}

CUDA_MEMCPY3D as_box(const CUDA_MEMCPY2D& what) {
  CUDA_MEMCPY3D box{};
  box.srcXInBytes = what.srcXInBytes;
  box.srcY = what.srcY;
  box.srcMemoryType = what.srcMemoryType;
  box.srcHost = what.srcHost;
  box.srcDevice = what.srcDevice;
  box.srcArray = what.srcArray;
  box.srcPitch = what.srcPitch;
  box.dstXInBytes = what.dstXInBytes;
  box.dstY = what.dstY;
  box.dstMemoryType = what.dstMemoryType;
  box.dstHost = what.dstHost;
  box.dstDevice = what.dstDevice;
  box.dstArray = what.dstArray;
  box.dstPitch = what.dstPitch;
  box.WidthInBytes = what.WidthInBytes;
  box.Height = what.Height;
  box.Depth = 1;
  return box;
}

}  // namespace

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* what) {
  if (what == nullptr) return copy_box(nullptr);
  const CUDA_MEMCPY3D box = as_box(*what);
  return copy_box(&box);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* what) { return cuMemcpy2D(what); }

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* what, CUstream stream) {
  if (what == nullptr) return copy_box(nullptr, stream);
  const CUDA_MEMCPY3D box = as_box(*what);
  return copy_box(&box, stream);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D* what) { return copy_box(what); }

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* what, CUstream stream) {
  return copy_box(what, stream);
}
