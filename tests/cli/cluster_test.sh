#!/usr/bin/env bash
# End-to-end tests of `heddle cluster`. Usage: cluster_test.sh HEDDLE CASE
# Each case is a function below; exit 77 means that something it needs is missing.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"

# A copy of the command, which does not find heddle_cluster_gpu.
mkdir -p "$scratch/tree/host/bin"
cp "$heddle" "$scratch/tree/host/bin/heddle"
heddle=$scratch/tree/host/bin/heddle

# With -e 1 -n 3: one cluster, a chain of seven points with core points in the middle, and two noise points.
small() { # name
  printf '%s\n' x,y,z,kind 0,0,0,1 0,1,0,1 1,0,0,1 2,0,0,9 3,0,0,2 3,1,0,2 4,0,0,2 50,50,50,0 nan,0,0,0 >"$1"
}
labels_of_small='0 0 0 0 0 0 0 -1 -1'

# The last column of a CSV file, as one line.
labels_in() { tail -n +2 "$1" | sed 's/.*,//' | tr '\n' ' ' | sed 's/ $//'; }

labels() {
  small small.csv
  try "$heddle" cluster small.csv --eps 1 --min-points 3 -o out.csv
  expect_status 0
  [[ $(labels_in out.csv) == "$labels_of_small" ]] || fail "labels: $(<out.csv)"
  [[ $(head -n 1 out.csv) == x,y,z,kind,label ]] || fail "the first line: $(head -n 1 out.csv)"
  # A border point of two clusters gets the smaller label. Then it is farther away than eps, by less than a float
  # can represent.
  printf '%s\n' '0 0' '0 1' '0 -1' '1.5 0' '3 0' '3 1' '3 -1' '1.5 9' >plane.xyz
  try "$heddle" cluster plane.xyz -e 1.5 -n 4 -o out.csv
  [[ $(labels_in out.csv) == '0 0 0 0 1 1 1 -1' ]] || fail "a border point: $(labels_in out.csv)"
  try "$heddle" cluster plane.xyz -e 1.4999999999 -n 4 -o out.csv
  [[ $(labels_in out.csv) == '-1 -1 -1 -1 -1 -1 -1 -1' ]] || fail "below eps: $(labels_in out.csv)"
  # Doubles, far from zero.
  printf '%s\n' '500000.1 5400000.1 0' '500000.2 5400000.1 0' '500000.30001 5400000.1 0' >far.xyz
  try "$heddle" cluster far.xyz -e 0.1000000001 -n 2 -o out.csv
  [[ $(labels_in out.csv) == '0 0 -1' ]] || fail "far from zero: $(labels_in out.csv)"
  # --above Z leaves out points at Z or below; they are not neighbours of the others.
  printf '%s\n' '0 0 0' '0 0 1' '0 0 2' '0 0 9' '0 0 nan' >pole.xyz
  try "$heddle" cluster pole.xyz -e 1 -n 2 --above 0 -o out.csv
  [[ $(labels_in out.csv) == '-1 0 0 -1 -1' ]] || fail "--above 0: $(labels_in out.csv)"
  [[ $(sed -n 2p out.csv) == 0,0,0,-1 ]] || fail "a point below has moved: $(sed -n 2p out.csv)"
  try "$heddle" cluster pole.xyz -e 1 -n 2 --above -1 -o out.csv
  [[ $(labels_in out.csv) == '0 0 0 -1 -1' ]] || fail "--above -1: $(labels_in out.csv)"
}

summary() {
  small small.csv
  try "$heddle" cluster small.csv --eps 1 --min-points 3 --threads 2 --device cpu
  expect_status 0
  [[ -z $messages ]] || fail "it said: $messages"
  [[ $output =~ cloud\ +points\ +clusters\ +noise\ +read\ ms\ +cluster\ ms\ +write\ ms ]] ||
    fail "no names of columns: $output"
  [[ $output =~ small.csv\ +9\ +1\ +2\ +[0-9.]+\ +[0-9.]+\ +[0-9.]+$ ]] || fail "the line: $output"
}

frames() {
  mkdir a b out
  small a/one.csv
  small b/two.xyz
  head -n 4 a/one.csv >b/three.csv
  try "$heddle" cluster a/one.csv b/two.xyz b/three.csv -e 1 -n 3 -o 'out/{}.ply' --view 'out/{}.html' \
    --stats stats.csv --encoding ascii
  expect_status 0
  [[ $(ls out | tr '\n' ' ') == 'one.html one.ply three.html three.ply two.html two.ply ' ]] ||
    fail "outputs: $(ls out)"
  [[ $output =~ 3\ frames\ +21\ +3\ +4\  ]] || fail "the last line: $output"
  [[ $(cut -d, -f1-3 stats.csv | tr '\n' ' ') == \
    'cloud,cluster,points a/one.csv,0,7 b/two.xyz,0,7 b/three.csv,0,3 ' ]] || fail "$(<stats.csv)"
  [[ $(sed -n 2p stats.csv) == *,0,0,0,4,1,0 ]] || fail "the box: $(sed -n 2p stats.csv)"
  # A centroid is printed with the digits of a double even if its value is a float.
  printf '\315\314\314\075\0\0\0\0\0\0\0\0\0\0\0\0' >tenth.bin
  try "$heddle" cluster tenth.bin -e 1 -n 1 --stats tenth.csv
  [[ $(sed -n 2p tenth.csv) == tenth.bin,0,1,0.10000000149011612,0,0,0.1,0,0,0.1,0,0 ]] || fail "$(<tenth.csv)"
  grep -q '<h1>two.xyz</h1>' out/two.html || fail "the page has another name"
  # An output can be an input.
  try "$heddle" cluster out/one.ply -e 1 -n 3 -o again.csv
  [[ $(labels_in again.csv) == "$labels_of_small" ]] || fail "again: $(<again.csv)"
  try "$heddle" cluster a/one.csv b/two.xyz -e 1 -n 3 -o out.ply
  expect_status 2
  expect_one_message "--output needs a {}, which is replaced by the name of each of the 2 clouds, as in 'out/{}.ply'"
  cp a/one.csv b/one.csv
  try "$heddle" cluster a/one.csv b/one.csv -e 1 -n 3 -o '{}.ply'
  expect_status 2
  expect_one_message 'two outputs would go to one.ply'
}

# If an output goes to standard output, the summary goes to standard error.
standard_output() {
  small small.csv
  local name
  for name in - /dev/stdout; do
    echo before >all.txt
    "$heddle" cluster small.csv -e 1 -n 3 --stats $name >>all.txt 2>summary.txt || fail "it ended with $?"
    [[ $(wc -l <all.txt) == 3 && $(head -n 1 all.txt) == before && $(sed -n 2p all.txt) == cloud,* ]] ||
      fail "the output: $(<all.txt)"
    [[ $(head -n 1 summary.txt) == cloud\ * ]] || fail "the summary: $(<summary.txt)"
    "$heddle" cluster small.csv -e 1 -n 3 -o $name >points.csv 2>/dev/null || fail "-o $name ended with $?"
    [[ $(labels_in points.csv) == "$labels_of_small" ]] || fail "-o $name: $(<points.csv)"
    "$heddle" cluster small.csv -e 1 -n 3 --view $name 2>/dev/null | grep -q '<h1>small.csv</h1>' || fail "--view $name"
  done
  try "$heddle" cluster small.csv -e 1 -n 3 -o - --stats /dev/stdout
  expect_status 2
  expect_one_message 'two outputs would go to /dev/stdout'
  make_null null
  try "$heddle" cluster small.csv -e 1 -n 3 -o null --stats null --view null
  expect_status 0
  expect_null null
  mkfifo pipe
  cat small.csv >pipe &
  try "$heddle" cluster pipe -e 1 -n 3 --stats /dev/null
  expect_status 0
  wait
  [[ -c /dev/null ]] || fail "/dev/null is no device any more"
}

# With a broken frame, the outputs of the frames before it are complete, and there are no others.
broken_frame() {
  small one.csv
  small three.csv
  printf 'x,y,z\n1,2,3\n1,2,what\n' >two.csv
  mkdir out
  echo before >stats.csv
  try "$heddle" cluster one.csv two.csv three.csv -e 1 -n 3 -o 'out/{}.pcd' --stats stats.csv
  expect_status 2
  expect_one_message "heddle: two.csv, line 3: 'what' is no number"
  [[ $(ls -A out) == one.pcd ]] || fail "outputs: $(ls -A out)"
  [[ $(<stats.csv) == before ]] || fail "--stats: $(<stats.csv)"
}

# When the disk is full, the old file stays.
full_disk() {
  "$heddle" cluster --demo --points 20000 -o out.pcd >first.txt || fail "the demo failed"
  local before
  before=$(cksum <out.pcd)
  for output_name in out.pcd new.pcd; do
    messages=$( (trap '' XFSZ; ulimit -f 100; "$heddle" cluster --demo --points 20000 --seed 2 -o $output_name) 2>&1 >/dev/null) && status=0 || status=$?
    expect_status 2
    expect_one_message "heddle: cannot write $output_name: File too large"
  done
  [[ $(cksum <out.pcd) == "$before" ]] || fail "the file from before has changed"
  [[ $(ls -A | tr '\n' ' ') == 'first.txt out.pcd ' ]] || fail "left over: $(ls -A)"
}

refuse() { # sentence, words…
  local sentence=$1
  shift
  try "$heddle" cluster "$@"
  expect_status 2
  [[ -z $output ]] || fail "it printed: $output"
  expect_one_message "heddle: $sentence"
}

bad_arguments() {
  small small.csv
  refuse 'no clouds given'
  refuse '--eps is missing' small.csv
  refuse '--min-points is missing' small.csv --eps 1
  refuse '--eps must be between' small.csv --eps 0 -n 3
  refuse '--eps must be between' small.csv --eps nan -n 3
  refuse '--eps must be between' small.csv --eps -1 -n 3
  refuse 'Could not convert: --eps = far' small.csv --eps far -n 3
  refuse '--min-points must be at least 1' small.csv -e 1 -n 0
  refuse 'The following argument was not expected: --epsilon' small.csv --epsilon 1 -n 3
  refuse "--device must be cpu, gpu or auto, not 'tpu'" small.csv -e 1 -n 3 --device tpu
  refuse "--encoding must be binary, packed or ascii, not 'zip'" small.csv -e 1 -n 3 --encoding zip
  refuse "--format must be pcd, ply, las, npy, kitti, csv or xyz, not 'obj'" small.csv -e 1 -n 3 --format obj
  refuse 'out.las: a cloud is written as .pcd, .ply, .npy or .csv' small.csv -e 1 -n 3 -o out.las
  refuse 'cannot write none/out.pcd: there is no folder none' small.csv -e 1 -n 3 -o none/out.pcd
  refuse 'two outputs would go to ./x.csv' small.csv -e 1 -n 3 -o x.csv --stats ./x.csv
  refuse '--demo generates its own cloud' --demo small.csv
  refuse '--points and --seed need --demo' small.csv -e 1 -n 3 --seed 3
  refuse '--threads must be between' small.csv -e 1 -n 3 --threads -1
  refuse '--points must be between' --demo --points 0
  [[ $(ls) == small.csv ]] || fail "left over: $(ls)"
  try "$heddle" cluster --help
  expect_status 0
  [[ $output == *"heddle cluster --demo --view street.html"* ]] || fail "the help: $output"
}

# `heddle cluster` starts heddle_cluster_gpu if it exists; a script takes its place here.
devices() {
  small small.csv
  mkdir -p "$scratch/tree/gpu/bin" out
  refuse '--device gpu needs heddle_cluster_gpu; to build it with nvcc, run' small.csv -e 1 -n 3 --device gpu
  try "$heddle" cluster small.csv -e 1 -n 3 -o out/cpu.csv
  expect_status 0
  [[ $(labels_in out/cpu.csv) == "$labels_of_small" ]] || fail "auto without it: $(<out/cpu.csv)"
  local place
  for place in "$scratch/tree/gpu/bin" "$scratch/tree/host/bin"; do
    printf '#!/bin/sh\necho %s "$@"; exit 5\n' "$place" >$place/heddle_cluster_gpu
    # The file must be executable.
    refuse '--device gpu needs heddle_cluster_gpu' small.csv -e 1 -n 3 --device gpu
    chmod +x $place/heddle_cluster_gpu
    for device in '' '--device auto' '--device gpu'; do
      try "$heddle" cluster small.csv -e 1 -n 3 -o 'out/a b.csv' $device
      expect_status 5
      [[ $output == "$place small.csv -e 1 -n 3 -o out/a b.csv${device:+ }$device" ]] || fail "it was called with: $output"
    done
    # It is not started for --device cpu or with wrong arguments.
    try "$heddle" cluster small.csv -e 1 -n 3 --device cpu
    expect_status 0
    [[ $output == *small.csv*'9'* && $output != *'copy ms'* ]] || fail "the CPU: $output"
    refuse '--min-points is missing' small.csv -e 1
    refuse 'cannot write none/x.csv: there is no folder none' small.csv -e 1 -n 3 -o none/x.csv
    # A file that cannot be started.
    printf 'no program' >$place/heddle_cluster_gpu
    refuse "--device gpu: cannot start $place/heddle_cluster_gpu" small.csv -e 1 -n 3 --device gpu
    try "$heddle" cluster small.csv -e 1 -n 3
    expect_status 0
    rm $place/heddle_cluster_gpu
  done
}

bad_files() {
  refuse 'none.pcd: there is no such file' none.pcd -e 1 -n 3
  refuse '.: it is no file' . -e 1 -n 3
  : >empty.pcd
  refuse 'empty.pcd: it is empty' empty.pcd -e 1 -n 3
  head -c 1000 /dev/zero >zeros.dat
  refuse 'zeros.dat: it is no cloud that can be read' zeros.dat -e 1 -n 3
  printf 'VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 4000000000\nHEIGHT 1000000\nDATA binary\nabc' >huge.pcd
  refuse 'huge.pcd, byte 91: 4000000000000000 points of 12 bytes should follow, but 3 bytes are left' huge.pcd -e 1 -n 3
  printf '1 2 3\n' >one.xyz
  refuse "one.xyz, byte 0: a LAS file begins with 'LASF'" one.xyz --format las -e 1 -n 3
}

demo() {
  try "$heddle" cluster --demo --points 30000 -o first.npy --view street.html --stats stats.csv
  expect_status 0
  [[ $output =~ street\ +30,000\ +([0-9]+)\  ]] || fail "the line: $output"
  local clusters=${BASH_REMATCH[1]}
  ((clusters >= 20)) || fail "there are cars, houses, poles and people, but only $clusters clusters"
  (($(wc -l <stats.csv) == clusters + 1)) || fail "--stats has $(wc -l <stats.csv) lines"
  grep -q "30,000 points, $clusters clusters" street.html || fail "the page has another number"
  try "$heddle" cluster --demo --points 30000 -o again.npy --threads 1
  cmp -s first.npy again.npy || fail "the same seed gives other labels"
  try "$heddle" cluster --demo --points 30000 --seed 2 -o other.npy
  cmp -s first.npy other.npy && fail "another seed gives the same labels"
}

# Labels of real clouds equal those of scikit-learn.
real_clouds() {
  [[ -n ${HEDDLE_CLOUDS:-} ]] || { echo "skipped: HEDDLE_CLOUDS names no folder with real clouds"; exit 77; }
  local reference name eps least compared=0
  for reference in "$HEDDLE_CLOUDS"/*.labels.i32; do
    name=$(basename "$reference" .labels.i32)
    eps=${name#*.eps} least=${name#*.min}
    try "$heddle" cluster "$HEDDLE_CLOUDS/${name%%.eps*}.pcd" -e "${eps%.min*}" -n "$least" -o labels.npy
    expect_status 0
    tail -c +129 labels.npy | cmp -s - "$reference" || fail "labels differ from those of $reference"
    compared=$((compared + 1))
  done
  ((compared > 0)) || fail "there are no labels in $HEDDLE_CLOUDS"
}

run_case "$2"
