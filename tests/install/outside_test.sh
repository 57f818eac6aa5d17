#!/usr/bin/env bash
# Outside projects that use heddle in every supported way. Usage: outside_test.sh HEDDLE CASE BUILD SOURCE
# BUILD is heddle's build tree, SOURCE heddle's sources.
here=$(dirname "$(readlink -f "$0")")
. "$here/../cli/test_functions.sh"
build=$3
source=$4
prefix=$scratch/prefix
project=$here/outside
unset CUDACXX CUDAARCHS HEDDLE_BACKEND

# Installs heddle into a new folder and moves it.
install_heddle() {
  try cmake --install "${1:-$build}" --prefix "$scratch/first place"
  expect_status 0
  mv "$scratch/first place" "$prefix"
}

# Makes this machine look as if it had no MPI.
hide_mpi() {
  export PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH=
  hidden=(-DMPI_SKIP_COMPILER_WRAPPER=ON -DMPI_SKIP_GUESSING=ON)
}

configure_outside() { try cmake -S "$project" -B outside "$@"; }

build_outside() {
  try cmake --build outside
  expect_status 0
}

expect_output() { [[ $output == *"$1"* ]] || fail "no '$1' in: $output"; }
expect_no_output() { [[ $output != *"$1"* ]] || fail "there is '$1' in: $output"; }

# The programs and tests of outside/CMakeLists.txt do what they should.
expect_outside_works() {
  try outside/outside
  expect_status 0
  expect_output 'sum 2976, scale three and a half'
  try ctest --test-dir outside --output-on-failure -R '^total$|^total.check$|^total_with_race$'
  expect_status 0
  expect_output 'out of 3' # two versions of CMake word this differently
  expect_output '100% tests passed'
  try ctest --test-dir outside --output-on-failure -R '^total_with_race.check$'
  expect_status 8
  expect_output 'race   in kernel `total`'
  expect_output 'total.cu:15'
}

# ---- the package --------------------------------------------------------------------------------

package() {
  install_heddle
  configure_outside -G Ninja "-DCMAKE_PREFIX_PATH=$prefix"
  expect_status 0
  build_outside
  expect_outside_works
  try ctest --test-dir outside -N -L heddle-check
  expect_output 'Total Tests: 2'
  try ctest --test-dir outside -N -L sums
  expect_output 'Total Tests: 4'
}

# `./heddle tour` builds neither tests nor heddle_cluster_mpi; the rest can still be installed.
package_of_some_targets() {
  try cmake -G Ninja -S "$source" -B some -DHEDDLE_BUILD_TESTS=OFF
  expect_status 0
  mkdir -p some/bin some/lib
  ln "$build/bin/heddle" some/bin/ || cp "$build/bin/heddle" some/bin/
  cp "$build"/lib/libheddle_{host,checker,profiler}.a some/lib/
  install_heddle some
  [[ ! -e $prefix/bin/heddle_cluster_mpi ]] || fail "heddle_cluster_mpi was installed, but never built"
  try "$prefix/bin/heddle" run "$project/total.cu" -- 3
  expect_status 0
  expect_output 'the total is 6048'
}

without_mpi() {
  hide_mpi
  local tests
  for tests in OFF ON; do
    try cmake -G Ninja -S "$source" -B "tests_$tests" -DHEDDLE_BUILD_TESTS=$tests -DHEDDLE_BUILD_BENCHES=OFF \
      "${hidden[@]}"
    expect_status 0
    try cmake --build "tests_$tests" --target help
    expect_output 'heddle_checker:'
    expect_no_output heddle_cluster_mpi
    expect_no_output library_distributed
  done
}

# ---- heddle's sources inside the other project ---------------------------------------------------

# Configures, and checks that a build would make the named targets and nothing that needs MPI.
embedded() {
  hide_mpi
  local from
  for from in fetch_content subdirectory; do
    rm -rf outside
    configure_outside -G Ninja -DHEDDLE_FROM=$from "-DHEDDLE_SOURCE=$source" "${hidden[@]}"
    expect_status 0
    try ninja -C outside -t commands
    expect_status 0
    expect_output total_with_race.check.dir
    expect_no_output heddle_cluster_mpi
  done
}

# These build all of heddle with Make and Ninja, without MPI and, if there is one, with MPI.
fetch_content_with_ninja() {
  configure_outside -G Ninja -DHEDDLE_FROM=fetch_content "-DHEDDLE_SOURCE=$source"
  expect_status 0
  build_outside
  expect_outside_works
}

subdirectory_with_make() {
  hide_mpi
  configure_outside -G 'Unix Makefiles' -DHEDDLE_FROM=subdirectory "-DHEDDLE_SOURCE=$source" "${hidden[@]}"
  expect_status 0
  build_outside
  expect_outside_works
}

# ---- the GPU -----------------------------------------------------------------------------------

nvcc_or_skip() {
  nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
  [[ -x $nvcc ]] || { echo "skipped: nvcc is neither on PATH nor in /usr/local/cuda/bin"; exit 77; }
}

# nvcc compiles and links the files; this needs no GPU.
expect_built_with_nvcc() {
  expect_status 0
  expect_output 'heddle_add_test(total): there is no total.check'
  build_outside
  local program
  for program in outside total; do
    try objdump -h "outside/$program"
    expect_output .nv_fatbin  # code for a GPU
  done
  try ctest --test-dir outside -N
  expect_output 'Total Tests: 2'
}

gpu_package() {
  nvcc_or_skip
  install_heddle
  configure_outside -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" -DWITH_NVCC=ON "-DCMAKE_CUDA_COMPILER=$nvcc" \
    -DCMAKE_CUDA_ARCHITECTURES=90
  expect_built_with_nvcc
}

gpu_subdirectory() {
  nvcc_or_skip
  configure_outside -G 'Unix Makefiles' -DHEDDLE_FROM=subdirectory "-DHEDDLE_SOURCE=$source" \
    -DHEDDLE_BACKEND=gpu -DWITH_NVCC=ON "-DCMAKE_CUDA_COMPILER=$nvcc" -DCMAKE_CUDA_ARCHITECTURES=90
  expect_built_with_nvcc
}

# The CUDA language is enabled, but HEDDLE_BACKEND is cpu.
cpu_in_spite_of_nvcc() {
  nvcc_or_skip
  install_heddle
  configure_outside -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" -DHEDDLE_BACKEND=cpu -DWITH_NVCC=ON \
    "-DCMAKE_CUDA_COMPILER=$nvcc" -DCMAKE_CUDA_ARCHITECTURES=90
  expect_status 0
  build_outside
  expect_outside_works
}

# A .cu file is never left out silently.
gpu_without_the_language() {
  install_heddle
  configure_outside -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" -DHEDDLE_BACKEND=gpu
  expect_status 1
  messages=$(tr -s '\n ' ' ' <<<"$messages")
  expect_message 'HEDDLE_BACKEND is gpu, so the project must enable the CUDA language to build main.cu, kernels/twice.cu'
  rm -r outside
  configure_outside -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" -DHEDDLE_BACKEND=tpu
  expect_status 1
  expect_message "HEDDLE_BACKEND is 'tpu'; it must be cpu or gpu."
}

# ---- heddle as the compiler of the CUDA language --------------------------------------------------

# The error message says what to do instead.
expect_trial_fails() { # what is tried; cmake's options
  local what=$1
  shift
  rm -rf trial/build
  try cmake -S trial -B trial/build "$@"
  expect_status 1
  messages=$(tr -s '\n ' ' ' <<<"$messages")
  [[ $messages == *'heddle cannot be CMAKE_CUDA_COMPILER or CUDACXX; leave the CUDA language disabled and'*\
'build .cu files with heddle_add_executable'* ]] || fail "$what: $messages"
}

as_cuda_compiler() {
  mkdir trial
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(trial LANGUAGES CXX CUDA)' >trial/CMakeLists.txt
  printf '#!/bin/sh\nexec %q cc "$@"\n' "$heddle" >wrapper
  chmod +x wrapper
  expect_trial_fails 'the command' "-DCMAKE_CUDA_COMPILER=$heddle"
  expect_trial_fails 'a wrapper' "-DCMAKE_CUDA_COMPILER=$PWD/wrapper"
  expect_trial_fails 'the script' "-DCMAKE_CUDA_COMPILER=$source/heddle"
  export CUDACXX="$heddle cc"
  expect_trial_fails 'the environment'
  export CUDACXX="$source/heddle cc"
  expect_trial_fails 'the environment, with the script'
  # A file with the name of CMake's test program is not compiled.
  try "$heddle" cc -c CMakeCUDACompilerId.cu
  expect_status 2
}

run_case "$2"
