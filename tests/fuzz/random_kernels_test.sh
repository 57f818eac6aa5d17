#!/usr/bin/env bash
# Random kernels give the same results as loops between barriers and, built with -g, with a fiber for each lane.
# Usage: random_kernels_test.sh HEDDLE COUNT; the seed is HEDDLE_SEED, or new each time.
set -euo pipefail
heddle=$1 count=$2
seed=${HEDDLE_SEED:-$((RANDOM * 32768 + RANDOM))}
echo "replay with HEDDLE_SEED=$seed"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$(dirname "$0")/random_kernels.py" "$seed" "$count" >"$folder/kernels.cu"

cd "$folder"
"$heddle" cc --no-cache -g kernels.cu -o fibers
./fibers >expected
lines=$(wc -l <expected)
((lines == 4 * count + 1)) || { echo "$lines lines instead of $((4 * count + 1))"; exit 1; }
divided=0
for level in 0 3; do
  said=$("$heddle" cc --no-cache --keep -O$level kernels.cu -o loops 2>&1)
  kept=$(sed -n 's/.*kept intermediate files in //p' <<<"$said")
  # The test would be worth nothing if no kernel were divided; one can always be.
  divided=$(cat "$kept"/*.ii | grep -c 'lanes_between_barriers<false, decltype(in)' || true)
  rm -rf "$kept"
  ./loops >found
  diff expected found || { echo "-O$level: the results differ"; exit 1; }
done
echo "$divided of $((count + 1)) kernels are divided"
((divided > 0))
