#!/usr/bin/env bash
# End-to-end tests of `heddle doctor`. Usage: doctor_test.sh HEDDLE CASE
# HEDDLE_FAKE_DRIVER is a folder with a fake libcuda.so.1 that reports the GPU named by HEDDLE_FAKE_GPU.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"

line() { grep -E "^. $1 " <<<"$output"; } # the line about a subject
expect_line() { [[ $(line "$1") == *"$2"* ]] || fail "no '$2' about $1 in: $output"; }

here() {
  try "$heddle" doctor
  expect_status 0
  for subject in system compiler runtime trial cache gdb CCCL nvcc driver GPU used; do
    [[ -n $(line $subject) ]] || fail "nothing is said of $subject: $output"
  done
  expect_line trial "computed the right result"
  [[ -z $messages ]] || fail "messages: $messages"
  try "$heddle" doctor --help
  expect_status 0
  [[ $output == *"--json"* ]] || fail "help: $output"
}

gpus() {
  [[ -d ${HEDDLE_FAKE_DRIVER:-} ]] || { echo "skipped: no fake driver"; exit 77; }
  export LD_LIBRARY_PATH=$HEDDLE_FAKE_DRIVER
  HEDDLE_FAKE_GPU=90 try "$heddle" doctor
  expect_status 0
  expect_line GPU "Imagined GPU, sm_90, 8.0 GiB"
  HEDDLE_FAKE_GPU=61 try "$heddle" doctor
  expect_status 0
  expect_line GPU "too old"
  expect_line used "kernels run on the CPU"
  HEDDLE_FAKE_GPU=none try "$heddle" doctor
  expect_status 0
  expect_line driver "no CUDA-capable device is detected"
}

without_gpus() { # hides the GPUs of this machine
  [[ ! -d ${HEDDLE_FAKE_DRIVER:-} ]] || export LD_LIBRARY_PATH=$HEDDLE_FAKE_DRIVER HEDDLE_FAKE_GPU=none
}

no_compiler() {
  without_gpus
  HEDDLE_CXX=no-such-compiler try "$heddle" doctor
  expect_status 1
  [[ $(line compiler) == '! '* ]] || fail "the compiler is not missed: $output"
  expect_line used "nothing"
  # A compiler that exists but always fails.
  printf '#!/bin/sh\necho broken >&2\nexit 1\n' >broken
  chmod +x broken
  HEDDLE_CXX=$PWD/broken try "$heddle" doctor
  expect_status 1
  expect_line trial "could not be built"
}

cache() {
  HEDDLE_CACHE=/proc/not-writable try "$heddle" doctor
  expect_status 0
  expect_line cache "/proc/not-writable cannot be written"
  TMPDIR=/proc/not-there try "$heddle" doctor
  expect_status 1
  expect_line trial "could not be built"
}

json() {
  need python3
  try "$heddle" doctor --json
  expect_status 0
  python3 -c '
import json, sys
said = json.load(sys.stdin)
assert said["usable"] is True and said["uses"] in ("cpu", "gpu"), said
assert {line["subject"] for line in said["lines"]} >= {"system", "compiler", "trial", "used"}, said
assert all(line["verdict"] in ("good", "note", "missing") for line in said["lines"]), said
' <<<"$output" || fail "json: $output"
  without_gpus
  HEDDLE_CXX=no-such-compiler try "$heddle" doctor --json
  expect_status 1
  [[ $output == *'"uses": "nothing"'* ]] || fail "json: $output"
}

bad_arguments() {
  try "$heddle" doctor --frobnicate
  expect_status 2
  expect_one_message "'--frobnicate'"
  try "$heddle" doctor kernel.cu
  expect_status 2
  expect_one_message "'kernel.cu'"
}

run_case "$2"
