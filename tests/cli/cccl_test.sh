#!/usr/bin/env bash
# End-to-end tests of where `heddle cc` finds CCCL, and how it compiles it. Usage: cccl_test.sh HEDDLE CASE
# The folders here have headers of CCCL's names, without CCCL in them.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"

write() { # file; its text comes from standard input
  mkdir -p "$(dirname "$1")"
  cat >"$1"
}

# CUB's version is $2; a kernel of it uses libcu++.
write_cccl() { # folder, version
  write "$1/cub/version.cuh" <<<"#define CUB_VERSION $2"
  write "$1/cub/cub.cuh" <<'TEXT'
#pragma once
#include <cub/version.cuh>
#include <cuda/std/version>
#include <nv/its_own>
__global__ void print_versions() { printf("%d %d %d\n", CUB_VERSION, libcu_version(), nv_version()); }
TEXT
  write "$1/cuda/std/version" <<'TEXT'
#pragma once
__host__ __device__ inline int libcu_version() { return CUB_VERSION + 1; }
TEXT
  write "$1/nv/its_own" <<'TEXT'
#pragma once
__host__ __device__ inline int nv_version() { return CUB_VERSION + 2; }
TEXT
}
write_program() {
  write program.cu <<'TEXT'
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <cstdio>
int main() {
  print_versions<<<1, 1>>>();
  return cudaDeviceSynchronize();
}
TEXT
}
expect_version() { # version
  try ./program
  [[ $status == 0 && $output == "$1 $(($1 + 1)) $(($1 + 2))" ]] || fail "status $status: $output $messages"
}

# CUDA 13 keeps CCCL in a folder of its own. Before, it is among the toolkit's other headers, which heddle replaces.
toolkits() {
  write_program
  write_cccl toolkit_12/include 200805
  write_cccl toolkit_13/include/cccl 300001
  for toolkit in toolkit_12 toolkit_13; do
    for header in cuda_runtime.h cuda_runtime_api.h cuda_fp16.h; do
      write $toolkit/include/$header <<<"#error this is the toolkit's header"
    done
  done
  CUDA_HOME=$PWD/toolkit_12 try "$heddle" cc program.cu -o program
  expect_status 0
  expect_version 200805
  CUDA_HOME=$PWD/toolkit_13 try "$heddle" cc program.cu -o program
  expect_status 0
  expect_version 300001
  # Where one gives the toolkit's headers, as for other compilers.
  CUDA_HOME=/no-toolkit try "$heddle" cc -I toolkit_12/include program.cu -o program
  expect_status 0
  expect_version 200805
  # A checkout goes before all toolkits.
  write_cccl checkout 300600
  CUDA_HOME=$PWD/toolkit_12 try "$heddle" cc -I toolkit_12/include -I checkout program.cu -o program
  expect_status 0
  expect_version 300600
  # Each toolkit has its own links.
  cp -r toolkit_12 toolkit_11
  write toolkit_11/include/cub/version.cuh <<<"#define CUB_VERSION 101700"
  CUDA_HOME=$PWD/toolkit_11 try "$heddle" cc program.cu -o program
  expect_status 0
  expect_version 101700
  CUDA_HOME=$PWD/toolkit_12 try "$heddle" doctor
  [[ $output == *"$PWD/toolkit_12/include"* ]] || fail "doctor does not name the toolkit: $output"
}

# Each side has its own class for types. A function of the host that compares two would not compile with the device's.
typeid_of_both_sides() {
  write_cccl cccl 300600
  for header in __cccl/builtin.h __cccl/preprocessor.h __type_traits/enable_if.h __type_traits/integral_constant.h \
    __type_traits/is_function.h __type_traits/remove_cv.h __type_traits/remove_pointer.h \
    __utility/integer_sequence.h cstddef; do
    write "cccl/cuda/std/$header" <<<"#pragma once"
  done
  # A header that these two include sees both sides.
  write cccl/cuda/std/cstddef <<'TEXT'
#pragma once
__host__ __device__ inline bool is_device() {
#ifdef __CUDA_ARCH__
  return true;
#else
  return false;
#endif
}
TEXT
  write cccl/cuda/std/__cccl/rtti.h <<'TEXT'
#pragma once
#include <cuda/std/__cccl/builtin.h>
#ifdef __CUDA_ARCH__
#define NO_TYPEID
#endif
TEXT
  write cccl/cuda/std/__utility/typeid.h <<'TEXT'
#pragma once
#include <cuda/std/__cccl/rtti.h>
#include <cuda/std/cstddef>
#include <typeinfo>
#ifdef NO_TYPEID
struct type_name { int number; };
#define TYPE_NAME(...) type_name{sizeof(__VA_ARGS__)}
#else
using type_name = const std::type_info&;
#define TYPE_NAME(...) typeid(__VA_ARGS__)
#endif
TEXT
  write program.cu <<'TEXT'
#include <cub/version.cuh>
#include <cuda/std/__utility/typeid.h>
#include <cstdio>
template <typename T>
__host__ bool is(type_name name) {
  return TYPE_NAME(T) == name;
}
__global__ void print_side() { printf("device %d\n", is_device()); }
int main() {
  printf("int %d, float %d, host %d\n", is<int>(TYPE_NAME(int)), is<float>(TYPE_NAME(int)), !is_device());
  print_side<<<1, 1>>>();
  return cudaDeviceSynchronize();
}
TEXT
  CUDA_HOME=/no-toolkit try "$heddle" cc -I cccl program.cu -o program
  expect_status 0
  try ./program
  [[ $output == $'int 1, float 0, host 1\ndevice 1' ]] || fail "$output $messages"
}

run_case "$2"
