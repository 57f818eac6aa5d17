#!/usr/bin/env bash
# End-to-end tests of `heddle cluster --mpi`. Usage: cluster_mpi_test.sh HEDDLE CASE
# Several processes must write the same bytes as one.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"
clouds=$(readlink -f "$fixtures/../../cloud/clouds")
output=

# name: doubles, a column of numbers, and a column with a word in its last line.
lines() {
  {
    printf 'x,y,z,kind,note\n'
    for ((i = 0; i < 60; ++i)); do
      printf '%d.1,%d,%d.25,%d,%d\n' $((i * 7 % 10)) $((i * 3 % 11)) $((i % 2)) $i $i
    done
    printf 'nan,1,2,60,word\n'
  } >"$1"
}

# Compares the output of several processes with the output of one.
compare() { # ranks, words…
  local ranks=$1
  shift
  try "$heddle" cluster "$@" -o "one.${extension}"
  expect_status 0
  try "$heddle" cluster "$@" --mpi --ranks "$ranks" -o "many.${extension}"
  expect_status 0
  cmp "one.$extension" "many.$extension" || fail "$ranks ranks write another file for: $* to .$extension"
  [[ $output =~ ([0-9]+)\ ranks?\; ]] && [[ ${BASH_REMATCH[1]} == "$ranks" ]] || fail "the last line: $output"
}

formats() {
  lines lines.csv
  "$heddle" cluster lines.csv -e 1.5 -n 3 -o lines.ply >/dev/null || fail "no lines.ply"
  extension=npy
  for cloud in lines.csv lines.ply "$clouds"/six_{binary.pcd,big.ply,f8.npy,by_column.npy,format_7.las,semicolon.xyz} "$clouds"/six.bin; do
    compare 3 "$cloud" -e 1.5 -n 2
  done
}

outputs() {
  lines lines.csv
  for extension in pcd ply csv npy; do
    compare 2 lines.csv -e 1.5 -n 3 --above 0.5
    compare 4 lines.csv -e 1.5 -n 3 --encoding ascii
  done
  # More ranks than points; the first ranks have none.
  printf '0 0 0\n0 1 0\n9 9 0.1\n' >few.xyz
  for extension in pcd csv; do compare 5 few.xyz -e 1 -n 2; done
}

demo() {
  "$heddle" cluster --demo --points 30000 -o street.pcd >/dev/null || fail "no demo"
  extension=npy
  for ranks in 1 2 4; do compare $ranks street.pcd -e 0.6 -n 10 --above -1.6; done
  # Started with mpirun, with and without --mpi.
  for word in --mpi ''; do
    mpirun -n 2 "$heddle" cluster street.pcd -e 0.6 -n 10 --above -1.6 $word -o under.npy >/dev/null || fail "under mpirun"
    cmp one.npy under.npy || fail "under mpirun $word: other labels"
    rm under.npy
  done
}

refuse() { # sentence, words…
  local sentence=$1
  shift
  try "$heddle" cluster "$@" --mpi --ranks 2
  expect_status 2
  [[ -z $output ]] || fail "it printed: $output"
  expect_one_message "heddle: $sentence"
}

bad_arguments() {
  lines lines.csv
  for words in '--stats a.csv' '--view a.html' '--device gpu' '--encoding packed'; do
    refuse "$([[ $words == --[de]* ]] && echo "$words" || echo "${words% *}") is not supported over MPI" lines.csv -e 1 -n 3 $words
  done
  refuse 'more than one cloud is not supported over MPI' lines.csv lines.csv -e 1 -n 3
  refuse 'cannot write none/out.npy: there is no folder none' lines.csv -e 1 -n 3 -o none/out.npy
  try "$heddle" cluster lines.csv -e 1 -n 3 --ranks 2
  expect_status 2
  expect_one_message 'heddle: --ranks needs --mpi'
  try "$heddle" cluster lines.csv -e 1 -n 3 --mpi --ranks 0
  expect_status 2
  expect_one_message 'heddle: --ranks must be between 1 and 65536'
  [[ $(ls -A) == lines.csv ]] || fail "left over: $(ls -A)"
}

bad_files() {
  refuse 'none.pcd: there is no such file' none.pcd -e 1 -n 3
  refuse "$clouds/six_packed.pcd: no part of it can be read by itself, since its points are packed" "$clouds/six_packed.pcd" -e 1 -n 3
  # One rank finds the error, and no rank writes.
  lines broken.csv
  echo '1,2,what,4,5' >>broken.csv
  refuse "broken.csv, byte $(grep -b what broken.csv | cut -d: -f1): 'what' is no number" broken.csv -e 1 -n 3 -o out.pcd
  [[ $(ls -A) == broken.csv ]] || fail "left over: $(ls -A)"
}

# When the disk is full, the old file stays and no other file is left.
full_disk() {
  "$heddle" cluster --demo --points 20000 -o street.pcd >/dev/null || fail "the demo failed"
  echo before >out.pcd
  for output_name in out.pcd new.pcd; do
    # The limit applies only to the ranks. They use sockets, because shared memory would need files.
    messages=$(OMPI_MCA_btl=self,tcp OMPI_MCA_orte_execute_quiet=1 mpirun -n 3 bash -c "trap '' XFSZ; ulimit -f 100
      exec '$heddle' cluster street.pcd -e 0.6 -n 10 -o $output_name" 2>&1 >/dev/null) && status=0 || status=$?
    expect_status 2
    expect_one_message "heddle: cannot write $output_name: File too large"
  done
  [[ $(<out.pcd) == before ]] || fail "the file from before has changed"
  [[ $(ls -A | tr '\n' ' ') == 'out.pcd street.pcd ' ]] || fail "left over: $(ls -A)"
}

# heddle without heddle_cluster_mpi, and heddle without mpirun.
nothing_there() {
  lines lines.csv
  mkdir bin
  cp "$heddle" bin/heddle
  try bin/heddle cluster lines.csv -e 1 -n 3 --mpi
  expect_status 2
  expect_one_message 'heddle: --mpi needs heddle_cluster_mpi next to this program'
  PATH=/nowhere try "$heddle" cluster lines.csv -e 1 -n 3 --mpi
  expect_status 2
  expect_one_message 'heddle: cannot start mpirun: No such file or directory; install MPI (on Debian: apt-get install openmpi-bin)'
}

run_case "$2"
