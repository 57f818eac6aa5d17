#!/usr/bin/env bash
# End-to-end tests of `heddle check` and `heddle explain`. Usage: check_test.sh HEDDLE CASE
# Each case is a function below; exit 77 means that something it needs is not installed.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"
export NO_COLOR=1

racy() { # race.cu: two lanes write and read, lines 4 and 5
  cat >race.cu <<'CU'
#include <cstdio>
__managed__ int box, out;
__global__ void hand_over() {
  if (threadIdx.x == 0) box = 1;
  if (threadIdx.x == 32) out = box;
}
int main(int count, char** words) {
  hand_over<<<1, 64>>>();
  cudaDeviceSynchronize();
  for (int i = 1; i < count; ++i) std::printf("[%s]", words[i]);
  std::printf("done\n");
}
CU
}
clean() { # clean.cu
  racy
  sed 's/if (threadIdx.x == 32)/__syncthreads();\n  if (threadIdx.x == 32)/' race.cu >clean.cu
  sed -i '/out = box/s/$/  \/\/ ordered/' clean.cu
}

finds_and_reports() {
  racy
  clean
  try "$heddle" check race.cu
  expect_status 1
  [[ $output == done ]] || fail "the program's output is not shown once: $output"
  expect_message 'race   in kernel `hand_over`, '
  expect_message "race.cu:4   if (threadIdx.x == 0) box = 1;"
  expect_message "race.cu:5   if (threadIdx.x == 32) out = box;"
  expect_message "replay  heddle check --replay converged race.cu"
  expect_message "heddle: 1 finding in 8 schedules"
  try "$heddle" check clean.cu
  expect_status 0
  expect_message "heddle: no findings in 8 schedules"
  try "$heddle" check --schedule pct --schedules 3 --seed 7 --json=all.json race.cu -- one "two three"
  expect_status 1
  [[ $output == "[one][two three]done" ]] || fail "arguments: $output"
  expect_message "heddle check --replay pct:7 race.cu -- one 'two three'"
  grep -q '"schedule": "pct:9"' all.json || fail "no seed 9: $(<all.json)"
  try "$heddle" check --time 1s --schedule random race.cu
  expect_status 1
}

replays() {
  racy
  # The same arguments give the same report.
  local round
  for round in 1 2; do
    try "$heddle" check --replay random:3 --json race.cu
    expect_status 1
    grep -v '"seconds"' <<<"$output" >"$round.txt"
  done
  cmp 1.txt 2.txt || fail "two runs of one schedule differ: $(diff 1.txt 2.txt)"
  grep -q '"done"' 1.txt && fail "the program's output is in the JSON"
  try "$heddle" check --replay random race.cu
  expect_status 1
}

bad_arguments() {
  racy
  refuse() { # message, words…
    local expected=$1
    shift
    try "$heddle" check "$@"
    expect_status 2
    expect_one_message "$expected"
  }
  refuse "heddle: no input files"
  refuse "heddle: no such file: nowhere.cu" nowhere.cu
  refuse "unknown option --frobnicate; put the program's own options after --" race.cu --frobnicate
  refuse "unknown schedule 'fair'; use converged, random" --schedule fair race.cu
  refuse "--replay: a schedule looks like random:3" --replay random:x race.cu
  refuse "--replay runs a single schedule" --replay random:3 --seed 2 race.cu
  refuse "--seed needs a whole number, not x" --seed x race.cu
  refuse "--schedules needs a number above 0" --schedules 0 race.cu
  refuse "--time needs a time such as 30s" --time soon race.cu
  refuse "--timeout needs a number of seconds" --timeout soon race.cu
  refuse "option --sarif needs a value" race.cu --sarif
  refuse "--fail-on: unknown kind 'rage'; use race" --fail-on rage race.cu
  refuse "--suppress: cannot read nowhere.txt" --suppress nowhere.txt race.cu
  refuse "--baseline: cannot read nowhere.txt" --baseline nowhere.txt race.cu
  refuse "--write-baseline needs --baseline FILE" --write-baseline race.cu
  refuse "--gdb runs a single schedule; choose it with --replay" --gdb race.cu
  refuse '`heddle check` builds a program and runs it' -c race.cu
  echo 'rage sum' >bad.txt
  refuse "bad.txt:1: unknown kind 'rage'" --suppress bad.txt race.cu
  refuse "bad.txt is not a baseline" --baseline bad.txt race.cu
  expect_no_files_in_cache
  try "$heddle" check --help
  expect_status 0
  [[ $output == *"--sarif FILE"* ]] || fail "help: $output"
  echo 'int main() { return unknown; }' >wrong.cu
  try "$heddle" check wrong.cu
  expect_status 2
  expect_message "wrong.cu:1:"
  try "$heddle" check --sarif /nowhere/at/all race.cu
  expect_status 2
  expect_one_message "heddle: --sarif: cannot write /nowhere/at/all: No such file or directory"
  refuse "--json and --junit cannot both write to standard output" --json --junit - race.cu
}

outputs() {
  racy
  make_null null
  for option in --json= --sarif= --junit= "--baseline base.txt --sarif "; do
    try "$heddle" check $option$PWD/null race.cu
    expect_null null
  done
  try "$heddle" check --write-baseline --baseline null race.cu
  expect_status 0
  expect_null null
  # A symbolic link stays a link, even a dangling one.
  ln -s real.sarif link.sarif
  try "$heddle" check --sarif link.sarif race.cu
  expect_status 1
  [[ -L link.sarif && -s real.sarif ]] || fail "$(ls -l)"
  # Only the report goes to standard output, whatever the program prints.
  local words
  for words in "--json" "--json -" "--json /dev/stdout" "--json=/dev/stdout" "--sarif -" "--sarif /dev/stdout"; do
    "$heddle" check $words race.cu >report.json 2>/dev/null
    (($? == 1)) || fail "$words: no finding"
    python3 -m json.tool report.json >/dev/null || fail "$words: $(head -n 3 report.json)"
  done
  "$heddle" check --junit - race.cu >report.xml 2>/dev/null
  [[ $(head -n 1 report.xml) == "<?xml"* ]] || fail "no XML: $(head -n 1 report.xml)"
  try "$heddle" check --json /dev/null race.cu
  expect_status 1
  expect_message "replay  heddle check --replay converged race.cu"
}

reports() {
  need python3
  racy
  try "$heddle" check --json r.json --sarif r.sarif --junit r.xml race.cu
  expect_status 1
  try python3 - <<'PY'
import json, xml.etree.ElementTree as xml
report = json.load(open("r.json"))
assert report["fails"] and report["program"] == "race.cu", report
(finding,) = report["findings"]
assert finding["kind"] == "race" and {p["line"] for p in finding["places"]} == {4, 5}, finding
sarif = json.load(open("r.sarif"))
(result,) = sarif["runs"][0]["results"]
rules = sarif["runs"][0]["tool"]["driver"]["rules"]
assert sarif["version"] == "2.1.0" and rules[result["ruleIndex"]]["id"] == "race"
assert "## The fix" in rules[result["ruleIndex"]]["help"]["markdown"], "the page is not in it"
where = result["locations"][0]["physicalLocation"]
assert where["artifactLocation"] == {"uri": "race.cu", "uriBaseId": "%SRCROOT%"}, where
suite = xml.parse("r.xml").getroot()
assert [c.get("name") for c in suite.iter("testcase") if c.find("failure") is not None] == ["race"]
PY
  expect_status 0
}

known_findings() {
  racy
  printf '# old ones\nrace hand_*\n' >known.txt
  try "$heddle" check --suppress known.txt race.cu
  expect_status 0
  expect_message "no findings in 8 schedules"
  expect_message "; 1 suppressed"
  try "$heddle" check --baseline base.txt --write-baseline race.cu
  expect_status 0
  # Known findings stay known when lines move; new findings count.
  sed -i '1i // moved' race.cu
  try "$heddle" check --baseline base.txt race.cu
  expect_status 0
  sed -i 's/out = box;/out = box + 1;/' race.cu
  try "$heddle" check --baseline base.txt race.cu
  expect_status 1
  try "$heddle" check --fail-on deadlock,mask race.cu
  expect_status 0
  expect_message "1 finding in"
  try "$heddle" check --fail-on none race.cu
  expect_status 0
  try "$heddle" check --fail-on all race.cu
  expect_status 1
}

built_programs() {
  need python3
  racy
  try "$heddle" cc --check race.cu -o program
  expect_status 0
  try "$heddle" check --schedules 2 ./program one --gdb -- two
  expect_status 1
  [[ $output == "[one][--gdb][--][two]done" ]] || fail "arguments: $output"
  expect_message "replay  heddle check --replay converged ./program one --gdb -- two"
  "$heddle" cc race.cu -o plain
  try "$heddle" check ./plain
  expect_status 2
  expect_one_message "./plain is not a checked program; build it with \`heddle cc --check\`"
  printf '#!/bin/sh\n' >script
  chmod +x script
  try "$heddle" check ./script
  expect_status 2
  expect_one_message "is not a checked program"
  try "$heddle" check -O2 ./program
  expect_status 2
  expect_one_message "compiler flags have no effect here"
  # Started directly, the program reports the same findings.
  "$heddle" check --schedule converged ./program 2>&1 >/dev/null | sed -n '/^race /,/^  fix /p' >checked.txt
  try ./program
  expect_status 1
  expect_message "heddle: 1 finding in schedule converged"
  sed -n '/^race /,/^  fix /p' <<<"$messages" | diff checked.txt - || fail "the program says something else"
  [[ -s checked.txt ]] || fail "no finding"
  mkdir "a folder"
  TMPDIR="$PWD/a folder" try "$heddle" check --schedules 1 ./program
  expect_status 1
  # A checked program that another version of heddle has built.
  python3 - program old <<'PY'
import sys
program = open(sys.argv[1], "rb").read()
note = bytes([8, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0]) + b"heddle\0\0"
assert program.count(note) == 1, "the program has one note"
at = program.index(note) + len(note)
open(sys.argv[2], "wb").write(program[:at] + bytes([255]) + program[at + 1:])
PY
  chmod +x old
  try "$heddle" check ./old
  expect_status 2
  expect_one_message "./old was built by another version of heddle"
  HEDDLE_CHECK='{"schedule": "random", "sede": 3}' try ./program
  expect_status 2
  expect_one_message "HEDDLE_CHECK: unknown setting 'sede'"
}

built_elsewhere() { # from headers whose names are relative to the folder of the build
  mkdir code headers
  cat >headers/total.cuh <<'CU'
__device__ inline int total(int value) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = value;
  return sum;
}
CU
  cat >code/main.cu <<'CU'
#include <total.cuh>
__managed__ int out[64];
__global__ void add() { out[threadIdx.x] = total(3); }
int main() {
  add<<<1, 64>>>();
  cudaDeviceSynchronize();
}
CU
  (cd code && "$heddle" cc --check -I../headers main.cu -o ../program) || fail "the build"
  try "$heddle" check --schedules 1 ./program
  expect_status 1
  expect_message "headers/total.cuh:3   if (threadIdx.x == 0) sum = value;"
  expect_message "in shared \`sum\`, declared at headers/total.cuh:2"
}

standard_input() {
  cat >echo.cu <<'CU'
#include <cstdio>
int main() {
  int sum = 0, read = 0;
  for (int value; std::scanf("%d", &value) == 1; ++read) sum += value;
  std::printf("%d numbers, %d\n", read, sum);
  return sum != 6;
}
CU
  for source in pipe file; do
    echo "1 2 3" >numbers.txt
    if [[ $source == pipe ]]; then
      try "$heddle" check --allow-no-kernels echo.cu < <(cat numbers.txt)
    else
      try "$heddle" check --allow-no-kernels echo.cu <numbers.txt
    fi
    expect_status 0
    [[ $output == "3 numbers, 6" ]] || fail "$source: $output"
    # If the runs had different input, their outputs would differ.
    [[ $messages == "heddle: no findings in 8 schedules"* ]] || fail "$source: $messages"
  done
  # The program reads no input, and the writer has more than a pipe holds.
  clean
  try "$heddle" check clean.cu < <(head -c 300000 /dev/zero)
  expect_status 0
}

own_failures() {
  echo 'int main() { return 3; }' >three.cu
  try "$heddle" check --allow-no-kernels three.cu
  expect_status 0
  expect_message "note   the program returned 3"
  echo 'int main() { __builtin_trap(); }' >crash.cu
  try "$heddle" check crash.cu
  expect_status 2
  expect_message "reported no findings"
  printf '#include <cstdlib>\nint main() { std::_Exit(0); }\n' >leaves.cu
  try "$heddle" check leaves.cu
  expect_status 2
  expect_message "the program returned 0 under schedule converged and reported no findings"
}

differing_outputs() {
  cat >order.cu <<'CU'
#include <cstdio>
__managed__ int tickets, first;
__managed__ float sum;
__global__ void draw() {
  if (atomicAdd(&tickets, 1) == 0) first = threadIdx.x;
  atomicAdd(&sum, 1.0f / (threadIdx.x + 1));
}
double seconds(clockid_t which) {
  timespec now;
  clock_gettime(which, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}
int main(int count, char**) {
  const double begin = seconds(CLOCK_MONOTONIC);
  draw<<<1, 256>>>();
  cudaDeviceSynchronize();
  if (count == 5) {
    // Some schedules take three times as long as others, each time.
    const double real_begin = seconds(CLOCK_MONOTONIC_RAW), span = first == 0 ? 0.4 : 1.2;
    while (seconds(CLOCK_MONOTONIC_RAW) - real_begin < span) {
    }
    const bool is_long = seconds(CLOCK_MONOTONIC) - begin > 0.8;
    std::printf("it took %s\n", is_long ? "long" : "a moment");
  }
  if (count == 1) std::printf("first %d\n", first);
  if (count == 2) std::printf("sum %.9g\n", sum);
  if (count == 3) std::printf("%lld ns\n", (long long)std::chrono::steady_clock::now().time_since_epoch().count());
  return count == 4 && first != 1 ? 3 : 0;
}
CU
  sed -i '1i #include <chrono>\n#include <ctime>' order.cu
  try "$heddle" check order.cu
  expect_status 1
  expect_message "schedule-dependent   the program's output or exit code depends on the schedule"
  expect_message "note   the output differs between schedules"
  expect_message "first "
  echo "schedule-dependent *" >known
  try "$heddle" check --suppress known order.cu
  expect_status 0
  # The same text, but another exit code.
  try "$heddle" check order.cu -- by exit code
  expect_status 1
  expect_message "(exit code 3)"
  # If every run prints another text, the schedule is not the cause.
  try "$heddle" check order.cu -- the time
  expect_status 0
  expect_message "no findings"
  # The same holds for a time rounded so much that a schedule prints the same in each run.
  try "$heddle" check --schedules 3 order.cu -- the time in words
  expect_status 0
  expect_message "no findings"
  try "$heddle" check order.cu -- rounding
  expect_status 0
  expect_message "but only in floating-point rounding"
}

unwritten_bytes() {
  cat >load.cu <<'CU'
#include <cstdio>
#include <ctime>
__global__ void load(const int* in, int* out, bool uses) { *out = uses ? *in : *in * 0; }
int main(int count, char** words) {
  int *in, *out, result;
  cudaMalloc(&in, 4);
  cudaMalloc(&out, 4);
  load<<<1, 1>>>(in, out, count == 2);
  cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (count == 3) std::printf("%ld\n", now.tv_nsec);
  cudaFree(in);
  cudaFree(out);
}
CU
  # The bytes are loaded but affect nothing, even if the output differs in each run.
  try "$heddle" check load.cu
  expect_status 0
  try "$heddle" check load.cu -- tell time
  expect_status 0
  try "$heddle" check load.cu -- use
  expect_status 1
  expect_message 'uninitialized   kernel `load` reads 4 bytes of `in` that were never written'
  expect_message "load.cu:3"
}

interrupted() {
  cat >slow.cu <<'CU'
#include <cstdio>
#include <unistd.h>
int main() {
  std::FILE* runs = std::fopen("runs", "a");
  std::fputc('x', runs);
  std::fclose(runs);
  static int* lost;
  cudaMalloc(&lost, 4);
  if (access("second", F_OK) == 0) pause();
  std::fclose(std::fopen("second", "w"));
}
CU
  "$heddle" check slow.cu >output.txt 2>messages.txt &
  local check=$!
  while [[ $(cat runs 2>/dev/null) != xx ]] && kill -0 $check; do sleep 0.05; done
  kill -INT $check
  wait $check
  (($? == 130)) || fail "Ctrl-C does not show in the status"
  messages=$(<messages.txt)
  expect_message "leak"
  expect_message "not finished; nothing found so far in 1 of 8 schedules"
  expect_message "interrupted; 1 leak"
  expect_message "1 of 2 schedules completed"
}

# When a run is stopped in the middle, the report has what was found before.
findings_so_far() {
  racy
  sed 's/  std::printf("done\\n");/  __builtin_trap();/' race.cu >crash.cu
  grep -q builtin_trap crash.cu || fail "the program does not crash"
  try "$heddle" check crash.cu
  expect_status 1
  expect_message "crash.cu:5"
  expect_message "1 finding in 0 of 8 schedules"
  expect_message "0 of 1 schedule completed"
  sed 's/  std::printf("done\\n");/  std::fclose(std::fopen("here", "w"));\n  for (;;) std::getchar();/' race.cu >waits.cu
  "$heddle" check waits.cu </dev/zero >output.txt 2>messages.txt &
  local check=$!
  while [[ ! -e here ]] && kill -0 $check; do sleep 0.05; done
  kill -INT $check
  wait $check
  (($? == 130)) || fail "Ctrl-C does not show in the status"
  messages=$(<messages.txt)
  expect_message "waits.cu:5"
  expect_message "1 finding in 0 of 8 schedules"
}

no_kernels() {
  echo 'int main() {}' >none.cu
  try "$heddle" check none.cu
  expect_status 2
  expect_message "no kernel was launched, so nothing was checked"
  [[ $messages != *"no findings"* ]] || fail "it says that nothing was found: $messages"
  try "$heddle" check --allow-no-kernels none.cu
  expect_status 0
  expect_message "covered: 0 launches of 0 kernels"
  clean
  try "$heddle" check --json r.json --sarif r.sarif clean.cu
  expect_status 0
  expect_message "covered: 1 launch of 1 kernel, 1 block, "
  expect_message "; 8 of 8 schedules completed"
  need python3
  try python3 - <<'PY'
import json
report = json.load(open("r.json"))["coverage"]
assert report["launches"] == 1 and report["schedules_completed"] == 8, report
assert report["accesses"] >= 3 and len(report["kernels"]) == 1, report
assert json.load(open("r.sarif"))["runs"][0]["properties"]["coverage"] == report
PY
  expect_status 0
}

# Lines that no lane ran, and kernels that were never launched.
branches() { # branches.cu: without arguments, lines 9, 18, 19 and 23 never run
  cat >branches.cu <<'CU'
#include <cstdio>
__managed__ int data[64], out[64];
__managed__ double reals[32];
template <typename T>
__device__ T clamped(T value, T most) {
  if (value > most) return most;  // only the floats are too large
  return value;
}
__device__ void rare(int i) { out[i] = 7; }
__global__ void work(int few) {
  const int i = threadIdx.x;
  data[i] = clamped(i, 1000);
  if (i < few) {
    out[i] = data[i];
  } else {
    // Far from here.

    out[i] = -data[i];
    rare(i);
  }
  for (int k = 0; k < few; ++k) {
    if (data[i] > few)
      out[i] += k;
  }
  out[i] += static_cast<int>(clamped(3.0f, 2.0f));
}
template <typename T>
__global__ void scale(T* values) {
  values[threadIdx.x] *= 2;
}
__global__ void forgotten() { out[0] = 1; }
int main(int count, char**) {
  const int few = count > 1 ? 4 : 100;
  work<<<1, 32>>>(few);
  scale<<<1, 32>>>(out);
  if (count > 2) scale<<<1, 32>>>(reals);
  if (count > 3) forgotten<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("%d\n", out[1]);
}
CU
}
lines_that_never_ran_with() { # compiler
  need "$1"
  export HEDDLE_CXX=$1
  branches
  try "$heddle" check --json r.json --sarif r.sarif branches.cu
  expect_status 0
  expect_message "lines that never ran: branches.cu:9, 18-19, 23"
  expect_message 'kernels that never ran: `forgotten`, `scale<double>`'
  local first=$messages
  need python3
  try python3 - <<'PY'
import json, os
report = json.load(open("r.json"))["coverage"]
here = os.path.realpath("branches.cu")
ranges = [(each["first"], each["last"]) for each in report["lines_never_run"]]
assert ranges == [(9, 9), (18, 19), (23, 23)], report
assert all(os.path.realpath(each["file"]) == here for each in report["lines_never_run"]), report
assert report["kernels_never_run"] == ["forgotten", "scale<double>"], report
assert json.load(open("r.sarif"))["runs"][0]["properties"]["coverage"] == report
PY
  expect_status 0
  # The same in a second run, at -O0, and when the program is started directly.
  try "$heddle" check branches.cu
  [[ ${messages#*covered} == "${first#*covered}" ]] || fail "another report: $messages"
  try "$heddle" check -O0 branches.cu
  expect_message "branches.cu:9, 18-19, 23"
  "$heddle" cc --check branches.cu -o branches || fail "it is not built"
  try ./branches
  expect_message "lines that never ran: branches.cu:9, 18-19, 23"
  # If all lines ran, there is no message.
  try "$heddle" check --json r.json branches.cu -- all of them
  [[ $messages != *"never ran"* ]] || fail "lines that ran: $messages"
  grep -q '"lines_never_run": \[\]' r.json || fail "no list: $(<r.json)"
}
lines_that_never_ran_with_gcc() { lines_that_never_ran_with g++; }
lines_that_never_ran_with_clang() { lines_that_never_ran_with clang++; }

# A line that runs in one schedule has run.
lines_of_some_schedules() {
  cat >order.cu <<'CU'
#include <cstdio>
__managed__ int is_set, early, late;
__global__ void race_for_it() {
  if (threadIdx.x == 0) {
    atomicExch(&is_set, 1);
  } else if (atomicAdd(&is_set, 0) == 0) {
    atomicAdd(&early, 1);
  } else {
    atomicAdd(&late, 1);
  }
}
int main(int count, char**) {
  race_for_it<<<1, count > 1 ? 2 : 64>>>();
  cudaDeviceSynchronize();
}
CU
  try "$heddle" check --replay converged order.cu
  expect_status 0
  expect_message "lines that never ran: order.cu:9"
  try "$heddle" check order.cu
  expect_status 0
  [[ $messages != *"never ran"* ]] || fail "lines that some schedule runs: $messages"
  # The interleavings of one exploration also count together.
  try "$heddle" check --schedule exhaustive order.cu -- two
  expect_status 0
  expect_message "; complete"
  [[ $messages != *"never ran"* ]] || fail "lines that some interleaving runs: $messages"
  # If the program crashes, the report does not claim that lines never ran.
  sed 's/  cudaDeviceSynchronize();/&\n  if (count > 2) __builtin_trap();/' order.cu >crash.cu
  try "$heddle" check --schedules 2 crash.cu -- it crashes
  expect_status 2
  expect_message "covered: 0 of 1 schedule completed"
  [[ $messages != *"never ran"* ]] || fail "of a program that did not end: $messages"
}

# Lines that run only in forked copies, which try other values for undefined bytes, have not run.
lines_of_copies() {
  cat >undefined.cu <<'CU'
__managed__ int odd, even;
__global__ void look(const int* never_written) {
  if (*never_written & 1) {
    atomicAdd(&odd, 1);
  } else {
    atomicAdd(&even, 1);
  }
}
int main() {
  int* memory = nullptr;
  cudaMalloc(&memory, sizeof(int));
  look<<<1, 1>>>(memory);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
CU
  try "$heddle" check --replay converged undefined.cu
  expect_status 1
  expect_message "uninitialized   kernel"
  [[ $messages =~ "lines that never ran: undefined.cu:"[46] ]] || fail "both lines: $messages"
}

# Kernels in shared libraries, which call the checker through stubs.
lines_of_a_library() {
  cat >library.cu <<'CU'
__managed__ int seen[4];
__global__ void in_library(int count) {
  if (threadIdx.x < count) {
    seen[threadIdx.x] = 1;
  } else {
    seen[threadIdx.x] = 2;
  }
}
void launch(int count) {
  in_library<<<1, 4>>>(count);
  cudaDeviceSynchronize();
}
CU
  cat >uses.cu <<'CU'
void launch(int count);
int main(int count, char**) { launch(count > 1 ? 2 : 4); }
CU
  "$heddle" cc --check -c -Xcompiler -fPIC library.cu -o library.o || fail "no object"
  g++ -shared library.o -o libkernels.so || fail "no library"
  "$heddle" cc --check uses.cu -L. -lkernels -Xlinker "-rpath=$PWD" -o uses || fail "no program"
  try "$heddle" check ./uses
  expect_status 0
  expect_message "lines that never ran: library.cu:6"
  try "$heddle" check ./uses all
  expect_status 0
  [[ $messages != *"never ran"* ]] || fail "lines that ran: $messages"
}

# A slow kernel is not a livelock, and reaching the time limit is not a finding.
slow_kernels() {
  cat >product.cu <<'CU'
#include <cstdio>
constexpr int n = 96, tile = 16;
__managed__ float a[n * n], b[n * n], c[n * n];
__global__ void multiply() {
  __shared__ float tile_a[tile][tile], tile_b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < n / tile; ++step) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + step * tile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(step * tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
int main() {
  for (int i = 0; i < n * n; ++i) a[i] = b[i] = 1;
  multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>();
  cudaDeviceSynchronize();
  std::printf("%g\n", c[n * n - 1]);
}
CU
  try "$heddle" check --timeout 0.1 --schedule random --schedules 1 product.cu
  expect_status 0
  [[ $output == 96 ]] || fail "the product is $output"
  cat >counts.cu <<'CU'
__managed__ unsigned long long end = ~0ull, at;
__global__ void count() {
  unsigned long long i = 0;
  while (i < end) i += 1 + (i & 1);
  at = i;
}
int main() {
  count<<<1, 1>>>();
  cudaDeviceSynchronize();
}
CU
  try "$heddle" check --budget 2s counts.cu
  expect_status 2
  expect_message "schedule converged was not finished: the program needs more than 2 s of CPU time"
  expect_message "not finished; nothing found so far in 0 of 8 schedules"
  cat >waits.cu <<'CU'
__global__ void wait(const volatile int* flag) {
  while (*flag == 0) {
  }
}
int main() {
  int* flag;
  cudaMallocHost(&flag, sizeof(int));
  *flag = 0;
  wait<<<1, 1>>>(flag);
  cudaDeviceSynchronize();
}
CU
  try "$heddle" check --timeout 1 waits.cu
  expect_status 2
  expect_message 'schedule converged was not finished: kernel `wait` made no progress'
  try "$heddle" run --timeout 1 waits.cu
  expect_message 'unfinished   kernel `wait` was stopped after 1 second'
}

# Order and scope of __nv_atomic functions, which must be literals.
# A launch that is refused says what it exceeds, also if a kernel launches it.
refused_launches() {
  cat >launches.cu <<'CU'
#include <cooperative_groups.h>
__global__ void __launch_bounds__(64) bounded() {}
__global__ void plain() {}
__global__ void waits() { cooperative_groups::this_grid().sync(); }
__global__ void parent() { plain<<<1, dim3(1, 1, 65)>>>(); }
int main() {
  bounded<<<1, 128>>>();
  plain<<<1, 2048>>>();
  plain<<<dim3(1, 70000), 32>>>();
  plain<<<0, 32>>>();
  plain<<<1, 32, 65536>>>();
  plain<<<1, 32, 1 << 20>>>();
  cudaLaunchCooperativeKernel(waits, dim3(1 << 20), dim3(32), nullptr);
  cudaMemset(nullptr, 0, 4);
  parent<<<1, 1>>>();
  return cudaDeviceSynchronize();
}
CU
  try "$heddle" check --schedules 1 launches.cu
  expect_status 1
  expect_message "why     the block has 128 threads; the kernel's __launch_bounds__ allows 64"
  expect_message "why     the block has 2048 threads; a device allows 1024"
  expect_message "why     the grid has 70000 blocks in y; a device allows 65535"
  expect_message "why     the grid or the block has no threads"
  expect_message "why     the launch asks for 65536 bytes of dynamic shared memory; the kernel is limited to 49152"
  expect_message "cudaFuncAttributeMaxDynamicSharedMemorySize and 65536"
  expect_message "why     the launch asks for 1048576 bytes of dynamic shared memory; a device has 232448 for this kernel"
  expect_message "why     the grid has 1048576 blocks, of which "
  expect_message "why     the block has 65 threads in z; a device allows 64"
  # The next call that fails has its own reason.
  expect_message "why     the call had no effect, and the program continues as if it had succeeded"
}

built_in_atomics() {
  cat >flag.cu <<'CU'
__device__ int sent, message;
__managed__ int received;
__global__ void send_and_receive() {
  if (blockIdx.x == 0) {
    message = 42;
    __nv_atomic_store_n(&sent, 1, ORDER, SCOPE);
  } else {
    while (__nv_atomic_load_n(&sent, __NV_ATOMIC_ACQUIRE, SCOPE) == 0) {
    }
    received = message;
  }
}
int main() {
  send_and_receive<<<2, 1>>>();
  cudaDeviceSynchronize();
  return received - 42;
}
CU
  local device=-DSCOPE=__NV_THREAD_SCOPE_DEVICE block=-DSCOPE=__NV_THREAD_SCOPE_BLOCK
  local release=-DORDER=__NV_ATOMIC_RELEASE relaxed=-DORDER=__NV_ATOMIC_RELAXED
  try "$heddle" check --schedules 2 "$device" "$release" flag.cu
  expect_status 0
  try "$heddle" check --schedules 2 "$block" "$release" flag.cu
  expect_status 1
  expect_message "the scope of one atomic operation does not include the other thread"
  try "$heddle" check --schedules 2 "$device" "$relaxed" flag.cu
  expect_status 1
  expect_message '`message` is written by one block and read by another'
}

livelocks_under_random() {
  local program
  for program in "$fixtures"/../../defects/livelocks/*.cu; do
    [[ $program == *_fixed.cu ]] && continue
    try "$heddle" check --schedule random --schedules 1 --timeout 0 "$program"
    expect_status 1
    expect_message "livelock   kernel"
  done
}

many_launches() {
  cat >often.cu <<'CU'
__managed__ int sum;
__global__ void add() { atomicAdd(&sum, 1); }
__global__ void collide(int* cell) { *cell = threadIdx.x; }
int main(int count, char**) {
  for (int i = 0; i < 1000; ++i) add<<<2, 32>>>();
  int* cell;
  cudaMalloc(&cell, sizeof(int));
  for (int i = 0; i < 200 && count > 1; ++i) collide<<<1, 64>>>(cell);
  cudaDeviceSynchronize();
  cudaFree(cell);
  return sum != 64000;
}
CU
  try "$heddle" check --schedules 1 often.cu
  expect_status 0
  expect_message "covered: 1000 launches of 1 kernel, 2000 blocks"
  expect_message "of 1000 launches were watched"
  try "$heddle" check --schedules 1 --all often.cu
  expect_status 0
  [[ $messages != *"were watched"* ]] || fail "not all were: $messages"
  try "$heddle" check --schedules 1 often.cu -- collide
  expect_status 1
  expect_message "race"
}

early_exits_are_notes() {
  cat >early.cu <<'CU'
__managed__ int result[64];
__global__ void reverse(int n) {
  __shared__ int values[64];
  if (threadIdx.x >= n) return;
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  result[threadIdx.x] = values[n - 1 - threadIdx.x];
}
int main() {
  reverse<<<1, 64>>>(48);
  cudaDeviceSynchronize();
}
CU
  try "$heddle" check --json=early.json --sarif early.sarif --junit early.xml early.cu
  expect_status 0
  expect_message 'note: divergent-barrier   kernel `reverse`: threads have exited before a barrier of their block'
  expect_message "early.cu:6   __syncthreads();"
  expect_message "early.cu:4   if (threadIdx.x >= n) return;"
  expect_message "heddle: no findings in 8 schedules"
  expect_message "; 1 note"
  grep -q '"cause": "exited-threads"' early.json || fail "no cause: $(<early.json)"
  grep -q '"note": true' early.json || fail "no note: $(<early.json)"
  grep -q '"fails": false' early.json || fail "it fails: $(<early.json)"
  grep -q '"level": "note"' early.sarif || fail "no level: $(<early.sarif)"
  grep -q 'failures="0"' early.xml || fail "a failure: $(<early.xml)"
  grep -q 'threads have exited' early.xml || fail "no words: $(<early.xml)"
  try "$heddle" check --strict early.cu
  expect_status 1
  expect_message "heddle: 1 finding in 8 schedules"
  [[ $messages != *note* ]] || fail "it is still a note: $messages"
  "$heddle" cc --check early.cu -o early || fail "not built"
  try ./early
  expect_status 0
  expect_message "heddle: no findings in schedule converged; 1 note"
  # There is no note if all threads reach the barrier.
  sed -i 's/if (threadIdx.x >= n) return;/const bool works = threadIdx.x < n;/
    s/^  values/  if (works) values/; s/^  result/  if (works) result/' early.cu
  try "$heddle" check --strict early.cu
  expect_status 0
  [[ $messages != *note* ]] || fail "a note: $messages"
}

wide_shifts_are_notes() {
  cat >shift.cu <<'CU'
#include <cstdio>
__managed__ unsigned results[3];
__global__ void shift(unsigned n, int m) {
  results[0] = 1u << (n - 1);
  results[1] = n >> n;
  results[2] = 1u << m;
}
int main() {
  shift<<<1, 1>>>(32, -1);
  cudaDeviceSynchronize();
  std::printf("%x %x %x\n", results[0], results[1], results[2]);
}
CU
  try "$heddle" check --json=shift.json shift.cu
  expect_status 0
  expect_message 'note: wide-shift   kernel `shift` shifts a value of 32 bits by 32'
  expect_message 'shift.cu:5   results[1] = n >> n;'
  expect_message 'note: wide-shift   kernel `shift` shifts a value of 32 bits by -1'
  expect_message 'shift.cu:6   results[2] = 1u << m;'
  [[ $messages != *shift.cu:4* ]] || fail "a note about a shift by 31: $messages"
  expect_message "heddle: no findings in 8 schedules"
  grep -q '"distance": -1' shift.json || fail "no distance: $(<shift.json)"
}

leaks_are_notes() {
  cat >leak.cu <<'CU'
__global__ void fill(int* cell) { *cell = 1; }
int main() {
  static int* lost;
  cudaMalloc(&lost, 4);
  fill<<<1, 1>>>(lost);
  cudaDeviceSynchronize();
}
CU
  try "$heddle" check leak.cu
  expect_status 0
  expect_message "leak.cu:4"
  expect_message "; 1 leak"
  # Started directly, the program prints the same.
  "$heddle" cc --check -o leaking leak.cu
  try ./leaking
  expect_status 0
  expect_message "leak.cu:4"
  expect_message "heddle: no findings in schedule converged; 1 leak"
  expect_message "covered: "
  try "$heddle" check --leaks leak.cu
  expect_status 1
  try "$heddle" check --fail-on leak leak.cu
  expect_status 1
}

# A user's folders may have the names of heddle's, and includes may contain `..`.
knows_its_own_files() {
  mkdir -p include/heddle src/runtime cuda_on_host
  cat >include/heddle/leave.cuh <<'CU'
__device__ inline void leave(int* out, int n) {
  out[threadIdx.x + n] = 1;
}
CU
  cat >step.cuh <<'CU'
__device__ inline void step(int* out) {
  out[-1 - static_cast<int>(threadIdx.x)] = 1;
}
CU
  cat >src/runtime/main.cu <<'CU'
#include "../../include/heddle/leave.cuh"
#include "../../step.cuh"
__global__ void leave_it(int* out, int n) { leave(out, n); }
__global__ void step_back(int* out) { step(out); }
int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  leave_it<<<1, 32>>>(out, 32);
  step_back<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
CU
  sed 's/\.\.\/\.\./../' src/runtime/main.cu >cuda_on_host/main.cu
  local main
  for main in src/runtime/main.cu cuda_on_host/main.cu; do
    try "$heddle" check "$main"
    expect_status 1
    expect_message "include/heddle/leave.cuh:2   out[threadIdx.x + n] = 1;"
    expect_message "step.cuh:2   out[-1 - static_cast<int>(threadIdx.x)] = 1;"
    expect_message "allocated at $main:7"
    expect_message 'leak   `out`: 128 bytes are never freed'
  done
  cd src
  try "$heddle" check runtime/../runtime/main.cu
  expect_message "allocated at runtime/main.cu:7"
}

# Some distributions define _FORTIFY_SOURCE, which gives memcpy and others different names.
fortified_copies() {
  local defects=$fixtures/../../defects silent=$fixtures/../../checker/silent
  try "$heddle" check -std=c++20 -D_FORTIFY_SOURCE=2 "$defects/spaces/host_clears_device_memory.cu"
  expect_status 1
  expect_message 'wrong-space'
  expect_message 'host_clears_device_memory.cu:10'
  try "$heddle" check -std=c++20 -D_FORTIFY_SOURCE=2 "$silent/whole_buffer_fetched_and_used_in_part.cu"
  expect_status 0
}

# A finding inside a library also names the user's line that calls it.
names_the_line_that_calls_a_library() {
  cat >library.cu <<'CU'
#include <heddle/block/reduce.cuh>
constexpr int n = 128;
__managed__ float row[n];
__global__ void normalise() {
  union memory {
    heddle::block::scratch<float, n> scratch;
    float tile[n];
    __device__ memory() {}
  };
  __shared__ memory shared;
  const float value = row[threadIdx.x];
  const float sum = heddle::block::reduce(value, heddle::plus{}, shared.scratch);
  shared.tile[threadIdx.x] = value / sum;
  __syncthreads();
  row[threadIdx.x] = shared.tile[(threadIdx.x + 1) % n];
}
int main() {
  for (float& value : row) value = 1;
  normalise<<<1, n>>>();
  cudaDeviceSynchronize();
}
CU
  HEDDLE_CXX=g++ try "$heddle" check -std=c++20 --json all.json --sarif all.sarif library.cu
  expect_status 1
  expect_message "library.cu:12 "
  expect_message "in heddle::block::reduce "
  grep -q '"function": "heddle::block::reduce"' all.json || fail "no frames: $(<all.json)"
  grep -q '"text": *"in heddle::block::reduce"' all.sarif || fail "no frames: $(<all.sarif)"
}

reports_early() {
  racy
  try "$heddle" check --progress race.cu
  expect_status 1
  expect_message "heddle: schedule 1 of 8 (converged), 0 findings"
  expect_message "heddle: schedule 8 of 8"
  expect_message 'found: race   in kernel `hand_over`, '
  [[ $(grep -c '^found: race' <<<"$messages") == 1 ]] || fail "not reported once: $messages"
  [[ $messages != *$'\r'* && $messages != *$'\033'* ]] || fail "it is for a terminal: $messages"
}

explains() {
  try "$heddle" explain
  expect_status 0
  local kinds kind
  kinds=$(sed '/^$/,$d' <<<"$output" | cut -d' ' -f1)
  (($(wc -l <<<"$kinds") >= 16)) || fail "kinds: $kinds"
  for kind in $kinds; do
    try "$heddle" explain "$kind"
    expect_status 0
    [[ $output == "# $kind"* && $output == *"## The fix"* ]] || fail "no page of $kind: $output"
  done
  try "$heddle" explain rage
  expect_status 2
  expect_one_message "unknown kind 'rage'; the kinds are race"
  try "$heddle" explain race mask
  expect_status 2
}

# A write past the end of a device variable changes neither another variable nor the runtime's data, with either
# compiler.
padding_after_variables() {
  cat >behind.cu <<'CU'
#include <cstdio>
__device__ unsigned buckets[61];
__device__ int beside = 7;
__global__ void distribute() {
  buckets[threadIdx.x] = 0xffffffffu;
}
__global__ void look() {
  printf("%d\n", beside);
}
int main() {
  distribute<<<1, 77>>>();
  look<<<1, 1>>>();
  cudaDeviceSynchronize();
}
CU
  local compiler tried=0
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    tried=$((tried + 1))
    HEDDLE_CXX=$compiler try "$heddle" check behind.cu
    expect_status 1
    [[ $output == 7 ]] || fail "$compiler: beside is $output"
    expect_message 'out-of-bounds   kernel `distribute`: index 61 is out of bounds for `buckets`'
    expect_message "heddle: 1 finding in 8 schedules"
  done
  ((tried > 0)) || fail "there is no compiler"
}

watches_some_blocks() {
  # Writes and synchronisation in blocks that are not watched must not cause false alarms.
  cat >some.cu <<'CU'
#include <cstdio>
__device__ int done;
__global__ void fill(int* cells) { cells[blockIdx.x * 32 + threadIdx.x] = 1; }
__global__ void add(const int* cells, int* sums) {
  __shared__ bool is_last;
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += cells[blockIdx.x * 32 + i];
  sums[blockIdx.x] = sum;
  __threadfence();
  is_last = atomicAdd(&done, 1) == gridDim.x - 1;
  __threadfence();
  if (!is_last) return;
  for (int i = 0; i < gridDim.x; ++i) sums[gridDim.x] += sums[i];
}
__global__ void collide(int* cells) { cells[0] = blockIdx.x; }
int main(int count, char**) {
  constexpr int blocks = 100;
  int *cells, *sums, sum = 0;
  cudaMalloc(&cells, blocks * 32 * sizeof(int));
  cudaMalloc(&sums, (blocks + 1) * sizeof(int));
  cudaMemset(sums + blocks, 0, sizeof(int));
  fill<<<blocks, 32>>>(cells);
  add<<<blocks, 1>>>(cells, sums);
  cudaMemcpy(&sum, sums + blocks, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", sum);
  if (count > 1) collide<<<blocks, 1>>>(cells);
  cudaDeviceSynchronize();
  cudaFree(cells);
  cudaFree(sums);
}
CU
  try "$heddle" check --schedules 4 --blocks 7 some.cu
  expect_status 0
  [[ $output == 3200 ]] || fail "the sum is $output"
  expect_message "14 of 200 blocks were watched"
  try "$heddle" check --schedules 1 --blocks 7 some.cu -- collide
  expect_status 1
  expect_message "race"
  expect_message "21 of 300 blocks were watched"
  expect_message "heddle check --replay converged --blocks 7 some.cu"
  try "$heddle" check --blocks none some.cu
  expect_status 2
  expect_one_message "--blocks needs a whole number, not none"
}

debugging() {
  need gdb
  racy
  try "$heddle" check --gdb --replay random:1 race.cu < <(printf '%s\n' 'set pagination off' \
    'set confirm off' run bt kill quit)
  [[ $output == *"heddle_checker::collector::add"*"race.cu:"* ]] || fail "it said: $output $messages"
}

run_case "$2"
