#!/usr/bin/env bash
# Builds the runtime and a few conformance programs for the other processor (x86-64 on aarch64, aarch64 on x86-64),
# runs them under qemu, and compares what they print with what a GPU printed.
# Usage: other_processor_test.sh ROOT HEDDLE
# Exits with 77 if the cross compiler or qemu is not installed.
set -euo pipefail
root=$1 heddle=$2
programs=(shuffle_up shuffle_types votes match reduce_sync exited_lanes barriers atomics_integer wide_tiles streams)

case $(uname -m) in
  aarch64) other=x86_64 flags=(-fcf-protection=none) ;;
  x86_64) other=aarch64 flags=() ;;
  *) exit 77 ;;
esac
compiler=$other-linux-gnu-g++
emulator=qemu-$other
for tool in "$compiler" "$emulator"; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed" && exit 77; }
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/objects" "$scratch/programs"

# As src/runtime/CMakeLists.txt does.
compile() { # source
  "$compiler" -std=c++20 -O1 -pthread -ftls-model=initial-exec "${flags[@]}" -I"$root/include" \
    -I"$root/include/cuda_on_host" -I"$root/src/runtime" -c "$1" \
    -o "$scratch/objects/$(printf %s "${1#"$root/"}" | tr / _).o"
}
# One loop for each core.
pids=()
mapfile -t sources < <(find "$root/src/runtime" -name '*.cpp' | sort)
sources+=("$root/tests/cross/plain_reporter.cpp")
workers=$(nproc)
for ((worker = 0; worker < workers; ++worker)); do
  for ((i = worker; i < ${#sources[@]}; i += workers)); do compile "${sources[i]}"; done &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done

for name in "${programs[@]}"; do
  HEDDLE_CXX=$compiler "$heddle" cc --no-cache -c -std=c++20 -O2 -I "$root/tests/conformance" \
    "$root/tests/conformance/$name.cu" -o "$scratch/$name.o"
  "$compiler" "$scratch/$name.o" "$scratch"/objects/*.o -pthread -o "$scratch/$name"
  printf '#!/bin/sh\nexec %s -L /usr/%s-linux-gnu "%s" "$@"\n' "$emulator" "$other" "$scratch/$name" \
    >"$scratch/programs/$name"
  chmod +x "$scratch/programs/$name"
done
file -b "$scratch/${programs[0]}" 2>/dev/null || true
"$root/tests/conformance/run" compare "$scratch/programs" "$root/tests/conformance/expected" "${programs[@]}"
