// The driver API that describes kernels. A CUfunction or CUkernel is the address of the kernel's
// function.
#include "api/driver/function.hpp"

#include <cctype>
#include <map>
#include <mutex>

#include <cuda_runtime_api.h>

#include "api/driver/call.hpp"

namespace heddle_host::api {
namespace {

// The kernel's mangled name, which is part of the mangled name of its closure's type.
std::string mangled_name(const kernel_image& kernel) {
  const std::string closure = kernel.body_type;
  const std::size_t begin = closure.find('Z') + 1;
  const std::size_t end = closure.rfind("EUl");
  if (begin == 0 || end == closure.npos || end < begin) return kernel.signature;
  const std::string encoding = closure.substr(begin, end - begin);
  // A name without parameter types belongs to an extern "C" function.
  std::size_t digits = 0;
  while (digits < encoding.size() && std::isdigit(static_cast<unsigned char>(encoding[digits]))) {
    ++digits;
  }
  const bool is_plain =
      digits > 0 && digits < 4 && std::stoul(encoding) == encoding.size() - digits;
  return is_plain ? encoding.substr(digits) : "_Z" + encoding;
}

}  // namespace

const char* name_of(const void* kernel) {
  static std::mutex& mutex = *new std::mutex;
  static auto& names = *new std::map<const void*, std::string>;
  const kernel_caller* const caller = find_caller(kernel);
  if (caller == nullptr) return nullptr;
  const kernel_image* const image = caller->inspect(kernel);
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = names.try_emplace(kernel);
  if (is_new) entry->second = mangled_name(*image);
  return entry->second.c_str();
}

std::vector<parameter_place> parameters_of(const kernel_caller& caller) {
  std::vector<parameter_place> places;
  std::size_t end = 0;
  for (std::size_t i = 0; i < caller.parameters; ++i) {
    const parameter_layout& one = caller.layouts[i];
    const std::size_t begin = (end + one.alignment - 1) / one.alignment * one.alignment;
    places.push_back({begin, one.bytes});
    end = begin + one.bytes;
  }
  return places;
}

}  // namespace heddle_host::api

using namespace heddle_host::api;

namespace {

CUresult read(int& value, CUfunction_attribute attribute, const cudaFuncAttributes& all) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      value = all.maxThreadsPerBlock;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      value = static_cast<int>(all.sharedSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      value = static_cast<int>(all.constSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      value = static_cast<int>(all.localSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      value = all.numRegs;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      value = all.ptxVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      value = all.binaryVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      value = all.cacheModeCA;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      value = all.maxDynamicSharedSizeBytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      value = all.preferredShmemCarveout;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      value = all.clusterDimMustBeSet;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
      value = all.requiredClusterWidth;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      value = all.requiredClusterHeight;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      value = all.requiredClusterDepth;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      value = all.nonPortableClusterSizeAllowed;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      value = all.clusterSchedulingPolicyPreference;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// The body of a call about a kernel. Fails if the kernel is unknown.
template <typename Body>
CUresult kernel_call(const void* kernel, Body&& body) {
  return context_call([&] {
    const heddle_host::kernel_caller* const caller =
        kernel == nullptr ? nullptr : find_caller(kernel);
    return caller == nullptr ? CUDA_ERROR_INVALID_HANDLE : std::forward<Body>(body)(*caller);
  });
}

CUresult get_attribute(int* value, CUfunction_attribute attribute, const void* kernel) {
  return kernel_call(kernel, [&](const auto&) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaFuncAttributes all;
    const CUresult result = by_runtime([&] { return cudaFuncGetAttributes(&all, kernel); });
    return result != CUDA_SUCCESS ? result : read(*value, attribute, all);
  });
}

CUresult set_attribute(const void* kernel, CUfunction_attribute attribute, int value) {
  return kernel_call(kernel, [&](const auto&) {
    return by_runtime([&] {
      return cudaFuncSetAttribute(kernel, static_cast<cudaFuncAttribute>(attribute), value);
    });
  });
}

CUresult get_name(const char** name, const void* kernel) {
  return kernel_call(kernel, [&](const auto&) {
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *name = name_of(kernel);
    return CUDA_SUCCESS;
  });
}

CUresult get_parameter(const void* kernel, size_t index, size_t* offset, size_t* bytes) {
  return kernel_call(kernel, [&](const heddle_host::kernel_caller& caller) {
    if (offset == nullptr || index >= caller.parameters) return CUDA_ERROR_INVALID_VALUE;
    const parameter_place place = parameters_of(caller)[index];
    *offset = place.offset;
    if (bytes != nullptr) *bytes = place.bytes;
    return CUDA_SUCCESS;
  });
}

CUresult accept(const void* kernel) {
  return kernel_call(kernel, [](const auto&) { return CUDA_SUCCESS; });
}

}  // namespace

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return get_attribute(value, attribute, function);
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice) {
  return get_attribute(value, attribute, kernel);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return set_attribute(function, attribute, value);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice) {
  return set_attribute(kernel, attribute, value);
}

CUresult cuFuncGetName(const char** name, CUfunction function) { return get_name(name, function); }
CUresult cuKernelGetName(const char** name, CUkernel kernel) { return get_name(name, kernel); }

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  return get_parameter(function, index, offset, bytes);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* bytes) {
  return get_parameter(kernel, index, offset, bytes);
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return kernel_call(kernel, [&](const auto&) {
    if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *function = reinterpret_cast<CUfunction>(kernel);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) { return accept(function); }
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache, CUdevice) { return accept(kernel); }
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig) { return accept(function); }

// All kernels are loaded from the start.
CUresult cuFuncLoad(CUfunction function) { return accept(function); }

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  return kernel_call(function, [&](const auto&) {
    if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return driver_call([&] {
    if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
  });
}
