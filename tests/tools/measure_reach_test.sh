#!/usr/bin/env bash
# tools/measure-reach reads a checkout's CMakeLists.txt, builds, runs and checks its programs, and writes the table.
# The checkouts have a correct program, a wrong one, one without a self-check, one that does not build, and one that is
# out of reach. Those with Makefiles also have programs that crash, do not end, or lack data. A script stands in for
# heddle.
set -euo pipefail
root=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failures=0
expect() { # text of the table
  grep -qF -- "$1" "$here/page.md" || { echo "FAILED: no row '$1' in"; cat "$here/page.md"; failures=1; }
}

sample() { # name, last line of its output, what CMakeLists.txt says besides
  mkdir -p "$here/samples/Samples/0_Introduction/$1/data"
  echo "echo '$2'" >"$here/samples/Samples/0_Introduction/$1/$1.cu"
  printf 'add_executable(%s %s.cu)\n%s\n' "$1" "$1" "${3:-}" >"$here/samples/Samples/0_Introduction/$1/CMakeLists.txt"
}
sample right 'Test passed'
sample wrong 'Test failed'
sample silent 'done'
sample broken 'syntax error'
sample elsewhere 'Test passed' 'target_link_libraries(elsewhere CUDA::nvrtc)'
echo '{"right": {"args": ["--small"]}}' >"$here/samples/test_args.json"

# A program is its source; a check finds a race in `wrong`.
mkdir -p "$here/build/bin"
cat >"$here/build/bin/heddle" <<'SCRIPT'
#!/usr/bin/env bash
command=$1
shift
echo "$*" >>"$(dirname "$0")/../../calls"
case $command in
cc)
  for word; do [[ $word != *.cu ]] || source=$word; done
  while [[ $1 != -o ]]; do shift; done
  ! grep -q 'syntax error' "$source" || { echo "broken.cu:1: error: syntax"; exit 1; }
  { echo '#!/usr/bin/env bash'; cat "$source"; } >"$2"
  chmod +x "$2" ;;
check)
  while [[ $1 != --json ]]; do shift; done
  finding='{"kind": "race", "what": "a race", "fingerprint": "1", "places": []}'
  "${@:3}" | grep -q failed || finding=
  echo "{\"findings\": [$finding], \"coverage\": {\"launches\": 1}}" >"$2" ;;
esac
SCRIPT
chmod +x "$here/build/bin/heddle"
printf 'before\n<!-- cuda-samples: begin -->\nold\n<!-- cuda-samples: end -->\nafter\n' >"$here/page.md"

"$root/tools/measure-reach" --samples "$here/samples" --build "$here/build" --out "$here/results.json" \
  --into "$here/page.md" >"$here/said"
expect '| `right` | yes | yes | yes | no findings |'
expect '| `wrong` | yes | yes | no | 1 finding |'
expect '| `silent` | yes | yes | no self-check | no findings |'
expect '| `broken` | no |  |  |  |  | broken.cu:1: error: syntax |'
expect '| NVRTC | `elsewhere` |'
expect '4 of 5 programs were tried: 3 build, 3 run to their end, 1 are correct by their own check'

# A program that is run several times shows how many of the runs failed, and how many were stopped.
sample globalToShmemAsyncCopy 'Test passed'
echo 'case $* in *kernel=[01]) exit 1 ;; *kernel=2) exec tail -f /dev/null ;; esac; echo "Test passed"' \
  >"$here/samples/Samples/0_Introduction/globalToShmemAsyncCopy/globalToShmemAsyncCopy.cu"
"$root/tools/measure-reach" --samples "$here/samples" --no-check --seconds 2 --build "$here/build" \
  --out "$here/results.json" --into "$here/page.md" globalToShmemAsyncCopy >>"$here/said"
expect '| `globalToShmemAsyncCopy` | yes | 5 of 8 (2 exit 1, 1 stopped after 2 s) | 5 of 8 |'

# A copy with smaller sizes is checked, and is run if the program was stopped. The checkout stays as it is.
sample BlackScholes 'Test passed'
size='OPT_N          = 4000000'
printf '%s\n' "size='$size'" '[[ $size != *4000000 ]] || exec tail -f /dev/null' 'echo "Test passed"' \
  >"$here/samples/Samples/0_Introduction/BlackScholes/BlackScholes.cu"
sample alignedTypes 'Test passed' # has no size that could be reduced
"$root/tools/measure-reach" --samples "$here/samples" --seconds 2 --build "$here/build" --out "$here/results.json" \
  --into "$here/page.md" BlackScholes alignedTypes >>"$here/said" 2>&1
expect '| `BlackScholes` | yes | stopped after 2 s | yes (smaller) | no findings (smaller) |'
expect '| `alignedTypes` | yes | yes | yes | no findings |'
expect 'correct by their own check (1 more with smaller sizes), and 4 were checked'
grep -q 'alignedTypes: its sources have no size' "$here/said" || { echo 'FAILED: no word about sizes'; failures=1; }
grep -q "$size" "$here/samples/Samples/0_Introduction/BlackScholes/BlackScholes.cu" ||
  { echo 'FAILED: the checkout has changed'; failures=1; }

# --check-only does not run programs again.
: >"$here/calls"
"$root/tools/measure-reach" --samples "$here/samples" --check-only --build "$here/build" --out "$here/results.json" \
  --into "$here/page.md" alignedTypes >>"$here/said"
[[ $(grep -c 'alignedTypes.cu -o' "$here/calls") == 1 ]] || { echo 'FAILED: --check-only builds more'; failures=1; }
expect '| `alignedTypes` | yes | yes | yes | no findings |'

# CUB's tests are linked with objects that are built once.
mkdir -p "$here/cccl/cub/test" "$here/cccl/c2h" "$here/catch2"
echo 'echo helper' >"$here/cccl/c2h/main.cu"
for test in scan reduce; do
  printf '%s\n' "echo 'All tests passed'" exit '// %PARAM% WIDTH width 4:16' \
    >"$here/cccl/cub/test/catch2_test_warp_$test.cu"
done
echo 'echo never' >"$here/cccl/cub/test/catch2_test_device_scan.cu"
printf '<!-- cub: begin -->\n<!-- cub: end -->\n' >>"$here/page.md"
: >"$here/calls"
"$root/tools/measure-reach" --cub "$here/cccl" --catch2 "$here/catch2" --no-check --build "$here/build" \
  --out "$here/results.json" --into "$here/page.md" >>"$here/said"
expect '| `warp_scan` | yes | yes | yes |'
expect '| `warp_reduce` | yes | yes | yes |'
expect '2 of 2 programs were tried: 2 build'
count=$(grep -c 'c2h/main.cu -o' "$here/calls") || true
((count == 1)) || { echo "FAILED: the shared file was built $count times"; failures=1; }
count=$(grep -c -- '-DWIDTH=4 .*main.o -o' "$here/calls") || true
((count == 2)) || { echo "FAILED: $count programs were built with the first value"; failures=1; }

# HeCBench's programs are built with make in a copy of their folder, and run as `make run` does, with one repetition.
hecbench() { # name, what the program says, the rest of its source, another line of its Makefile
  mkdir -p "$here/hecbench/src/$1-cuda"
  printf '%s\n' "$2" "${3:-}" >"$here/hecbench/src/$1-cuda/main.cu"
  printf 'CC = nvcc\nARCH = sm_60\n%s\nmain: main.cu\n\t$(CC) -arch=$(ARCH) main.cu -o main\nrun: main\n\t./main 8 500 $(DATA)\n' \
    "${4:-}" >"$here/hecbench/src/$1-cuda/Makefile"
}
mkdir -p "$here/hecbench/src/data"
echo 'PASS' >"$here/hecbench/src/data/verdict"
hecbench good 'echo "$2 repetitions of $1"; [[ $2 != 1 ]] || cat ../data/verdict' '# int repeat = atoi(argv[2]);'
hecbench bad 'echo "results" >../data/verdict; echo FAIL'
hecbench quiet 'echo "Error: 0.1"; [[ $2 == 500 ]]'
hecbench crash 'echo PASS; kill -SEGV $$'
hecbench slow 'echo PASS; exec tail -f /dev/null'
hecbench endless 'exec tail -f /dev/null'
hecbench large 'echo PASS; exec python3 -c "import time; b = bytearray([1]) * (1 << 28); time.sleep(30)"'
hecbench roomy 'python3 -c "import mmap; mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)" && echo PASS'
hecbench dataless 'echo "cannot open $3"; exit 1' '' 'DATA = ../data/absent.txt'
hecbench pointer 'kill -ABRT $$' '' 'DATA = ../data/grid/points'
mkdir -p "$here/hecbench/src/data/grid"
touch "$here/hecbench/src/data/grid/grid.tar.dvc" # stands for grid.tar, which is not there
hecbench solver 'syntax error' '#include <cusparse.h>'
hecbench typo 'syntax error'
printf '<!-- hecbench: begin -->\n<!-- hecbench: end -->\n' >>"$here/page.md"
: >"$here/calls"
before=$(find "$here/hecbench" -type f -exec sha256sum {} + | sort)
"$root/tools/measure-reach" --hecbench "$here/hecbench" --no-check -j 4 --seconds 5 --memory 0.1 --build "$here/build" \
  --out "$here/results.json" --into "$here/page.md" >>"$here/said"
expect '9 of 12 programs were tried: 8 build, 4 run to their end, 2 are correct by their own check'
expect '| `typo` | not built | broken.cu:1: error: syntax |'
expect '| `bad` | wrong result | FAIL |'
expect '| `crash` | SIGSEGV | PASS |'
expect '**Correct** (2): `good`, `roomy`.'
expect '**Run to their end, without a self-check** (1): `quiet`.'
expect '**Stopped, and correct so far** (2): `large`, `slow`.'
grep -q 'large: yes | stopped at 0.1 GiB of memory' "$here/said" || { echo 'FAILED: no limit for memory'; failures=1; }
expect '**Stopped before their self-check, if they have one** (1): `endless`.'
expect '| cuSPARSE | `solver` |'
expect '| data that are not in the checkout | `dataless`, `pointer` |'
grep -q -- '-arch=sm_90 main.cu -o main' "$here/calls" || { echo 'FAILED: no build for sm_90'; failures=1; }
[[ $(find "$here/hecbench" -type f -exec sha256sum {} + | sort) == "$before" ]] ||
  { echo 'FAILED: the checkout has changed'; failures=1; }

# --new leaves programs alone that have a result, here or elsewhere; a check runs the commands of `make run`.
: >"$here/calls"
rm -r "$here"/hecbench/src/{slow,endless,large,roomy}-cuda
hecbench late 'echo PASS' '# const int n_iter = std::stoi(argv[2]);'
cp "$here/results.json" "$here/elsewhere.json"
rm "$here/results.json"
"$root/tools/measure-reach" --merge "$here/elsewhere.json" --hecbench "$here/hecbench" --new --build "$here/build" --out "$here/results.json" \
  --into "$here/page.md" >>"$here/said"
expect '**Correct** (3): `good`, `late`, `roomy`.'
expect '**Stopped, and correct so far** (2): `large`, `slow`.'
[[ $(grep -c 'main.cu -o main' "$here/calls") == 2 ]] || { echo 'FAILED: not one build for each way'; failures=1; }
grep -q -- '-- ./main 8 1$\|[0-9s] .*\./main 8 1$' "$here/calls" || { echo 'FAILED: no check'; failures=1; }

# --stopped gives more time to those that were stopped.
hecbench slow 'echo PASS'
"$root/tools/measure-reach" --hecbench "$here/hecbench" --stopped --no-check --build "$here/build" \
  --out "$here/results.json" --into "$here/page.md" >"$here/said"
expect '**Correct** (4): `good`, `late`, `roomy`, `slow`.'
grep -q '^\[1/1, ' "$here/said" || { echo 'FAILED: others were run again'; cat "$here/said"; failures=1; }

expect 'before'
expect 'after'
! grep -qx old "$here/page.md" || { echo "FAILED: the old table is left"; failures=1; }
exit "$failures"
