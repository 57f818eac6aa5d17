#!/usr/bin/env bash
# User programs with the compilers' sanitizers. Usage: sanitizer_test.sh HEDDLE CASE
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"
root=$(readlink -f "$fixtures/../../..")
unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS

both=(-Xcompiler -fsanitize=address -Xcompiler -fsanitize=undefined -Xcompiler -fno-sanitize-recover=all)

need_sanitizers() { # compiler
  need "$1"
  export HEDDLE_CXX=$1
  echo 'int main() {}' >empty.cpp
  "$1" -fsanitize=address,undefined empty.cpp -o empty 2>/dev/null && ./empty 2>/dev/null || {
    echo "skipped: programs with the sanitizers of $1 cannot be built or do not run here"
    exit 77
  }
}

# Lanes that wait for each other in every way, abandoned lanes, and memory of all kinds.
good_program() {
  cat >good.cu <<'CU'
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
__device__ int counter;
__constant__ int step[2] = {1, 2};
__device__ __noinline__ int sum_of_own(int n) {
  int own[8];
  for (int i = 0; i < 8; ++i) own[i] = i * n;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += own[__shfl_xor_sync(~0u, i, 1) & 7];
  return sum;
}
__global__ void meet(int* out, int n) {
  extern __shared__ int staged[];
  __shared__ int flag;
  int own[4] = {n, n + 1, n + 2, n + 3};
  staged[threadIdx.x] = own[threadIdx.x % 4];
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  const unsigned same = __match_any_sync(~0u, staged[threadIdx.x ^ 1]);
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  tile.sync();
  if (threadIdx.x % 2 == 0) cg::coalesced_threads().sync();
  if (threadIdx.x == 40) atomicExch(&flag, step[0]);
  while (atomicAdd(&flag, 0) == 0) __nanosleep(10);
  atomicAdd(&counter, __popc(same) != 0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum_of_own(1) + own[1];
  if (threadIdx.x > 50) return;
  __syncwarp(__activemask());
}
__global__ void stop(int* nowhere) {
  int own[16];
  own[threadIdx.x % 16] = 1;
  __syncwarp();
  if (threadIdx.x == 3) *nowhere = own[threadIdx.x % 16];
  __syncthreads();
}
__global__ void allocate(int** out) {
  if (threadIdx.x == 0) *out = static_cast<int*>(malloc(64));
  __syncthreads();
  (*out)[threadIdx.x % 16] = 1;
  __syncthreads();
  if (threadIdx.x == 0) free(*out);
}
int main() {
  constexpr int blocks = 40, threads = 64;
  std::vector<int> host(blocks * threads, -1);
  int* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(int));
  cudaMemset(device, 0xff, host.size() * sizeof(int));
  for (int i = 0; i < 20; ++i) meet<<<blocks, threads, threads * sizeof(int)>>>(device, i);
  allocate<<<1, 32>>>(reinterpret_cast<int**>(device));
  meet<<<blocks, threads, threads * sizeof(int)>>>(device, 5);
  cudaMemcpy(host.data(), device, host.size() * sizeof(int), cudaMemcpyDefault);
  int count = 0;
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  if (count != 21 * blocks * threads) return std::printf("%d lanes\n", count), 1;
  for (const int value : host)
    if (value != 28 + 6) return std::printf("%d\n", value), 1;
  cudaFree(device);
  return 0;
}
CU
}

finds_with() { # compiler
  need_sanitizers "$1"
  cat >host.cu <<'CU'
__global__ void kernel(int* out) { *out = __shfl_xor_sync(~0u, 1, 1); }
int main(int count, char**) {
  int* device = nullptr;
  cudaMalloc(&device, sizeof(int));
  kernel<<<1, 32>>>(device);
  cudaDeviceSynchronize();
  int* values = new int[4];
  values[0] = count;
  delete[] values;
  return values[count];
}
CU
  try "$heddle" run "${both[@]}" host.cu
  ((status != 0)) || fail "it ended with 0"
  expect_message heap-use-after-free
  expect_message host.cu:10
  cat >array.cu <<'CU'
__global__ void kernel(int* out, int n) {
  int own[8] = {};
  __syncthreads();
  for (int i = 0; i <= n; ++i) own[i] = i;
  __syncthreads();
  out[threadIdx.x] = own[n / 2];
}
int main() {
  int* device = nullptr;
  cudaMalloc(&device, 64 * sizeof(int));
  kernel<<<1, 64>>>(device, 8);
  return cudaDeviceSynchronize();
}
CU
  try "$heddle" run -O0 -Xcompiler -fsanitize=address array.cu
  ((status != 0)) || fail "it ended with 0"
  expect_message stack-buffer-overflow
  expect_message array.cu:4
  cat >overflow.cu <<'CU'
__global__ void kernel(int* out, int big) {
  __syncthreads();
  *out =
      big + 1;
}
int main() {
  int* device = nullptr;
  cudaMalloc(&device, sizeof(int));
  kernel<<<1, 32>>>(device, 2147483647);
  return cudaDeviceSynchronize();
}
CU
  try "$heddle" run "${both[@]}" overflow.cu
  ((status != 0)) || fail "it ended with 0"
  expect_message "overflow.cu:4:"
  expect_message "signed integer overflow"
  # Outside kernels, the sanitizer reports a crash as usual.
  echo 'int main() { cudaFree(0); return *static_cast<volatile int*>(nullptr); }' >crash.cu
  try "$heddle" run -Xcompiler -fsanitize=address crash.cu
  expect_message "AddressSanitizer"
}
finds_with_gcc() { finds_with g++; }
finds_with_clang() { finds_with clang++; }

silent_with() { # compiler
  need_sanitizers "$1"
  good_program
  local level
  for level in -O0 -O2; do
    try "$heddle" run $level "${both[@]}" good.cu
    expect_status 0
    expect_silence
  done
  # A failed launch abandons lanes in the middle of their functions.
  sed 's/return 0;/stop<<<4, 64>>>(nullptr);\n  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;/' \
    good.cu >failing.cu
  try "$heddle" run -Xcompiler -fsanitize=address failing.cu
  expect_status 0
  [[ $messages != *Sanitizer* ]] || fail "$messages"
}
silent_with_gcc() { silent_with g++; }
silent_with_clang() { silent_with clang++; }

# A timer preempts lanes that spin on plain memory. If the sanitizer is linked statically (clang++), this needs
# -fsanitize-coverage=trace-pc.
spinning_lanes() {
  cat >spin.cu <<'CU'
__global__ void kernel(volatile int* flag) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
  } else {
    *flag = 1;
  }
}
int main() {
  int* flag = nullptr;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  kernel<<<1, 2>>>(flag);
  return cudaDeviceSynchronize();
}
CU
  need_sanitizers g++
  try "$heddle" run "${both[@]}" spin.cu
  expect_status 0
  expect_silence
  need_sanitizers clang++
  try "$heddle" run "${both[@]}" -fsanitize-coverage=trace-pc spin.cu
  expect_status 0
  expect_silence
}

refused() {
  echo 'int main() {}' >empty.cu
  local kind
  for kind in address undefined thread; do
    try "$heddle" check -Xcompiler "-fsanitize=$kind" empty.cu
    expect_status 2
    expect_one_message "\`heddle check\` uses the compiler's sanitizer hooks itself: use -fsanitize=$kind with \`heddle run\`"
    try "$heddle" profile "-fsanitize=$kind" empty.cu
    expect_status 2
    expect_one_message "\`heddle profile\` uses the compiler's sanitizer hooks itself"
    try "$heddle" cc --check "-fsanitize=$kind" empty.cu
    expect_status 2
    expect_one_message "a checked program uses the compiler's sanitizer hooks itself"
  done
  try "$heddle" run -Xcompiler -fsanitize=undefined,thread empty.cu
  expect_status 2
  expect_one_message "-fsanitize=thread does not know about lanes"
  try "$heddle" cc -c -fsanitize=memory empty.cu
  expect_status 2
  expect_one_message "-fsanitize=memory is not supported"
  try "$heddle" run -fsanitize-coverage=trace-pc empty.cu
  expect_status 0
}

# Correct programs stay correct, and silent, with sanitizers.
many_programs_with() { # compiler, flags for the examples (one spins on plain memory)
  need_sanitizers "$1"
  local name file
  for file in "$root"/examples/[0-9]*.cu; do
    name=$(basename "$file" .cu)
    [[ $name != 10_checked_test ]] || continue               # it is built with --check
    [[ $1 != clang++ || $name != 14_task_tree ]] || continue # clang++ 14 does not compile the scheduler
    try "$heddle" run -std=c++20 "${both[@]}" "${@:2}" "$file"
    expect_status 0
    [[ $messages != *Sanitizer* && $messages != *'runtime error'* ]] || fail "$name: $messages"
    [[ $output == "$(<"$root/examples/expected/$name.txt")" ]] || fail "$name: $output"
  done
  for name in barriers coalesced_groups grid_sync kernel_language match shared_memory shuffle_xor streams wide_tiles; do
    try "$heddle" run -std=c++20 "${both[@]}" "$root/tests/conformance/$name.cu"
    expect_status 0
    [[ $messages != *Sanitizer* && $messages != *'runtime error'* ]] || fail "$name: $messages"
    [[ $output == "$(<"$root/tests/conformance/expected/$name.txt")" ]] || fail "$name: $output"
  done
}
many_programs_with_gcc() { many_programs_with g++; }
many_programs_with_clang() { many_programs_with clang++ -fsanitize-coverage=trace-pc; }

run_case "$2"
