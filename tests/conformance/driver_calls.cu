// The driver calls that programs use next to the runtime API.
#include <cuda.h>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

#define SHOW_RESULT(call) std::printf("%s: %s\n", #call, name_of(call))

static const char* name_of(CUresult result) {
  const char* name = "no name";
  cuGetErrorName(result, &name);
  return name;
}

static void* as_pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
static CUdeviceptr as_address(const void* pointer) { return (CUdeviceptr)pointer; }

__global__ void add(int* values, int increment) { values[rank_in_grid()] += increment; }

__global__ void mixed(char* out, char a, double b, short c, int d) {
  out[threadIdx.x] = static_cast<char>(a + static_cast<int>(b) + c + d + threadIdx.x);
}

__global__ void with_shared(int* out) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[64];
  fixed[threadIdx.x] = static_cast<int>(threadIdx.x);
  dynamic[threadIdx.x] = 2 * fixed[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}

CASE(contexts_form_a_stack_in_each_thread) {
  SHOW_RESULT(cuInit(0));
  CUcontext before = nullptr, first = nullptr, second = nullptr, now = nullptr;
  CHECKED(cudaFree(nullptr));
  SHOW_RESULT(cuCtxGetCurrent(&before));
  CUdevice device = -7;
  SHOW_RESULT(cuCtxGetDevice(&device));
  std::printf("device %d\n", device);
  SHOW_RESULT(cuCtxCreate(&first, nullptr, 0, 0));
  SHOW_RESULT(cuCtxCreate(&second, nullptr, CU_CTX_SCHED_SPIN, 0));
  SHOW_RESULT(cuCtxGetCurrent(&now));
  std::printf("the second is current: %d\n", now == second);
  SHOW_RESULT(cuCtxPushCurrent(first));
  SHOW_RESULT(cuCtxGetCurrent(&now));
  std::printf("the first is current: %d\n", now == first);
  SHOW_RESULT(cuCtxPopCurrent(&now));
  std::printf("the first was popped: %d\n", now == first);
  SHOW_RESULT(cuCtxDestroy(second));
  SHOW_RESULT(cuCtxGetCurrent(&now));
  std::printf("the first is current: %d\n", now == first);
  unsigned version = 0;
  SHOW_RESULT(cuCtxGetApiVersion(first, &version));
  std::printf("version %u\n", version);
  unsigned long long id = 0, other_id = 0;
  SHOW_RESULT(cuCtxGetId(first, &id));
  SHOW_RESULT(cuCtxGetId(before, &other_id));
  std::printf("numbers differ: %d\n", id != other_id);
  SHOW_RESULT(cuCtxSynchronize());
  SHOW_RESULT(cuCtxDestroy(first));
  SHOW_RESULT(cuCtxGetCurrent(&now));
  std::printf("as before: %d\n", now == before);
}

CASE(the_runtime_uses_the_primary_context) {
  CHECKED(cudaFree(nullptr));
  CUcontext now = nullptr, primary = nullptr;
  SHOW_RESULT(cuCtxGetCurrent(&now));
  SHOW_RESULT(cuDevicePrimaryCtxRetain(&primary, 0));
  std::printf("the same: %d\n", now == primary);
  unsigned flags = 7;
  int is_active = 7;
  SHOW_RESULT(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
  std::printf("active: %d\n", is_active);
  SHOW_RESULT(cuDevicePrimaryCtxRelease(0));
  SHOW_RESULT(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
  std::printf("active: %d\n", is_active);
}

CASE(calls_without_a_context) {
  CHECKED(cudaFree(nullptr));
  CUcontext kept = nullptr, now = nullptr;
  SHOW_RESULT(cuCtxPopCurrent(&kept));
  SHOW_RESULT(cuCtxGetCurrent(&now));
  std::printf("no context: %d\n", now == nullptr);
  CUdeviceptr memory = 0;
  CUdevice device = 0;
  SHOW_RESULT(cuMemAlloc(&memory, 16));
  SHOW_RESULT(cuCtxGetDevice(&device));
  SHOW_RESULT(cuCtxSynchronize());
  SHOW_RESULT(cuCtxPopCurrent(&now));
  SHOW_RESULT(cuCtxSetCurrent(kept));
  SHOW_RESULT(cuCtxSynchronize());
}

CASE(memory_is_allocated_copied_and_filled) {
  CHECKED(cudaFree(nullptr));
  CUdeviceptr a = 0, b = 0;
  SHOW_RESULT(cuMemAlloc(&a, 256));
  SHOW_RESULT(cuMemAlloc(&b, 256));
  SHOW_RESULT(cuMemAlloc(&b, 0));
  std::vector<int> values(64), back(64, -1);
  for (int i = 0; i < 64; ++i) values[i] = 3 * i;
  SHOW_RESULT(cuMemcpyHtoD(a, values.data(), 256));
  SHOW_RESULT(cuMemcpyDtoD(b, a, 256));
  SHOW_RESULT(cuMemsetD32(b + 16, 77, 4));
  SHOW_RESULT(cuMemsetD16(b + 64, 0x1234, 6));
  SHOW_RESULT(cuMemsetD8(b + 128, 0xab, 5));
  SHOW_RESULT(cuMemcpyDtoH(back.data(), b, 256));
  show("values", back);
  SHOW_RESULT(cuMemsetD32(b + 2, 0, 1));
  SHOW_RESULT(cuMemsetD16(b + 1, 0, 1));
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  SHOW_RESULT(cuMemGetAddressRange(&base, &bytes, b + 100));
  std::printf("from the begin: %d, %zu bytes\n", base == b, bytes);
  SHOW_RESULT(cuMemsetD2D32(b, 32, 5, 3, 4));
  SHOW_RESULT(cuMemcpy(as_address(back.data()), b, 256));
  show("rows", back);
  SHOW_RESULT(cuMemFree(a));
  SHOW_RESULT(cuMemFree(b));
}

CASE(boxes_are_copied) {
  CHECKED(cudaFree(nullptr));
  CUdeviceptr pitched = 0;
  std::size_t pitch = 0;
  SHOW_RESULT(cuMemAllocPitch(&pitched, &pitch, 40, 8, 4));
  SHOW_RESULT(cuMemAllocPitch(&pitched, &pitch, 40, 8, 3));
  std::vector<int> values(80), back(80, -1);
  for (int i = 0; i < 80; ++i) values[i] = 7 * i;
  SHOW_RESULT(cuMemsetD2D8(pitched, pitch, 0, 40, 8));
  CUDA_MEMCPY2D in{};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = values.data();
  in.srcPitch = 40;
  in.srcXInBytes = 8;
  in.srcY = 1;
  in.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  in.dstDevice = pitched;
  in.dstPitch = pitch;
  in.dstXInBytes = 4;
  in.dstY = 2;
  in.WidthInBytes = 20;
  in.Height = 3;
  SHOW_RESULT(cuMemcpy2D(&in));
  CUDA_MEMCPY2D out{};
  out.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  out.srcDevice = pitched;
  out.srcPitch = pitch;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = back.data();
  out.dstPitch = 40;
  out.WidthInBytes = 40;
  out.Height = 8;
  SHOW_RESULT(cuMemcpy2D(&out));
  show("back", back);
  in.srcPitch = 10;
  SHOW_RESULT(cuMemcpy2D(&in));
  SHOW_RESULT(cuMemFree(pitched));
}

CASE(pointers_have_attributes) {
  CHECKED(cudaFree(nullptr));
  CUdeviceptr device_memory = 0, managed = 0;
  void* pinned = nullptr;
  int on_stack = 0;
  SHOW_RESULT(cuMemAlloc(&device_memory, 1000));
  SHOW_RESULT(cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL));
  SHOW_RESULT(cuMemHostAlloc(&pinned, 1000, CU_MEMHOSTALLOC_PORTABLE));
  CUcontext mine = nullptr;
  cuCtxGetCurrent(&mine);
  for (const CUdeviceptr each :
       {device_memory + 8, managed + 8, as_address(pinned) + 8, as_address(&on_stack)}) {
    unsigned type = 77, is_managed = 0;
    int ordinal = 77;
    CUcontext context = nullptr;
    std::size_t bytes = 77;
    SHOW_RESULT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, each));
    SHOW_RESULT(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, each));
    SHOW_RESULT(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, each));
    SHOW_RESULT(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, each));
    SHOW_RESULT(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, each));
    std::printf("type %u, device %d, managed %u, this context %d, %zu bytes\n", type, ordinal,
                is_managed & 1, context == mine, bytes);
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT};
    void* to[] = {&type, &context};
    SHOW_RESULT(cuPointerGetAttributes(2, wanted, to, each));
    std::printf("type %u, this context %d\n", type, context == mine);
  }
  void* host_pointer = nullptr;
  SHOW_RESULT(
      cuPointerGetAttribute(&host_pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, device_memory));
  SHOW_RESULT(cuMemFreeHost(pinned));
  SHOW_RESULT(cuMemFree(managed));
  SHOW_RESULT(cuMemFree(device_memory));
}

CASE(kernels_are_launched_by_handle) {
  cudaFunction_t runtime_function = nullptr;
  SHOW_ERROR(cudaGetFuncBySymbol(&runtime_function, reinterpret_cast<const void*>(add)));
  const CUfunction function = runtime_function;
  const buffer<int> values(64, 0);
  int* pointer = values;
  int increment = 5;
  void* arguments[] = {&pointer, &increment};
  SHOW_RESULT(cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  show("values", values);
  struct {
    int* values;
    int increment;
  } packed = {values, 10};
  std::size_t bytes = sizeof(int*) + sizeof(int);
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  SHOW_RESULT(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  show("values", values);
  for (const std::size_t wrong : {bytes - 4, bytes + 4, std::size_t{0}}) {
    bytes = wrong;
    SHOW_RESULT(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  }
  CUlaunchConfig config{};
  config.gridDimX = 4;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 16;
  SHOW_RESULT(cuLaunchKernelEx(&config, function, arguments, nullptr));
  show("values", values);
  SHOW_RESULT(cuLaunchKernel(function, 0, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW_RESULT(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW_RESULT(cuLaunchKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW_RESULT(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, extra));
  SHOW_ERROR(cudaPeekAtLastError());
}

CASE(kernels_have_parameters_names_and_attributes) {
  cudaFunction_t function = nullptr;
  CHECKED(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(mixed)));
  for (std::size_t i = 0; i < 6; ++i) {
    std::size_t offset = 77, bytes = 77;
    const CUresult result = cuFuncGetParamInfo(function, i, &offset, &bytes);
    std::printf("%zu: %s, at %zu, %zu bytes\n", i, name_of(result), offset, bytes);
  }
  const char* name = "";
  SHOW_RESULT(cuFuncGetName(&name, function));
  std::printf("%s\n", name);
  CHECKED(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(with_shared)));
  int value = -7;
  SHOW_RESULT(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  std::printf("%d\n", value);
  SHOW_RESULT(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  std::printf("%d\n", value);
  SHOW_RESULT(
      cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  std::printf("%d\n", value);
  SHOW_RESULT(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
  SHOW_RESULT(
      cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  std::printf("%d\n", value);
  SHOW_RESULT(
      cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
  SHOW_RESULT(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 8));
  SHOW_RESULT(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, function));
  const buffer<int> out(64);
  int* pointer = out;
  void* arguments[] = {&pointer};
  SHOW_RESULT(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 65536, nullptr, arguments, nullptr));
  show("out", out);
}

CASE(streams_and_events_are_the_runtimes) {
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  CHECKED(cudaFree(nullptr));
  SHOW_RESULT(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  SHOW_RESULT(cuStreamCreate(&stream, 8));
  SHOW_RESULT(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  SHOW_RESULT(cuEventCreate(&end, CU_EVENT_DISABLE_TIMING));
  unsigned flags = 77;
  SHOW_RESULT(cuStreamGetFlags(stream, &flags));
  std::printf("flags %u\n", flags);
  CUcontext mine = nullptr, of_stream = nullptr;
  cuCtxGetCurrent(&mine);
  SHOW_RESULT(cuStreamGetCtx(stream, &of_stream));
  std::printf("this context: %d\n", of_stream == mine);
  const buffer<int> values(64, 0);
  SHOW_RESULT(cuEventRecord(begin, stream));
  add<<<2, 32, 0, stream>>>(values, 4);
  SHOW_RESULT(cuEventRecord(end, stream));
  SHOW_RESULT(cuStreamWaitEvent(nullptr, end, 0));
  SHOW_RESULT(cuEventSynchronize(end));
  SHOW_RESULT(cuEventQuery(begin));
  float milliseconds = 0;
  SHOW_RESULT(cuEventElapsedTime(&milliseconds, begin, end));
  SHOW_RESULT(cuStreamSynchronize(stream));
  SHOW_RESULT(cuStreamQuery(stream));
  show("values", values);
  SHOW_RESULT(cuEventDestroy(begin));
  SHOW_RESULT(cuEventDestroy(end));
  SHOW_RESULT(cuStreamDestroy(stream));
}

CASE(entry_points_are_found_by_name_and_version) {
  CHECKED(cudaFree(nullptr));
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status;
  SHOW_ERROR(
      cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault, &status));
  std::printf("status %d, found %d\n", status, function != nullptr);
  CUdeviceptr memory = 0;
  std::printf(
      "it returns %s\n",
      name_of(reinterpret_cast<CUresult (*)(CUdeviceptr*, std::size_t)>(function)(&memory, 64)));
  CHECKED(cudaFree(as_pointer(memory)));
  SHOW_ERROR(cudaGetDriverEntryPointByVersion("cuDoesNotExist", &function, 12000, cudaEnableDefault,
                                              &status));
  std::printf("status %d, found %d\n", status, function != nullptr);
  SHOW_ERROR(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 11000,
                                              cudaEnableDefault, &status));
  std::printf("status %d, found %d\n", status, function != nullptr);
  SHOW_ERROR(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                              cudaEnableDefault, &status));
  std::printf("status %d, found %d\n", status, function != nullptr);
  SHOW_ERROR(cudaGetDriverEntryPointByVersion("cuInit", &function, 12000, 9, &status));
  CUdriverProcAddressQueryResult found;
  SHOW_RESULT(cuGetProcAddress("cuCtxCreate", &function, 3020, 0, &found));
  std::printf("status %d, found %d\n", found, function != nullptr);
}

// The driver's errors for unusual arguments.
CASE(unusual_arguments_of_driver_calls) {
  CHECKED(cudaFree(nullptr));
  cudaGetLastError();
  CUcontext context = nullptr;
  CUdevice device = 0;
  unsigned flags = 0;
  std::size_t bytes = 0;
  CUdeviceptr memory = 0;
  void* pinned = nullptr;
  SHOW_RESULT(cuInit(1));
  SHOW_RESULT(cuCtxCreate(&context, nullptr, 0x1000, 0));
  SHOW_RESULT(cuCtxCreate(&context, nullptr, 0, 1000));
  SHOW_RESULT(cuCtxCreate(nullptr, nullptr, 0, 0));
  SHOW_RESULT(cuCtxDestroy(nullptr));
  SHOW_RESULT(cuCtxGetDevice(nullptr));
  SHOW_RESULT(cuCtxGetFlags(&flags));
  std::printf("flags %u\n", flags);
  SHOW_RESULT(cuDevicePrimaryCtxRetain(&context, 1000));
  SHOW_RESULT(cuDevicePrimaryCtxRelease(1000));
  SHOW_RESULT(cuDevicePrimaryCtxSetFlags(0, 0x1000));
  SHOW_RESULT(cuCtxGetLimit(&bytes, CU_LIMIT_MAX));
  SHOW_RESULT(cuCtxSetLimit(CU_LIMIT_MAX, 1));
  SHOW_RESULT(cuMemFree(0));
  SHOW_RESULT(cuMemFree(12345));
  SHOW_RESULT(cuMemFreeHost(nullptr));
  SHOW_RESULT(cuMemAllocHost(&pinned, 0));
  SHOW_RESULT(cuMemAllocManaged(&memory, 64, 0));
  SHOW_RESULT(cuMemAllocManaged(&memory, 64, CU_MEM_ATTACH_SINGLE));
  SHOW_RESULT(cuMemGetAddressRange(&memory, &bytes, as_address(&device)));
  SHOW_RESULT(cuMemcpyHtoD(0, &device, 4));
  SHOW_RESULT(cuMemcpyHtoD(0, &device, 0));
  SHOW_RESULT(cuStreamDestroy(nullptr));
  SHOW_RESULT(cuEventDestroy(nullptr));
  SHOW_RESULT(cuEventSynchronize(nullptr));
  SHOW_ERROR(cudaPeekAtLastError());
}
