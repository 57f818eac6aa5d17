#!/usr/bin/env bash
# End-to-end tests of `heddle cluster` with a GPU, which must write the same as the CPU.
# Usage: cluster_gpu_test.sh PROGRAM CASE, where PROGRAM is heddle_cluster_gpu, built for a GPU or by `heddle cc`.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"
program=$heddle
seed=${HEDDLE_SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
echo "HEDDLE_SEED=$seed"

# Clusters the same clouds on both and compares. The CPU writes to cpu/, the GPU to gpu/; `output` has what the GPU
# run printed.
with_both() { # words…
  local device
  mkdir -p cpu gpu
  for device in cpu gpu; do
    try "$program" "$@" -o "$device/{}.npy" --stats "$device/stats.csv" --device $device
    expect_status 0
    [[ -z $messages ]] || fail "it said: $messages"
  done
  [[ $output =~ read\ ms\ +copy\ ms\ +cluster\ ms\ +write\ ms ]] || fail "no times of copies: $output"
  diff -rq cpu gpu --exclude stats.csv >different.txt || fail "labels differ: $(<different.txt)"
  compare_statistics
}

# Sizes and boxes must be equal; centroids may differ by 2^-32 of the box.
compare_statistics() {
  local differences
  differences=$(paste -d, cpu/stats.csv gpu/stats.csv | awk -F, 'NR > 1 {
    for (i = 1; i <= 12; ++i) {
      if (i < 4 || i > 6) { if ($i != $(i + 12)) print "line " NR ", column " i ": " $0; continue }
      apart = $i - $(i + 12); if (apart < 0) apart = -apart
      # The CPU adds doubles in the order of the points, which rounds differently.
      size = $(i + 6) - $(i + 3); value = $i < 0 ? -$i : $i
      if (apart > size * 2.4e-10 + value * 1e-12) print "line " NR ", column " i ": " $0
    }
  }')
  [[ -z $differences ]] || fail "statistics differ: $differences"
}

# The whole demo on a GPU; part of it where the kernels are emulated.
demo() {
  local points=${HEDDLE_DEMO_POINTS:-120000}
  with_both --demo --points "$points" --seed "$seed"
  [[ $output =~ street\ +[0-9,]+\ +([0-9]+)\ +[0-9,]+\ +[0-9.]+\ +[0-9]+\.[0-9]{3}\ +[0-9]+\.[0-9]{3}\ +[0-9.]+$ ]] ||
    fail "the line: $output"
  ((BASH_REMATCH[1] >= 3)) || fail "there are hardly any clusters: $output"
  try "$program" --demo --points "$points" --seed "$seed" -o auto.npy
  cmp -s auto.npy cpu/street.npy || fail "auto gives other labels"
  [[ $output == *'copy ms'* ]] || fail "auto has not taken the GPU: $output"
  # Another eps must give other labels, so the labels depend on it.
  try "$program" --demo --points "$points" --seed "$seed" --eps 0.3 -o other.npy --device gpu
  cmp -s other.npy cpu/street.npy && fail "another eps gives the same labels"
}

# Small clouds of many sizes in one run, which shows memory that was not cleared: floats with many exact ties and
# duplicates, and doubles far from zero.
random_clouds() {
  awk -v seed="$seed" 'BEGIN {
    srand(seed)
    for (cloud = 0; cloud < 40; ++cloud) {
      name = sprintf("cloud%02d.xyz", cloud)
      count = int(1 + rand() * (cloud % 4 == 0 ? 1500 : 200)); far = cloud % 3 == 0
      extent = int(2 + rand() * 14)
      for (point = 0; point < count; ++point) {
        x = int(rand() * extent) / 2; y = int(rand() * extent) / 2; z = int(rand() * extent / 2) / 2
        if (far) printf "%.7f %.7f %.7f\n", 500000.1 + x + rand() / 8, 5400000.1 + y, z + rand() / 4 > name
        else printf "%g %g %s\n", x, y, (rand() < 0.02 ? "nan" : z) > name
      }
      close(name)
    }
  }'
  local eps least clusters=0
  for eps in 0.5 0.70710678 1; do
    for least in 1 4 9; do
      with_both cloud*.xyz -e $eps -n $least
      clusters=$((clusters + $(wc -l <gpu/stats.csv)))
    done
  done
  ((clusters > 100)) || fail "there are hardly any clusters: $clusters"
  with_both cloud*.xyz -e 0.6 -n 5 --above 1
}

# Wrong arguments give the same messages, and no files are left.
bad_arguments() {
  try "$program" --demo --eps 0 --device gpu
  expect_status 2
  expect_one_message 'heddle: --eps must be between'
  try "$program" none.pcd --eps 1 -n 3 --device gpu -o none.npy
  expect_status 2
  expect_one_message 'heddle: none.pcd: there is no such file'
  [[ -z $(ls) ]] || fail "left over: $(ls)"
}

run_case "$2"
