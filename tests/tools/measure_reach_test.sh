#!/usr/bin/env bash
# tools/measure-reach reads a checkout's CMakeLists.txt, builds, runs and checks its programs, and writes the table.
# The checkouts have a correct program, a wrong one, one without a self-check, one that does not build, and one that is
# out of reach. A script stands in for heddle.
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
expect 'before'
expect 'after'
! grep -qx old "$here/page.md" || { echo "FAILED: the old table is left"; failures=1; }
exit "$failures"
