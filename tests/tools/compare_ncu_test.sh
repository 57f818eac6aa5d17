#!/usr/bin/env bash
# tools/compare-ncu shows ncu's counts next to heddle's, adds up what ncu counts separately, and writes
# the counts to the files. The tools on the path are fakes.
set -euo pipefail
root=$1
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

mkdir -p "$here/bin" "$here/tree/tools" "$here/tree/tests/profiler"
cp "$root/tools/compare-ncu" "$here/tree/tools"
cp -r "$root/tests/profiler/kernels" "$root/tests/profiler/expected" "$here/tree/tests/profiler"
cat >"$here/bin/nvcc" <<'SCRIPT'
#!/usr/bin/env bash
while [[ $1 != -o ]]; do shift; done
touch "$2"
SCRIPT
cat >"$here/bin/ncu" <<'SCRIPT'
#!/usr/bin/env bash
[[ $1 != --version ]] || { echo "NVIDIA (R) Nsight Compute"; echo "Version 2025.3"; exit; }
echo "==PROF== Profiling \"lanes_2\""
red=l1tex__t_requests_pipe_lsu_mem_global_op_red.sum
atom=l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum
sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum
echo "\"ID\",\"Kernel Name\",\"$red\",\"$atom\",\"$sectors\""
echo '"","","request","request","sector"'
echo '"0","lanes_2","30","2","1,064"'
SCRIPT
chmod +x "$here/bin/"*
export PATH=$here/bin:$PATH
status=0
"$here/tree/tools/compare-ncu" --write --build "$here/build" atomics >"$here/said" || status=$?
((status == 1)) || fail "status is $status: $(<"$here/said")"
grep -qE '^lanes_2 +l1tex__t_requests\S+ \+ \S+ +32 +32$' "$here/said" || fail "$(<"$here/said")"
grep -qE '^lanes_2 +l1tex__t_sectors\S+ \+ \S+ +128 +1064  differs$' "$here/said" ||
  fail "$(<"$here/said")"
grep -q '^1 kernels, 1 counts differ$' "$here/said" || fail "$(<"$here/said")"
written=$here/tree/tests/profiler/expected/lanes_2.txt
grep -qE '^l1tex__t_sectors.* 128  1064$' "$written" || fail "$(<"$written")"
grep -qE '^# ncu: [-0-9]+, .*, Version 2025.3$' "$written" || fail "$(<"$written")"
grep -qE '^heddle.lanes_per_address +2 +-$' "$written" || fail "$(<"$written")"
# A second write replaces the line.
"$here/tree/tools/compare-ncu" --write --build "$here/build" atomics >/dev/null || true
(($(grep -c '^# ncu:' "$written") == 1)) || fail "$(<"$written")"
status=0
"$here/tree/tools/compare-ncu" nothing >"$here/said" 2>&1 || status=$?
((status == 2)) && grep -q 'there is no program nothing' "$here/said" || fail "$(<"$here/said")"
((failures == 0)) && echo "all as expected"
exit $((failures != 0))
