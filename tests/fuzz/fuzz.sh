#!/usr/bin/env bash
# Builds the fuzz targets of the readers with clang's libFuzzer and the sanitizers, and runs each for a while.
# Usage: fuzz.sh SECONDS [READER…]; readers are pcd ply las npy kitti text. HEDDLE_FUZZ_FOLDER keeps programs and
# corpora between calls, HEDDLE_FUZZ_CXX names the compiler. Exits 77 where libFuzzer is missing.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
seconds=${1:?how many seconds for each reader?}
shift
readers=("$@")
((${#readers[@]})) || readers=(pcd ply las npy kitti text)

folder=${HEDDLE_FUZZ_FOLDER:-}
if [[ -z $folder ]]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"

options=(-std=c++20 -O1 -g -ffp-contract=off -fsanitize=address,undefined
         -fno-sanitize-recover=undefined "-I$root/src")
compiler=
for candidate in ${HEDDLE_FUZZ_CXX:-clang++ clang++-14 clang++-15 clang++-16 clang++-18}; do
  if command -v "$candidate" >/dev/null &&
    echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    "$candidate" -fsanitize=fuzzer,address -x c++ - -o "$folder/probe" 2>/dev/null; then
    compiler=$candidate
    break
  fi
done
if [[ -z $compiler ]]; then
  echo "skipped: there is no clang++ with libFuzzer"
  exit 77
fi

objects=()
for source in "$root"/src/cloud/*.cpp; do
  name=$(basename "$source" .cpp)
  [[ $name == view ]] && continue  # it is not a reader
  object=$folder/$name.o
  [[ $object -nt $source ]] ||
    "$compiler" "${options[@]}" -fsanitize=fuzzer-no-link -c "$source" -o "$object"
  objects+=("$object")
done

declare -A endings=([pcd]=pcd [ply]=ply [las]=las [npy]=npy [kitti]=bin [text]=[xc][ys][zv])
for reader in "${readers[@]}"; do
  program=$folder/${reader}_fuzz
  "$compiler" "${options[@]}" -fsanitize=fuzzer "$root/tests/fuzz/${reader}_fuzz.cpp" "${objects[@]}" -lfmt \
    -o "$program"
  mkdir -p "$folder/$reader"
  # The first inputs are the small files of the tests.
  cp "$root"/tests/cloud/clouds/*.${endings[$reader]} "$folder/$reader/"
  echo "$reader: $seconds s"
  if ! "$program" "-max_total_time=$seconds" -max_len=4096 -rss_limit_mb=2048 -timeout=20 \
    "-artifact_prefix=$folder/$reader-" "$folder/$reader" >"$folder/$reader.log" 2>&1; then
    tail -n 200 "$folder/$reader.log" | grep -vE '^#[0-9]+.(NEW|REDUCE|pulse)'
    exit 1
  fi
  grep -E 'DONE|^Done' "$folder/$reader.log"
done
