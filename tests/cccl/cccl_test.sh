#!/usr/bin/env bash
# Builds and runs, or checks, a program with the installed CUB, Thrust or libcu++.
# cccl_test.sh HEDDLE run|check PROGRAM
set -euo pipefail

heddle=$1 how=$2 program=$3
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo '#include <cub/version.cuh>' >"$folder/probe.cu"
if ! "$heddle" cc -c "$folder/probe.cu" -o "$folder/probe.o" 2>"$folder/why"; then
  grep -q 'CUB was not found' "$folder/why" || { cat "$folder/why"; exit 1; }
  echo "skipped: this machine has no CCCL ($(head -1 "$folder/why"))"
  exit 77
fi

# -O1: the compiler takes most of the time. NVIDIA's samples are built with -rdc=true.
options=(-std=c++17 --extended-lambda -O1)
[[ $program != thrust_* ]] || options+=(-rdc=true)
case $how in
  run)
    "$heddle" cc "${options[@]}" "$here/$program.cu" -o "$folder/$program"
    "$folder/$program"
    ;;
  check)
    "$heddle" cc --check "${options[@]}" "$here/$program.cu" -o "$folder/$program"
    "$heddle" check --schedules 4 --fail-on all "$folder/$program"
    ;;
esac
