#!/usr/bin/env bash
# End-to-end tests of the `heddle` command. Usage: cli_test.sh HEDDLE CASE
# Each case is a function below; exit 77 means that something it needs is not installed.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"

hello() { # a small program at hello.cu
  cat >hello.cu <<'CU'
#include <cstdio>
__global__ void hello(int n) {
  if (threadIdx.x == 31) printf("hello from lane %d\n", int(threadIdx.x) % n);
}
int main(int count, char** words) {
  hello<<<1, 32>>>(32);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 1; i < count; ++i) std::printf("[%s]", words[i]);
  return 40 + count;
}
CU
}

language_case() { # compiler, standard
  need "$1"
  export HEDDLE_CXX=$1
  local file
  for file in language kernel_shapes kernel_addresses hard_to_read dialect; do
    try "$heddle" run "-std=c++$2" -Wall -Wextra -Wpedantic -Werror "$fixtures/$file.cu"
    expect_status 0
    expect_silence
  done
  cat >null.cu <<'CU'
__global__ void kernel() {
  int* nowhere = nullptr;
  *nowhere = 1;
}
int main() {
  kernel<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
CU
  try "$heddle" run "-std=c++$2" null.cu
  expect_status 0
}
language_with_gcc_17() { language_case g++ 17; }
language_with_gcc_20() { language_case g++ 20; }
language_with_clang_17() { language_case clang++ 17; }
language_with_clang_20() { language_case clang++ 20; }

ptx_answers() {
  try "$heddle" run -Wall -Wextra -Werror "$fixtures/ptx.cu"
  expect_status 0
  expect_silence
}

# The checker sees inline PTX like CUDA's own functions: here, the scope of an atomic operation.
ptx_is_checked() {
  local scope
  for scope in cta gpu; do
    cat >count_$scope.cu <<CU
__managed__ unsigned even;
__global__ void count() {
  if (threadIdx.x % 2 == 0)
    asm volatile("red.relaxed.$scope.global.add.u32 [%0], 1;" ::"l"(&even) : "memory");
}
int main() {
  count<<<4, 64>>>();
  cudaDeviceSynchronize();
}
CU
  done
  try "$heddle" check count_cta.cu
  expect_status 1
  [[ $messages == *"the scope of one atomic operation does not include the other thread"*"count_cta.cu:4"* ]] ||
    fail "the report is: $messages"
  try "$heddle" check count_gpu.cu
  expect_status 0
}

exit_codes_and_arguments() {
  hello
  try "$heddle" run hello.cu -- one "two three" --keep
  expect_status 44
  [[ $output == *"hello from lane 31"*"[one][two three][--keep]"* ]] || fail "output: $output"
  try "$heddle" run --no-cache hello.cu
  expect_status 41
  echo 'int main() { __builtin_trap(); }' >trap.cu
  try "$heddle" run trap.cu
  ((status >= 128)) || fail "a crash ended with $status"
  try "$heddle" run --no-cache trap.cu
  ((status >= 128)) || fail "a crash ended with $status"
  echo '#include <cstdlib>
        int main() { return std::atoi(std::getenv("HEDDLE_WORKERS")) * 10 + std::atoi(std::getenv("HEDDLE_TIMEOUT")); }' >settings.cu
  try "$heddle" run --workers 3 --timeout 5 settings.cu
  expect_status 35
}

compile_errors() {
  cat >wrong.cu <<'CU'
template <typename T>
__global__ void kernel(T* out, int n) {
  __shared__ float box[4], undeclared_type_follows;
  __shared__ nonsense other;
  out[0] = unknown_in_kernel;
}
int main() {
  kernel<<<1,
           unknown_in_shape>>>(static_cast<int*>(nullptr),
                               unknown_in_arguments);
  int after = unknown_after;
  return __LINE__;
}
CU
  try "$heddle" run wrong.cu
  expect_status 2
  local place
  for place in 4:.*nonsense 5:.*unknown_in_kernel 9:.*unknown_in_shape 10:.*unknown_in_arguments \
    11:.*unknown_after; do
    grep -qE "^wrong\.cu:${place%%:*}:[0-9]+: error: .*${place#*:.\*}" <<<"$messages" ||
      fail "no error at line $place in: $messages"
  done
  [[ $messages != *heddle_host* ]] || fail "the rewriting shows: $messages"
  expect_no_files_in_cache
  try "$heddle" cc -c wrong.cu
  expect_status 2
  [[ ! -e wrong.o ]] || fail "an object was left"
  printf '#include "not_there.h"\nint main() {}\n' >missing.cu
  try "$heddle" run missing.cu
  expect_status 2
  expect_message "missing.cu:1:"
  try "$heddle" run nowhere.cu
  expect_status 2
  expect_one_message "heddle: no such file: nowhere.cu"
  printf 'void f();\nint main() { f(); }\n' >unlinked.cu
  try "$heddle" run unlinked.cu
  expect_status 2
  expect_no_files_in_cache
}

# Error columns are those of the user's source, also after macros, comments and runs of blanks.
error_columns() {
  printf '%s\n' '#define CHECK(call) do { if ((call) != cudaSuccess) return 1; } while (0)' \
    '__global__ void k(int* p) { p[0] = wrong_1; }' \
    'template <int n> __global__ void __launch_bounds__(32) l(int* p) { __shared__ int box[n]; box[0] = 1; p[0] = wrong_2; }' \
    '__device__ __forceinline__   int f(int a) { return /* and so on */ wrong_3; }' \
    'int main() {' \
    $'\tk<<<1, 32>>>(wrong_4); CHECK(cudaDeviceSynchronize()); return wrong_5; }' >columns.cu
  local compiler number line at
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    HEDDLE_CXX=$compiler try "$heddle" cc -fdiagnostics-color=never -c columns.cu
    expect_status 2
    for number in 1 2 3 4 5; do
      line=$(grep -n "wrong_$number" columns.cu)
      at=${line#*:}
      at=${at%%wrong_$number*}
      # g++ counts a tab up to the next tab stop, clang++ as one column.
      [[ $compiler == g++ ]] && at=${at//$'\t'/        }
      expect_message "columns.cu:${line%%:*}:$((${#at} + 1)): error: "
    done
  done
}

warnings() {
  cat >warned.cu <<'CU'
__global__ void kernel(int* out, int unused_parameter) {
  __shared__ int used[4], not_used;
  int unused_variable;
  used[0] = 1;
#pragma unroll
  for (int i = 0; i < 4; ++i) out[i] = used[0];
}
int main() { kernel<<<1, 1>>>(nullptr, 1); }
CU
  try "$heddle" cc -Wall -Wextra -c warned.cu
  expect_status 0
  (($(grep -c 'warning:' <<<"$messages") == 2)) || fail "not two warnings: $messages"
  expect_message "warned.cu:1:"
  expect_message "warned.cu:3:"
  try "$heddle" cc -w --no-cache -c warned.cu
  expect_silence
  # Without -Wno-psabi, g++ on x86-64 prints a note that the ABI of such values has changed.
  cat >wide.cu <<'CU'
struct alignas(32) wide { double values[4]; };
__device__ __noinline__ wide twice(wide x) {
  for (double& value : x.values) value *= 2;
  return x;
}
__global__ void kernel(wide* x) { *x = twice(*x); }
CU
  try "$heddle" cc -c wide.cu
  expect_status 0
  expect_silence
}

caching() {
  hello
  echo '#define WORD "a"' >word.h
  sed -i '1i #include "word.h"' hello.cu
  try "$heddle" run --verbose hello.cu
  [[ $messages == *" -c "* ]] || fail "nothing was compiled: $messages"
  try "$heddle" run --verbose hello.cu
  expect_status 41
  [[ $messages != *" -c "* ]] || fail "compiled twice: $messages"
  try "$heddle" run --verbose -O1 hello.cu
  [[ $messages == *" -c "* ]] || fail "other flags, but nothing was compiled"
  try "$heddle" run --verbose hello.cu
  [[ $messages != *" -c "* ]] || fail "forgotten because of other flags"
  echo '#define WORD "b"
int in_header;' >word.h
  try "$heddle" run --verbose hello.cu
  [[ $messages == *" -c "* ]] || fail "a changed header, but nothing was compiled"
  try "$heddle" run --verbose --no-cache hello.cu
  [[ $messages == *" -c "* ]] || fail "--no-cache compiled nothing"
  local started=$(date +%s%N)
  try "$heddle" run hello.cu
  echo "a cached run took $((($(date +%s%N) - started) / 1000000)) ms"
  [[ -z $(find "$HEDDLE_CACHE" -name 'building*') ]] || fail "a scratch folder was left"
  HEDDLE_CACHE=/proc/not-writable try "$heddle" run hello.cu
  expect_status 41
  # Two builds at the same time do not disturb each other.
  rm -rf "$HEDDLE_CACHE"
  "$heddle" run hello.cu >first.txt &
  local first=$!
  "$heddle" run hello.cu >second.txt
  (($? == 41)) || fail "the second of two builds failed"
  wait $first
  (($? == 41)) || fail "the first of two builds failed"
}

# A file is preprocessed for the host as well only if it depends on __CUDA_ARCH__. What every file includes does not.
preprocessing_once() {
  hello
  try "$heddle" cc --verbose --no-cache -c hello.cu
  expect_status 0
  [[ $(grep -c -- ' -E ' <<<"$messages") == 1 ]] || fail "not preprocessed once: $messages"
  echo '#ifdef __CUDA_ARCH__
int in_device_text;
#endif' >>hello.cu
  try "$heddle" cc --verbose --no-cache -c hello.cu
  [[ $(grep -c -- ' -E ' <<<"$messages") == 2 ]] || fail "not preprocessed twice: $messages"
}

# The second file with the same options precompiles CUDA's headers; others use the result.
precompiling() {
  hello
  export HEDDLE_CACHE=$scratch/own_cache
  local preludes=$HEDDLE_CACHE/preludes i
  for i in 1 2 3; do
    echo "int unit_$i;" | cat - hello.cu >unit_$i.cu
    try "$heddle" cc --verbose unit_$i.cu -o unit_$i
    expect_status 0
    ./unit_$i >ran_$i.txt
    (($? == 41)) || fail "program $i does not return 41"
    cmp -s ran_1.txt ran_$i.txt || fail "program $i prints something else: $(cat ran_$i.txt)"
  done
  [[ ${HEDDLE_CXX:-g++} == *clang* ]] && return
  [[ $messages != *prelude.ii* ]] || fail "precompiled for the third file: $messages"
  [[ -s $(echo "$preludes"/*.gch) ]] || fail "nothing was precompiled: $(ls -l "$preludes")"
  # Debug information and messages name the file as before.
  try "$heddle" cc --no-cache -c unit_3.cu -o plain.o
  try "$heddle" cc -c unit_3.cu -o precompiled.o
  readelf --debug-dump=decodedline plain.o | grep unit_3 >plain.txt
  readelf --debug-dump=decodedline precompiled.o | grep unit_3 >precompiled.txt
  [[ -s plain.txt ]] || fail "no line numbers"
  cmp plain.txt precompiled.txt || fail "other line numbers"
  echo "int broken = missing;" >>unit_3.cu
  try "$heddle" cc -c unit_3.cu
  expect_message "unit_3.cu:$(wc -l <unit_3.cu):14: error:"
  # A compiler that cannot load what it precompiled compiles without.
  for i in "$preludes"/*.gch; do : >"$i"; done
  try "$heddle" cc --verbose -c unit_2.cu -o again.o -Xcompiler -fno-inline
  expect_status 0
  # A prelude that could not be precompiled is not tried again.
  echo "int more;" >>unit_2.cu
  try "$heddle" cc --verbose -c unit_2.cu -o again.o
  expect_status 0
  [[ $messages != *prelude.ii* ]] || fail "tried again: $messages"
}

interrupted() {
  # A compiler that runs until it gets a signal.
  printf '#!/bin/sh\ncase "$*" in\n*--version*) echo slow;;\n*) echo started >started; exec tail -f /dev/null;;\nesac\n' >slow
  chmod +x slow
  hello
  mkfifo started
  HEDDLE_CXX=$PWD/slow "$heddle" run hello.cu &
  local build=$!
  read -r _ <started
  kill -TERM $build
  wait $build
  (($? == 143)) || fail "a build that was broken off did not end with its signal"
  expect_no_files_in_cache
}

keeping() {
  hello
  TMPDIR=$scratch try "$heddle" run --keep hello.cu
  expect_status 41
  local folder=${messages##*intermediate files in }
  [[ -e $folder/hello.0.ii && -e $folder/hello.0.cpu.ii && -e $folder/hello.0.o ]] ||
    fail "not kept: $(ls "$folder")"
  grep -q push_configuration "$folder/hello.0.cpu.ii" || fail "the rewritten text is not there"
}

projects() {
  cp "$fixtures"/parts/* .
  try "$heddle" run first.cu second.cu main.cpp
  expect_status 0
  need make
  try make -s NVCC="$heddle cc"
  expect_status 0
  expect_silence
  try ./program
  expect_status 0
  grep -q 'device_code.cuh' first.d || fail "no dependency on the header: $(<first.d)"
  grep -q '^first.o:' first.d || fail "no target: $(<first.d)"
}

separate_compilation() {
  cp "$fixtures"/parts/* .
  try "$heddle" cc -dc across.cu elsewhere.cu
  expect_status 0
  try "$heddle" cc -dlink across.o elsewhere.o -o device.o
  expect_status 0
  try "$heddle" cc across.o elsewhere.o device.o -o program
  expect_status 0
  try ./program
  expect_status 0
  try "$heddle" cc -rdc=true across.cu elsewhere.cu -o at_once
  expect_status 0
  try ./at_once
  expect_status 0
  try "$heddle" cc -lib elsewhere.o -o libelsewhere.a
  expect_status 0
  try "$heddle" cc across.o -L. -lelsewhere -o with_archive
  expect_status 0
  try ./with_archive
  expect_status 0
  try "$heddle" cc -Xcompiler -fPIC -shared elsewhere.cu -o libshared.so
  expect_status 0
  try "$heddle" cc across.o libshared.so -Xlinker -rpath,. -o with_shared
  expect_status 0
  try ./with_shared
  expect_status 0
}

nvcc_options() {
  cp "$fixtures"/parts/* .
  hello
  try "$heddle" cc -E first.cu
  expect_status 0
  [[ $output == *"launch_first"* ]] || fail "-E gave nothing"
  try "$heddle" cc -MM first.cu
  expect_status 0
  [[ $output == *device_code.cuh* && $output != *"/usr/include/stdio.h"* ]] || fail "-MM: $output"
  [[ $output == first.o:*first.cu* ]] || fail "-MM: $output"
  cp hello.cu hello.cpp
  try "$heddle" cc -x cu hello.cpp -o from_cpp -O1 -G --use_fast_math -Xptxas -v
  expect_status 0
  try ./from_cpp
  expect_status 41
  echo 'int from_c(void) { return 3; }' >plain.c
  echo 'extern "C" int from_c(); int main() { return from_c(); }' >uses_c.cu
  try "$heddle" run uses_c.cu plain.c
  expect_status 3
  try "$heddle" cc --version
  [[ $output == *"release 13.0"* ]] || fail "--version: $output"
  try "$heddle" cc -c hello.cu --frobnicate
  expect_status 2
  expect_one_message "heddle: unknown option --frobnicate"
  try "$heddle" cc -ccbin no_such_compiler -c hello.cu
  expect_status 2
  expect_one_message "no_such_compiler"
  try "$heddle" frobnicate
  expect_status 2
  expect_one_message "heddle: unknown command 'frobnicate'"
  try "$heddle" help
  expect_status 0
  try "$heddle" run --help
  expect_status 0
  try "$heddle" cc hello.cu -odir . -lcufft
  expect_status 2
  expect_one_message "cufft"
}

refused() { # text of x.cu, then the one message
  printf '%s\n' "$1" >x.cu
  try "$heddle" run x.cu "${@:3}"
  expect_status 2
  expect_one_message "$2"
}

too_much_shared_memory() {
  cat >x.cu <<'CU'
template <int n>
__global__ void fill(int* out) {
  __shared__ int first[n];
  {
    __shared__ int second[288];
    second[threadIdx.x] = 1;
    out[threadIdx.x] = second[threadIdx.x];
  }
  first[threadIdx.x] = 2;
  out[threadIdx.x] += first[threadIdx.x];
}
__global__ void of_launch(int* out) {
  extern __shared__ int all[];
  all[threadIdx.x] = 3;
  out[threadIdx.x] += all[threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  fill<SIZE><<<1, 32>>>(out);
  cudaFuncSetAttribute(of_launch, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
  of_launch<<<1, 32, 100 * 1024>>>(out);
  const bool is_done = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(out);
  return is_done ? 0 : 1;
}
CU
  try "$heddle" run -DSIZE=12000 x.cu
  expect_status 0
  try "$heddle" check -DSIZE=12000 x.cu
  expect_status 0
  local said="x.cu: heddle: the kernel fill<12001>(int*) uses 49156 bytes of static shared memory; the limit is 49152"
  local words
  for words in "run" "check" "cc -c" "profile"; do
    try "$heddle" $words -DSIZE=12001 x.cu
    expect_status 2
    expect_one_message "$said"
  done
  [[ ! -e x.o ]] || fail "an object is left"
}

unsupported() {
  local header
  for header in cublasXt.h curand_mtgp32_host.h cufft.h cusparse.h nvrtc.h \
    mma.h; do
    refused $'#include <cstdio>\n\n#include <'"$header"$'>\nint main() {}' "x.cu:3: heddle: "
  done
  expect_no_files_in_cache
  # Many projects have the toolkit's headers on their include path.
  mkdir -p toolkit
  touch toolkit/cuda_runtime_api.h toolkit/cufft.h
  refused $'\n#include <cufft.h>\nint main() {}' "x.cu:2: heddle: cuFFT" -Itoolkit
  # CUB and Thrust are compiled from where the user has them; here, nowhere.
  if [[ ! -d /usr/include/cub ]]; then
    CUDA_HOME=$PWD/toolkit refused $'#include <cub/cub.cuh>\nint main() {}' "x.cu:1: heddle: CUB was not found"
    CUDA_HOME=$PWD/toolkit refused $'#include <thrust/sort.h>\nint main() {}' "x.cu:1: heddle: Thrust was not found"
  fi
  # A user's own folder with the same name is accepted.
  mkdir -p own/cub
  echo 'int from_own = 0;' >own/cub/cub.cuh
  printf '#include <cub/cub.cuh>\nint main() { return from_own; }\n' >x.cu
  try "$heddle" run x.cu -Iown
  expect_status 0
  refused $'__global__ void k(int* p) {\n  *p = __shfl_down(*p, 1);\n}\nint main() {}' \
    'x.cu:2: heddle: `__shfl_down` was removed from CUDA: use `__shfl_down_sync('
  refused $'__global__ void k() {\n  __shared__ int a = 3;\n}\nint main() {}' "x.cu:2: heddle: "
}

# Headers that programs include but hardly use: old names, and types of what is not supported.
unused_headers() {
  local header
  for header in cuda.h cudaProfiler.h cuda_profiler_api.h library_types.h host_config.h common_functions.h \
    device_types.h device_double_functions.h cuda_texture_types.h cuda_surface_types.h texture_types.h \
    surface_functions.h surface_indirect_functions.h texture_fetch_functions.h vector_functions.hpp \
    crt/host_defines.h crt/host_config.h crt/device_functions.h crt/math_functions.h crt/common_functions.h \
    sm_20_intrinsics.h sm_30_intrinsics.h sm_32_intrinsics.h sm_35_intrinsics.h sm_61_intrinsics.h \
    sm_20_atomic_functions.h sm_32_atomic_functions.h sm_35_atomic_functions.h sm_60_atomic_functions.h; do
    echo "#include <$header>"
  done >all.cu
  cat >>all.cu <<'CU'
// As helpers do which serve the runtime and the driver.
#if !defined __DRIVER_TYPES_H__ || !defined __CUDA_RUNTIME_H__ || !defined __cuda_cuda_h__
#error "no guards of CUDA headers"
#endif
__forceinline__ __device__ inline int twice(int x) { return 2 * x; }
inline __device__ __forceinline__ int thrice(int x) { return 3 * x; }
__global__ void kernel(int* p) { *p = twice(*p) + thrice(1); }
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof *p);
  *p = CUDA_R_32I;
  cuProfilerStart();
  kernel<<<1, 1>>>(p);
  return cudaDeviceSynchronize() == cudaSuccess ? *p : 1;
}
CU
  try "$heddle" run -Wall -Wextra all.cu -Xcompiler -lcuda
  expect_status 23
  expect_silence
}

driver_header_case() { # compiler
  need "$1"
  export HEDDLE_CXX=$1
  # A driver call in a function that is never used is not an error.
  cat >unused.cpp <<'CPP'
#define error(text, number)  // a name that programs define as a macro
#define aligned
#include <cuda.h>
#undef aligned
#undef error
#include <cuda_runtime.h>
inline CUresult never_used(CUmodule* m) { return cuModuleLoad(m, ""); }
template <typename T> CUresult never_instantiated(T* m) { return cuModuleUnload((CUmodule)m); }
static_assert(sizeof(CUtensorMap) == 128, "");
int from_cpp() {
  CUstream stream = cudaStream_t();
  int count = 0;
  return stream == nullptr && cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS ? count : 0;
}
CPP
  { sed 's/from_cpp/from_cu/' unused.cpp; echo '__global__ void k() {}
extern "C" int from_c(void);
int from_cpp();
int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize() + 10 * from_cpp() + 3 * from_cu() + from_c(); }'; } >unused.cu
  printf '#include <cuda.h>\nint from_c(void) { return cuInit(0) == CUDA_SUCCESS; }\n' >unused.c
  local optimization
  for optimization in -O0 -O2; do
    try "$heddle" run -Wall -Wextra -Wpedantic -Werror $optimization unused.cu unused.cpp unused.c -lcuda
    expect_status 14
    expect_silence
  done
  # A toolkit on the include path does not interfere.
  mkdir -p toolkit
  touch toolkit/cuda_runtime_api.h
  echo '#error the toolkit was read' | tee toolkit/cuda.h >toolkit/cuda_runtime.h
  try "$heddle" run -Itoolkit -isystem toolkit unused.cu unused.cpp unused.c
  expect_status 14
}
driver_header_with_gcc() { driver_header_case g++; }
driver_header_with_clang() { driver_header_case clang++; }

unsupported_calls_case() { # compiler
  need "$1"
  export HEDDLE_CXX=$1
  cat >load.cpp <<'CPP'
#include <cuda.h>
CUresult load(CUmodule* module) {
  return cuModuleLoad(module, "kernels.cubin");
}
CPP
  cat >calls.cu <<'CU'
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_gl_interop.h>
CUresult load(CUmodule*);
__global__ void kernel(bool calls, int* p) {
  if (calls && threadIdx.x == 3) *p = __pm0();
}
int main(int count, char** arguments) {
  std::printf("begun");
  CUresult (*const by_address)(CUmodule) = cuModuleUnload;
  const int which = count > 1 ? std::atoi(arguments[1]) : 0;
  CUmodule module = nullptr;
  kernel<<<1, 32>>>(which == 1, nullptr);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  if (which == 2) load(&module);
  if (which == 3) cudaGraphicsGLRegisterBuffer(nullptr, 1, 0);
  if (which == 4) by_address(module);
  if (which == 5) {
    void* found = nullptr;
    cudaGetDriverEntryPoint("cuLinkDestroy", &found, cudaEnableDefault);
    reinterpret_cast<CUresult (*)(CUlinkState)>(found)(nullptr);
  }
  return 7;
}
CU
  local refusal='is not supported on the CPU' optimization which
  local by_host="the host reached it" advice='compile the kernels into the program'
  local expected=(
    ""
    "heddle: calls.cu:7: the function \`__pm0\` $refusal; kernel \`kernel\` reached it in block (0,0,0), thread (3,0,0) (warp 0, lane 3)"
    "heddle: load.cpp:3: the driver call \`cuModuleLoad\` $refusal: $advice; $by_host"
    "heddle: calls.cu:17: the call \`cudaGraphicsGLRegisterBuffer\` $refusal; $by_host"
    "heddle: calls.cu:18: the driver call \`cuModuleUnload\` $refusal: $advice; $by_host"
    "heddle: calls.cu:22: the driver call \`cuLinkDestroy\` $refusal: $advice; $by_host")
  for optimization in -O0 -O2; do
    try "$heddle" run -Wall -Wextra -Werror $optimization calls.cu load.cpp
    expect_status 7
    [[ $output$messages == begun ]] || fail "it said: $output $messages"
    for which in 1 2 3 4 5; do
      try "$heddle" run -Wall -Wextra -Werror $optimization calls.cu load.cpp -- $which
      expect_status 2
      [[ $output == begun ]] || fail "not written before the end: $output"
      expect_one_message "${expected[which]}"
    done
  done
  try "$heddle" check --schedules 2 calls.cu load.cpp -- 2
  expect_status 2
  expect_message "${expected[2]}"
  try "$heddle" cc --verbose --no-cache -c calls.cu
  expect_message 'calls.cu:17: heddle: note: `cudaGraphicsGLRegisterBuffer` is not supported on the CPU'
  expect_message 'calls.cu:7: heddle: note: `__pm0` is not supported on the CPU'
}
# __isConstant and __isGridConstant answer where they can, and end the program where they cannot.
constant_addresses() {
  cat >spaces.cu <<'CU'
#include <cstdio>
__constant__ int constants[4];
__global__ void ask(int which, const int* allocated, const __grid_constant__ int parameter) {
  __shared__ int shared[4];
  int own = which;
  unsigned answers = __isConstant(allocated) + __isConstant(shared) + __isConstant(&own) +
                     __isGridConstant(allocated) + __isGridConstant(shared);
  if (which == 1) answers += __isConstant(constants);
  if (which == 2) answers += __isGridConstant(&parameter);
  printf("%u\n", answers);
}
int main(int count, char**) {
  int* p;
  cudaMalloc(&p, sizeof *p);
  ask<<<1, 1>>>(count - 1, p, 3);
  return cudaDeviceSynchronize() != cudaSuccess;
}
CU
  try "$heddle" run spaces.cu
  expect_status 0
  [[ $output == 0 ]] || fail "it said: $output $messages"
  try "$heddle" run spaces.cu -- a
  expect_status 2
  expect_one_message 'spaces.cu:8: the function `__isConstant` for a variable at namespace scope is not supported on the CPU: `__constant__` variables count as global; kernel `ask` reached it'
  try "$heddle" run spaces.cu -- a b
  expect_status 2
  expect_one_message 'spaces.cu:9: the function `__isGridConstant` for memory of a thread is not supported on the CPU: each thread has its own copy'
}

unsupported_calls_with_gcc() { unsupported_calls_case g++; }

unsupported_ptx_case() { # compiler
  need "$1"
  export HEDDLE_CXX=$1
  cat >stops.cu <<'CU'
#include <cstdio>
__device__ int multiply(int x) {
  int product, unset;
  asm volatile("vmax.s32.s32.s32 %0, %1, %2;" : "=r"(product) : "r"(x), "r"(unset));
  return product;
}
template <typename T>
__global__ void kernel(T* p, bool calls) {
  *p = 7;
  if (calls && threadIdx.x == 3 && blockIdx.y == 1) *p = multiply(*p);
}
int main(int count, char**) {
  int* p;
  cudaMallocManaged(&p, sizeof *p);
  std::printf("begun");
  kernel<<<dim3(1, 2), 32>>>(p, count > 1);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  return *p;
}
CU
  try "$heddle" run -Wall -Wextra -Werror stops.cu
  expect_status 7
  [[ $output$messages == begun ]] || fail "it said: $output $messages"
  try "$heddle" cc --verbose --no-cache -c stops.cu
  expect_message 'stops.cu:4: heddle: note: the inline PTX `vmax.s32.s32.s32 %0, %1, %2` is not supported on the CPU'
  local said='heddle: stops.cu:4: the inline PTX `vmax.s32.s32.s32 %0, %1, %2` is not supported on the CPU; kernel `kernel<T = int>` reached it in block (0,1,0), thread (3,0,0) (warp 0, lane 3)'
  try "$heddle" run stops.cu -- reach
  expect_status 2
  [[ $output == begun ]] || fail "not written before the end: $output"
  expect_one_message "$said"
  # Such a run says neither that the program is right nor that it is wrong.
  try "$heddle" profile stops.cu -- reach
  expect_status 2
  expect_message "$said"
  local schedule
  for schedule in "--schedules 2" "--schedule random" "--schedule exhaustive"; do
    try "$heddle" check $schedule stops.cu -- reach
    expect_status 2
    (($(grep -cF "$said" <<<"$messages") == 1)) || fail "not said once: $messages"
    [[ $messages != *"reported no findings"* ]] || fail "it blames the program: $messages"
    [[ $messages != *"no findings"* ]] || fail "it sounds as if all was well: $messages"
  done
  try "$heddle" check --junit tests.xml stops.cu -- reach
  expect_status 2
  grep -q 'failures="0" errors="1"' tests.xml || fail "green: $(<tests.xml)"
  "$heddle" cc --check stops.cu -o checked || fail "no checked program"
  try ./checked reach
  expect_status 2
  expect_one_message "$said"
  # The same in a function that the host calls.
  printf '__host__ __device__ void f() {\n  asm("mma.sync;");\n}\nint main() { f(); }\n' >host.cu
  try "$heddle" run host.cu
  expect_status 2
  expect_one_message 'heddle: host.cu:2: the inline PTX `mma.sync` is not supported on the CPU; the host reached it'
}
unsupported_ptx_with_gcc() { unsupported_ptx_case g++; }
unsupported_ptx_with_clang() { unsupported_ptx_case clang++; }

report_case() { # compiler
  need "$1"
  export HEDDLE_CXX=$1
  cat >waves.cu <<'CU'
__device__ float wave(float x) { return __sinf(x); }
__global__ void compute(float* out, float a, float b) {
  float e;
  asm("ex2.approx.f32 %0, %1;" : "=f"(e) : "f"(a));
  out[threadIdx.x] = wave(a + threadIdx.x) + e;
  const float product = a * out[threadIdx.x];
  out[threadIdx.x] = product + b; b = __shfl_xor_sync(~0u, a, 1); out[threadIdx.x] -= b;
  if (a == 77) {
    out[threadIdx.x] = tanf(a);
  }
}
__global__ void add(float* out) { out[threadIdx.x] += 1; }
__global__ void unused(float* out) { out[0] = cosf(out[0]); }
int main(int count, char**) {
  float* out;
  cudaMalloc(&out, 128);
  compute<<<1, 32>>>(out, 1.5f, 2.5f);
  add<<<1, 32>>>(out);
  if (count == 77) unused<<<1, 1>>>(out);
  cudaFree(out);
}
CU
  try "$heddle" run --report waves.cu
  expect_status 0
  expect_message "heddle: 2 kernels ran; every operation has a GPU's exact semantics, except:"
  expect_message "waves.cu:1 in \`compute\`"
  expect_message "ex2.approx.f32   2 ulp"
  expect_message "a * b + c"
  expect_message "waves.cu:7 in \`compute\`"
  expect_message "exact in kernels: __shfl_xor_sync"
  expect_message "exact on the host: cudaFree, cudaMalloc"
  expect_message "lines that never ran: waves.cu:9"
  expect_message "kernels that never ran: \`unused\`"
  [[ $messages != *tanf* && $messages != *cosf* ]] || fail "it lists what never ran: $messages"
  try "$heddle" run --report -fmad=false -ftz=true waves.cu
  [[ $messages != *"a * b + c"* ]] || fail "it lists fused products despite -fmad=false: $messages"
  expect_message "-ftz=true: changes a GPU's results; the CPU ignores it"
}
report_with_gcc() { report_case g++; }
report_with_clang() { report_case clang++; }

report_files() {
  cat >add.cu <<'CU'
#include <cstdio>
__global__ void add(int* out) { atomicAdd(out, 1); }
int main() {
  int* out;
  cudaMallocManaged(&out, 4);
  *out = 0;
  add<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  cudaFree(out);
  return 3;
}
CU
  try "$heddle" run --report=report.txt add.cu
  expect_status 3
  [[ $output == 64 && -z $messages ]] || fail "it said: $output $messages"
  [[ $(<report.txt) == "heddle: 1 kernel ran; every operation has a GPU's exact semantics"* ]] ||
    fail "the report is: $(<report.txt)"
  try "$heddle" run --report=report.json add.cu
  expect_status 3
  grep -q '"exact": true' report.json || fail "not exact: $(<report.json)"
  grep -q '"name": "atomicAdd"' report.json || fail "no atomicAdd: $(<report.json)"
  try "$heddle" run --json add.cu
  [[ $output == '{'* && $messages == 64 ]] || fail "the outputs are mixed: $output / $messages"
  try "$heddle" run --report=/nowhere/report.txt add.cu
  expect_status 2
  expect_one_message "--report: "
  try "$heddle" run --report --gdb add.cu
  expect_status 2
  expect_one_message "--gdb and --report cannot be combined"
}

report_of_stops() {
  cat >stops.cu <<'CU'
__global__ void stop(int n) {
  if (n == 1) asm volatile("wgmma.fence.sync.aligned;");
  if (n == 2) asm volatile("wgmma.commit_group.sync.aligned;");
}
int main() {
  stop<<<1, 1>>>(2);
  cudaDeviceSynchronize();
}
CU
  try "$heddle" run --report stops.cu
  expect_status 2
  expect_message "1 kernel ran; the program stopped at an unsupported operation"
  expect_message "stopped at: the inline PTX \`wgmma.commit_group.sync.aligned\`, stops.cu:3"
  expect_message "not supported, not reached: the inline PTX \`wgmma.fence.sync.aligned\`, stops.cu:2"
}

wide_shifts_case() { # compiler
  need "$1"
  export HEDDLE_CXX=$1
  cat >shifts.cu <<'CU'
#include <cstdio>
#include <iostream>
struct fields {
  unsigned low : 5, high : 27;
};
struct trail {
  unsigned code;
};
__device__ trail& operator<<(trail& to, unsigned step) {
  to.code = to.code * 31 + step;
  return to;
}
__device__ trail& operator<<=(trail& to, unsigned step) { return to << step + 1; }
template <typename T>
__device__ T twice(T x, int n) { return x << n << n; }
template <typename T>
__device__ T in_place(T x, int n) {
  x <<= n;
  return x;
}
__host__ __device__ void print(int x, int n) {
#ifndef __CUDA_ARCH__
  std::cout << (x << n) << " shifted by " << n << std::endl;
#endif
}
__global__ void shift(unsigned n, long long wide, unsigned* o, long long* l) {
  fields f{3, 5};
  trail steps{1};
  steps << n << 40u;
  constexpr int four = 1 << 2;
  unsigned array[four << 1] = {};
  o[0] = 1u << n;
  o[1] = 0xffffffffu >> n;
  o[2] = f.high << n;
  o[3] = steps.code;
  o[4] = static_cast<unsigned>(wide) >> n;
  o[5] = -5 >> n;
  o[6] = twice(3, n / 2) + array[n >> 30 & 1];
  o[7] = 1 << -1;
  l[0] = wide << n;
  l[1] = wide >> 2 * n;
  l[2] = -wide >> 2 * n;
  steps <<= n;
  f.low <<= n & 1;
  short narrow = -3;
  narrow >>= n;
  volatile unsigned all = ~0u;
  all <<= n;
  long long moved[2] = {wide, -wide};
  int k = 0;
  (moved[k++] >>= 2 * n) <<= n >> 6;
  moved[1] >>= 2 * n;
  o[8] = steps.code + f.low;
  o[9] = narrow;
  o[10] = all;
  o[11] = in_place(3u, n) + in_place<unsigned char>(3, n);
  o[12] = k;
  l[3] = moved[0];
  l[4] = moved[1];
}
int main() {
  unsigned* o;
  long long* l;
  cudaMallocManaged(&o, 64);
  cudaMallocManaged(&l, 64);
  for (unsigned n : {5u, 32u, 64u}) {
    shift<<<1, 1>>>(n, 0x123456789abcdefLL, o, l);
    cudaDeviceSynchronize();
    for (int i = 0; i < 13; ++i) std::printf("%x ", o[i]);
    for (int i = 0; i < 5; ++i) std::printf("%llx ", l[i]);
    std::printf("\n");
  }
  std::fflush(stdout);
  print(1, 3);
}
CU
  try "$heddle" run -Wall -Wextra shifts.cu
  expect_status 0
  local expected="20 7ffffff a0 484 44d5e6f ffffffff 30 0 8c08 ffffffff ffffffe0 c0 1\
 2468acf13579bde0 48d159e26af3 ffffb72ea61d950c 48d159e26af3 ffffb72ea61d950c
0 0 0 7c9 0 ffffffff 0 0 f17b ffffffff 0 0 1 89abcdef00000000 0 ffffffffffffffff 0 ffffffffffffffff
0 0 0 ba9 0 ffffffff 0 0 169bb ffffffff 0 0 1 0 0 ffffffffffffffff 0 ffffffffffffffff
8 shifted by 3"
  [[ ${output// $'\n'/$'\n'} == "$expected" ]] || fail "the results are: $output $messages"
}
wide_shifts_with_gcc() { wide_shifts_case g++; }
wide_shifts_with_clang() { wide_shifts_case clang++; }

debugging() {
  need gdb
  cp "$fixtures/debug.cu" .
  try "$heddle" run --gdb debug.cu < <(printf '%s\n' 'set pagination off' 'break debug.cu:11' run \
    'bt 1' 'print offset' 'print index' 'print threadIdx.x' next 'frame' kill quit)
  local expected
  for expected in 'debug.cu:11' '= 100' '= 103' '= 3' 'debug.cu:12' 'data[threadIdx.x] = index;'; do
    [[ $output == *"$expected"* ]] || fail "no '$expected' in: $output $messages"
  done
}

in_gdb() { # file, gdb's commands…
  local file=$1
  shift
  # Uses a script, because gdb waits for each of its commands; from standard input it may read the next
  # line while the program still runs. Each command is followed by a prompt.
  printf '%s\necho (gdb) \\n\n' 'set pagination off' 'set confirm off' "$@" kill >commands.gdb
  try "$heddle" run --gdb "$file" < <(echo 'source commands.gdb')
}
expect_output() {
  local expected
  for expected in "$@"; do
    [[ $output == *"$expected"* ]] || fail "no '$expected' in: $output $messages"
  done
}

debugging_by_name() { # compiler
  need gdb
  need "$1"
  gdb -batch -ex 'python print(1)' >/dev/null 2>&1 || { echo "skipped: this gdb has no Python"; exit 77; }
  export HEDDLE_CXX=$1
  cp "$fixtures/debug.cu" "$fixtures/debug_names.cu" .
  # Stops in the body; the backtrace has the kernel's own name and no frames of the runtime.
  in_gdb debug.cu 'break kernel' run bt 'print offset' 'print threadIdx.x' 'info breakpoints'
  expect_output $'#0  kernel () at debug.cu:8\n(gdb) ' '= 100' '= 0' $'\n2       breakpoint'
  [[ $output != *'in kernel(int*, int) at'* ]] || fail "a breakpoint at the launch is left: $output"
  # A conditional breakpoint, and a device function with the kernel as its caller.
  in_gdb debug.cu 'break kernel if threadIdx.x == 3' run 'print threadIdx.x' 'break twice' continue bt
  expect_output '= 3' '#0  twice (x=103)' $'#1  0x' $' in kernel () at debug.cu:11\n(gdb) '
  in_gdb debug.cu 'tbreak kernel' run bt continue
  expect_output '#0  kernel () at debug.cu:8'
  # gdb 13 sometimes misses the exit of a program with several threads, when it asks for the registers
  # of a thread that has exited.
  [[ $output$messages == *'exited normally'* || $output$messages == *'No such process'* ]] ||
    fail "it did not run to its end: $output $messages"
  # Templates, overloads, namespaces and C linkage; lines and host functions work as before.
  in_gdb debug_names.cu 'break fill' 'break overloaded' 'break hidden' 'break with_c_linkage' \
    'break -function ::on_host' 'break debug_names.cu:11' run bt continue bt continue bt continue bt \
    continue bt continue bt continue bt continue bt
  expect_output '#0  fill<int> () at' '#0  fill<float> () at' '#0  overloaded () at debug_names.cu:10' \
    '#0  overloaded () at debug_names.cu:11' '#0  overloaded () at debug_names.cu:14' '::hidden () at debug_names.cu:' \
    '#0  with_c_linkage () at' '#0  on_host (x=3)' $' in main () at'
}
# gdb without heddle, on a program that was built before: optimised or not, with and without -g.
debugging_built_programs() {
  need gdb
  gdb -batch -ex 'python print(1)' >/dev/null 2>&1 || { echo "skipped: this gdb has no Python"; exit 77; }
  cp "$fixtures/debug.cu" .
  local script=$(dirname "$(dirname "$heddle")")/share/heddle/gdb_kernels.py compiler flags
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for flags in -g -G "-g -O3"; do
      HEDDLE_CXX=$compiler try "$heddle" cc $flags debug.cu -o debug
      expect_status 0
      try gdb -q -batch -iex "add-auto-load-safe-path $PWD/debug" -ex 'break kernel' -ex run -ex bt ./debug
      [[ $output =~ "#0  "(0x[0-9a-f]+" in ")?"kernel () at debug.cu:" && $output != *" in main"* ]] ||
        fail "$compiler $flags: $output $messages"
    done
  done
  # Without -g, kernel bodies are inlined into the runtime's loop, and gdb gets the script with -x.
  HEDDLE_CXX=g++ try "$heddle" cc -O2 debug.cu -o debug
  try gdb -q -batch -x "$script" -ex 'break kernel' -ex run -ex bt ./debug
  [[ $output =~ "#0  "(0x[0-9a-f]+" in ")?"kernel () at debug.cu:" && $output != *" in main"* ]] || fail "-O2: $output $messages"
  ! grep -q debug_gdb_scripts <(readelf -S debug 2>/dev/null) || fail "a script without -g"
}
debugging_by_name_with_gcc() { debugging_by_name g++; }
debugging_by_name_with_clang() { debugging_by_name clang++; }

coverage() {
  need gcov
  cp "$fixtures/debug.cu" .
  HEDDLE_CXX=g++ try "$heddle" cc --coverage -O0 -c debug.cu -o debug.o
  expect_status 0
  HEDDLE_CXX=g++ try "$heddle" cc --coverage debug.o -o debug
  expect_status 0
  ./debug || fail "the program ended with $?"
  gcov debug.gcda >gcov.txt 2>&1 || fail "gcov: $(<gcov.txt)"
  local line
  for line in '32:    9:' '32:   10:' '1:   11:' '32:   12:' '1:   17:'; do
    grep -qE "^ *$line" debug.cu.gcov || fail "no line '$line' in: $(<debug.cu.gcov)"
  done
}

# Configure scripts send objects, programs and dependencies to /dev/null.
outputs_to_devices() {
  hello
  make_null null
  local words
  for words in "-c hello.cu" "hello.cu" "-lib hello.cu" "-E hello.cu" "-M hello.cu" "-dlink hello.cu" \
    "-c --no-cache hello.cu" "-c --coverage hello.cu" "--check -c hello.cu"; do
    try "$heddle" cc $words -o null
    expect_status 0
    expect_null null
  done
  rm -f hello.gcno
  try "$heddle" cc -c hello.cu -MD -MF null -o hello.o
  expect_status 0
  expect_null null
  # Without -MF, the dependency file is named after the source, as if there were no -o.
  try "$heddle" cc -c hello.cu -MD -o null
  expect_status 0
  [[ $(head -c 9 hello.d) == "hello.o: " ]] || fail "dependencies: $(head -n 1 hello.d)"
  [[ $(ls -A | tr '\n' ' ') == "hello.cu hello.d hello.o null " ]] || fail "left over: $(ls -A)"
  try "$heddle" cc hello.cu -o /dev/full
  expect_status 2
  expect_one_message "heddle: cannot write /dev/full: No space left on device"
  try "$heddle" cc -c hello.cu -o nowhere/hello.o
  expect_status 2
  expect_one_message "heddle: cannot write nowhere/hello.o: No such file or directory"
}

outputs_to_the_standard_output() {
  hello
  local name
  for name in - /dev/stdout; do
    "$heddle" cc -c hello.cu -o $name >hello.o || fail "-c -o $name ended with $?"
    "$heddle" cc hello.o -o $name >hello || fail "-o $name ended with $?"
    chmod +x hello
    ./hello >/dev/null
    (($? == 41)) || fail "the program does not run"
    "$heddle" cc -c hello.cu -MD -MF $name -o hello.o >hello.d || fail "-MF $name ended with $?"
    [[ $(head -c 9 hello.d) == "hello.o: " ]] || fail "dependencies: $(head -n 1 hello.d)"
    "$heddle" cc -E hello.cu -o $name | grep -q 'hello from lane' || fail "-E -o $name"
  done
  [[ $(ls -A | tr '\n' ' ') == "hello hello.cu hello.d hello.o " ]] || fail "left over: $(ls -A)"
}

# Writes through symbolic links; other hard links to an old file keep the old bytes.
outputs_to_links() {
  hello
  mkdir there
  ln -s there/hello.o link.o
  ln -s there/hello link
  try "$heddle" cc -c hello.cu -o link.o
  expect_status 0
  try "$heddle" cc link.o -o link
  expect_status 0
  [[ -L link && -L link.o && -f there/hello.o && -x there/hello ]] || fail "$(ls -l . there)"
  echo old >hard
  ln hard other_name
  try "$heddle" cc hello.cu -o hard
  [[ $(<other_name) == old ]] || fail "the other name of an output has new bytes"
  # A file of the user is not overwritten.
  echo mine >hello.o
  try "$heddle" run --coverage hello.cu
  expect_status 2
  expect_one_message "hello.o already exists"
  [[ $(<hello.o) == mine ]] || fail "hello.o was replaced"
}

# On a terminal, one message says that CPU times are not GPU times; elsewhere there is none.
event_times() {
  need script
  cat >timed.cu <<'CU'
__global__ void k() {}
int main() {
  cudaEvent_t begin, end;
  float milliseconds;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  for (int i = 0; i < 3; ++i) {
    cudaEventRecord(begin);
    k<<<1, 32>>>();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    if (cudaEventElapsedTime(&milliseconds, begin, end) != cudaSuccess) return 1;
  }
}
CU
  try "$heddle" run timed.cu
  expect_status 0
  expect_silence
  try script -qec "$(printf '%q run timed.cu' "$heddle")" /dev/null
  expect_status 0
  (($(grep -c 'times on a CPU say nothing about a GPU' <<<"$output") == 1)) || fail "it said: $output"
}

no_main() {
  echo '__global__ void k() {}' >kernels.cu
  local command
  for command in run check profile cc; do
    try "$heddle" $command kernels.cu
    expect_status 2
    expect_one_message 'kernels.cu has no main(); use `heddle cc -c kernels.cu` to compile without linking'
  done
  cp kernels.cu more.cu
  sed -i 's/ k(/ more(/' more.cu
  try "$heddle" run kernels.cu more.cu
  expect_one_message 'the 2 files have no main()'
  [[ ! -e a.out ]] || fail "there is a program"
}

# The program blocks the preemption timer, so only the calls at basic blocks can preempt the lane that
# spins.
preemption_points() {
  try timeout 60 "$heddle" run -O2 -fsanitize-coverage=trace-pc "$fixtures/hand_shake.cu"
  expect_status 0
  [[ $output == "cudaSuccess 2000" ]] || fail "it said: $output $messages"
}

run_case "$2"
