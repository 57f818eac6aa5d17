#!/usr/bin/env bash
# clangd understands .cu files with our settings and compile commands. Usage: clangd_test.sh HEDDLE CASE
# HEDDLE_CLANGD names another clangd.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"
clangd=${HEDDLE_CLANGD:-clangd}
root=$(readlink -f "$fixtures/../../..")
home=$(dirname "$(dirname "$heddle")")
need python3

ask() { # [--definition LINE:COLUMN] files…
  need "$clangd"
  try "$fixtures/../clangd_client.py" "$clangd" "$@"
  expect_status 0
}
expect_no_diagnostics() { [[ -z $output ]] || fail "clangd says: $output"; }

documented_settings() { # the .clangd of docs/editor.md, for this heddle
  sed -n '/^```yaml$/,/^```$/p' "$root/docs/editor.md" | grep -v '^```' | sed "s,/opt/heddle,$home," >.clangd
  grep -q "$home/include/cuda_on_host" .clangd || fail "docs/editor.md has no .clangd"
}

examples() { # files; none: all
  documented_settings
  cp -r "$root/examples" .
  (($# > 0)) || set -- examples/*.cu examples/*/*.cu
  ask "$@"
  expect_no_diagnostics
}
some_examples() { examples examples/{01_hello_warp,06_block_normalise,13_pipeline}.cu examples/ladder/ladder.cu; }

conformance_files() { # names, without .cu
  documented_settings
  cp -r "$root/tests/conformance" .
  local files=("${@/#/conformance/}")
  ask "${files[@]/%/.cu}"
  expect_no_diagnostics
}
# Kernels, launches, shared memory, device variables, groups, narrow types.
language() {
  conformance_files kernel_language launch_syntax launch_api shared_memory symbols tiles grid_sync half \
    scoped_atomics streams
  cp "$fixtures/kernel_shapes.cu" "$fixtures/ptx.cu" .
  ask kernel_shapes.cu ptx.cu
  expect_no_diagnostics
}
all_conformance() {
  local names
  mapfile -t names < <(cd "$root/tests/conformance" && ls -- *.cu)
  conformance_files "${names[@]%.cu}"
}

# Every header that a file may include, without a CUDA toolkit and with the installed one.
headers() {
  documented_settings
  (cd "$root/include/heddle" && find . -name '*.cuh' ! -path './distributed/*') |
    sed 's,^\./\(.*\),#include <heddle/\1>,' | sort >library.cu
  (cd "$root/include/cuda_on_host" && grep -rL 'is not supported on the CPU' . | grep -v /detail/) |
    sed 's,^\./\(.*\),#include <\1>,' | sort >stand_ins.cu
  (($(wc -l <library.cu) > 100 && $(wc -l <stand_ins.cu) > 50)) || fail "headers are missing"
  ask library.cu stand_ins.cu
  expect_no_diagnostics
  # The C++ library is for the host, except for constexpr functions; the C library is for both.
  cat >launch.cu <<'CU'
#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <variant>
#include <vector>
struct own_error : std::runtime_error {
  using std::runtime_error::runtime_error;
  const char* what() const noexcept override { return "own"; }
};
__global__ void values(float* out, int* count);
__global__ void values(float* out, int* count) {
  int* const own = static_cast<int*>(malloc(sizeof(int)));
  memcpy(own, count, sizeof(int));
  assert(*own == 0);
  out[0] = sqrtf(out[1]) + std::sqrt(out[2]) + fabs(out[3]) + std::abs(out[4]) + std::max(1.f, out[5]);
  new (own) int(std::min(3, *count));
  printf("%d %f\n", *own, __half2float(__float2half(1.f)));
  free(own);
}
__global__ void kernel(int* out) { *out = 1; }
void host(std::vector<float>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  const auto add = [=] __device__(int i) { return i + 1; };
  static_cast<void>(add);
  std::thread([] {}).join();
  if (numbers.empty()) throw own_error("empty");
}
void launch(int* out, cudaStream_t stream) { kernel<<<dim3(1, 2), 32, 64, stream>>>(out); }
CU
  sed -i 's,- -nocudalib,&\n    - --cuda-path=/nowhere,' .clangd
  ask launch.cu
  expect_no_diagnostics
}

wrong() { # a file with two errors, at wrong.cu
  cat >wrong.cu <<'CU'
#include <cooperative_groups.h>
template <typename T>
__global__ void scale(T* values, T factor) {
  extern __shared__ T staged[];
  staged[threadIdx.x] = values[threadIdx.x] * factr;
  cooperative_groups::this_thread_block().sync();
  values[threadIdx.x] = staged[threadIdx.x];
}
int main() {
  float* values = nullptr;
  scale<<<1, 32, 32 * sizeof(float)>>>(values, 2.0f);
  return cudaDeviceSynchronise();
}
CU
}
expect_errors_of_wrong() {
  [[ $(grep -c . <<<"$output") == 2 ]] || fail "clangd says: $output"
  [[ $output == *"wrong.cu:5: "*factr*"wrong.cu:12: "*cudaDeviceSynchronise* ]] || fail "clangd says: $output"
}

errors() {
  documented_settings
  wrong
  ask wrong.cu
  expect_errors_of_wrong
  ask --definition 11:4 wrong.cu
  [[ $output == *$'\nwrong.cu:3' ]] || fail "the launch leads to: $output"
}

entries() { # file; prints `source words…` for each entry of a .cu
  python3 - "$1" <<'PYTHON'
import json, pathlib, shlex, sys
for entry in json.load(open(sys.argv[1])):
    words = entry.get('arguments') or shlex.split(entry['command'])
    if entry['file'].endswith('.cu'):
        print(pathlib.Path(entry['directory'], entry['file']).name, *words)
PYTHON
}

compile_commands_of_make() {
  need make
  cp -r "$fixtures/parts" parts && cd parts
  try make -j4 NVCC="$heddle cc --compile-commands $PWD/compile_commands.json"
  expect_status 0
  (($(entries compile_commands.json | wc -l) == 2)) || fail "$(<compile_commands.json)"
  [[ $(<compile_commands.json) == *'"file": "main.cpp"'* ]] || fail "$(<compile_commands.json)"
  # A second build replaces the entry, also when the file is named from another folder.
  try "$heddle" cc --compile-commands compile_commands.json -c first.cu
  expect_status 0
  mkdir below
  (cd below && "$heddle" cc -DMORE=1 --compile-commands ../compile_commands.json -c ../first.cu)
  (($(entries compile_commands.json | wc -l) == 2)) || fail "$(<compile_commands.json)"
  [[ $(entries compile_commands.json) == *-DMORE=1* ]] || fail "$(<compile_commands.json)"
  ask first.cu second.cu main.cpp
  expect_no_diagnostics
}

compile_commands_at_once() {
  local i
  for i in {1..16}; do echo "__global__ void k$i() {}" >"file$i.cu"; done
  for i in {1..16}; do "$heddle" cc -E "file$i.cu" --compile-commands all.json >/dev/null & done
  wait
  (($(entries all.json | wc -l) == 16)) || fail "$(<all.json)"
  [[ -z $(find . -name '.*' -type f) ]] || fail "left: $(ls -a)"
}

compile_commands_and_other_files() {
  echo '__global__ void k() {}' >k.cu
  local text
  for text in 'all: k.o' '{"file": "k.cu"}' '[1]' '[{"file": "k.cu"'; do
    printf '%s' "$text" >other
    try "$heddle" cc -c k.cu --compile-commands other
    expect_status 2
    expect_one_message "other was not changed: it does not contain a list of compile commands"
    [[ $(<other) == "$text" ]] || fail "it holds $(<other)"
    [[ ! -e k.o ]] || fail "it was compiled"
  done
  try "$heddle" cc -c k.cu --compile-commands /dev/null
  expect_status 2
  expect_one_message "/dev/null"
  [[ -c /dev/null ]] || fail "/dev/null is no device any more"
  mkdir real && ln -s real/compile_commands.json compile_commands.json
  try "$heddle" cc -c k.cu --compile-commands compile_commands.json
  expect_status 0
  [[ -L compile_commands.json && -s real/compile_commands.json ]] || fail "the link was replaced"
  # A file with errors gets an entry, too: that is when an editor helps most.
  wrong
  try "$heddle" cc -c wrong.cu --compile-commands compile_commands.json
  expect_status 2
  [[ $(entries compile_commands.json) == *wrong.cu* ]] || fail "$(<compile_commands.json)"
  ask wrong.cu
  expect_errors_of_wrong
}

compile_commands_of_cmake() {
  need cmake
  mkdir -p source/code 'source/of library'
  wrong && mv wrong.cu source/code/wrong.cu
  echo '#define factr factor' >'source/of library/right.h'
  cat >source/code/right.cu <<'CU'
#include <right.h>
static_assert(of_library == 1 && of_target == 2 && of_option == 3 && __cplusplus > 201703);
__global__ void scale(float* values, float factor) { values[threadIdx.x] *= factr; }
void launch(float* values) { scale<<<1, 32>>>(values, 2); }
CU
  cat >source/CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
add_executable(heddle::command IMPORTED)
set_target_properties(heddle::command PROPERTIES IMPORTED_LOCATION "$heddle")
add_library(heddle::host INTERFACE IMPORTED)
target_include_directories(heddle::host INTERFACE "$home/include" "$home/include/cuda_on_host")
set(HEDDLE_BACKEND cpu)
include("$root/cmake/heddle_add_executable.cmake")
add_library(library INTERFACE)
target_include_directories(library INTERFACE "\${CMAKE_CURRENT_SOURCE_DIR}/of library")
target_compile_definitions(library INTERFACE of_library=1)
heddle_add_executable(program code/right.cu code/wrong.cu LIBRARIES library OPTIONS -Xcompiler -Wall -D of_option=3)
target_compile_definitions(program PRIVATE of_target=2)
CMAKE
  local generator
  for generator in Ninja 'Unix Makefiles'; do
    [[ $generator != Ninja ]] || command -v ninja >/dev/null || continue
    try cmake -S source -B source/build -G "$generator" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    expect_status 0
    (($(entries source/build/compile_commands.json | wc -l) == 2)) || fail "$(<source/build/compile_commands.json)"
    ask source/code/right.cu source/code/wrong.cu
    expect_errors_of_wrong
    # A normal build is not affected: it compiles the .cu files only with `heddle cc`.
    try cmake --build source/build --verbose
    [[ $output == *"cc -c"*wrong.cu* && $output$messages == *"cudaDeviceSynchronise"* ]] || fail "$output $messages"
    [[ $output$messages != *heddle_clangd* ]] || fail "it builds what is for clangd: $output $messages"
    rm -r source/build
  done
}

run_case "$2"
