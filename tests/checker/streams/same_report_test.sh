#!/usr/bin/env bash
# The same schedule gives the same run: checks random programs with streams or host threads twice under each
# schedule, and compares the reports byte for byte, except for the times. The second run has only one processor,
# so its threads proceed in another order.
#   same_report_test.sh HEDDLE SOURCE PROGRAMS FOLDER
set -euo pipefail
heddle=$1 source=$2 programs=$3 folder=$4

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$heddle" cc --check -std=c++20 "$source" -o program
processor=$(taskset -cp $$ | sed -E 's/.*: *([0-9]+).*/\1/')

# Exits with 2 if the check did not finish.
report() { # seed, schedule, file, command before
  local status=0
  "${@:4}" "$heddle" check --replay "$2" --json "$3.json" ./program "$1" >"$3.out" 2>"$3.txt" || status=$?
  ((status < 2)) || { echo "seed $1, schedule $2:"; cat "$3.txt"; exit 2; }
  sed -i -E 's/, [0-9.]+ s$//' "$3.txt"
  sed -i -E '/"seconds":/d' "$3.json"
}

found=0
for ((seed = 1; seed <= programs; ++seed)); do
  for schedule in converged "random:$seed" "pct:$seed" "starve:$seed"; do
    report "$seed" "$schedule" first
    report "$seed" "$schedule" second taskset -c "$processor"
    for part in out txt json; do
      cmp "first.$part" "second.$part" || { echo "seed $seed, schedule $schedule: $part differs"; exit 1; }
    done
    ! grep -q '^race' first.txt || found=$((found + 1))
  done
done
# Comparing empty reports would prove nothing.
((found > programs / 4)) || { echo "only $found of the runs had a race"; exit 1; }
echo "$programs programs, 4 schedules each, $found runs with races: the same twice"
