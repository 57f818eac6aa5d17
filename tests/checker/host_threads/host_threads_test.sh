#!/usr/bin/env bash
# Host threads: every schedule shows the defect, its replay gives the same report, and a deadlock of host threads
# ends the check.
#   host_threads_test.sh HEDDLE FOLDER
set -euo pipefail
heddle=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

check() { # file, options…: writes report.txt; prints the exit code
  local status=0
  "$heddle" check "${@:2}" "./$1" >output.txt 2>report.txt || status=$?
  sed -i -E 's/, [0-9.]+ s$//' report.txt
  echo "$status"
}
fail() { # sentence
  echo "$1"
  cat output.txt report.txt
  exit 1
}

for name in two_threads_fill_one_array result_of_another_thread; do
  "$heddle" cc --check -std=c++20 "$here/$name.cu" -o "$name"
  "$heddle" cc --check -std=c++20 "$here/${name}_fixed.cu" -o "${name}_fixed"
  for schedule in converged random:{1..4} pct:{1..3} starve:{1..3} weak:{1..3} freeze:1; do
    [[ $(check "$name" --replay "$schedule") == 1 ]] || fail "$name, $schedule: nothing is found"
    grep -q '^race' report.txt || fail "$name, $schedule: no race"
    cp report.txt first.txt
    check "$name" --replay "$schedule" >/dev/null
    cmp first.txt report.txt || fail "$name, $schedule: the replay differs"
    [[ $(check "${name}_fixed" --replay "$schedule") == 0 ]] || fail "${name}_fixed, $schedule"
  done
done

cat >deadlock.cu <<'END'
#include <mutex>
#include <thread>
__global__ void nothing() {}
int main() {
  nothing<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::mutex one, other;
  std::thread second([&] {
    const std::lock_guard first(other);
    std::this_thread::yield();
    const std::lock_guard then(one);
  });
  const std::lock_guard first(one);
  std::this_thread::yield();
  const std::lock_guard then(other);
  second.join();
}
END
"$heddle" cc --check -std=c++20 deadlock.cu -o deadlock
[[ $(check deadlock --replay converged) == 2 ]] || fail "a deadlock of the host does not end the check"
grep -q 'all host threads wait for each other' report.txt || fail "nobody says that all wait"
echo "the same under each schedule, and ended where all wait"
