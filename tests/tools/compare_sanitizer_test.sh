#!/usr/bin/env bash
# Reports of compute-sanitizer become verdicts: the right kind, another kind, nothing, a hang, a false
# alarm, a program that nvcc refuses; and the tables count them. The tools on the path are stand-ins.
set -euo pipefail
root=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

mkdir "$here/bin" "$here/results"
cat >"$here/bin/nvcc" <<'SCRIPT'
#!/usr/bin/env bash
[[ ${!#} != *slots_in_any_order* ]] || { echo "error: refused"; exit 1; }
while [[ $1 != -o ]]; do shift; done
touch "$2"
SCRIPT
cat >"$here/bin/compute-sanitizer" <<'SCRIPT'
#!/usr/bin/env bash
case $1 in
--help) echo "  --initcheck-address-space arg" && exit ;;
--version) echo "Version 2025.3.1.0 (build 1)" && exit ;;
esac
tool=$2
echo "========= COMPUTE-SANITIZER"
echo "what the program prints: Invalid"
case "$tool $*" in
*opposite_order) # hangs, and is ended
  exec sleep 60 ;;
racecheck*/warp_sums_without_barrier)
  echo "========= Error: Race reported between Write access at sum()+0x90 in race.cu:18"
  echo "=========     and Read access at sum()+0xa0 in race.cu:20 [2048 hazards]"
  echo "========="
  echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)" && exit ;;
memcheck*/counter_without_atomic)
  echo "========= Leaked 1,024 bytes at 0x7f0000"
  echo "=========     Saved host backtrace up to driver entry point at allocation time"
  echo "========= ERROR SUMMARY: 1 error" && exit ;;
memcheck*/vector_load_from_a_shifted_pointer)
  echo "========= Invalid __global__ read of size 16 bytes"
  echo "=========     at sum(const float *)+0x50 in vector.cu:7"
  echo "=========     by thread (0,0,0) in block (0,0,0)"
  echo "=========     Address 0x7f0004 is misaligned"
  echo '========= Program hit cudaErrorMisalignedAddress (error 716) due to "misaligned address" on CUDA API call to cudaDeviceSynchronize.'
  echo "========= ERROR SUMMARY: 2 errors" && exit ;;
initcheck*/double_buffer)
  [[ $* == *"--initcheck-address-space all"* ]] || exit 1
  echo "========= Uninitialized __shared__ memory read of size 4 bytes"
  echo "=========     at smooth()+0x50 in buffer.cu:9"
  echo "========= ERROR SUMMARY: 1 error" && exit ;;
memcheck*/empty_grid)
  echo '========= Program hit cudaErrorInvalidConfiguration (error 9) due to "invalid configuration argument" on CUDA API call to cudaLaunchKernel.'
  echo "========= ERROR SUMMARY: 1 error" && exit ;;
memcheck*/freed_twice) exit 3 ;;
memcheck*/stencil_in_place) echo "========= The loom is on fire" ;;
racecheck*-sync\ star*)
  echo "========= Error: Race reported between Write access at work()+0x90 in irregular.cu:54"
  echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)" && exit ;;
synccheck*/barrier_in_a_branch)
  echo "========= Barrier error detected. Divergent thread(s) in block."
  echo "=========     at shift()+0x150 in barrier.cu:11"
  echo "========= ERROR SUMMARY: 28 errors" && exit ;;
esac
[[ $tool == racecheck ]] && echo "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)" ||
  echo "========= ERROR SUMMARY: 0 errors"
SCRIPT
chmod +x "$here/bin/"*

said=$(PATH=$here/bin:$PATH "$root/tools/compare-sanitizer" --out "$here/results/compute-sanitizer.json" \
  --build "$here/build" --jobs 4 --seconds 1 \
  shared_races/warp_sums_without_barrier shared_races/warp_sums_without_barrier_fixed \
  global_races/counter_without_atomic global_races/stencil_in_place api/empty_grid api/freed_twice \
  alignment/vector_load_from_a_shifted_pointer barriers/barrier_in_a_branch \
  deadlocks/locks_in_opposite_order silent/double_buffer silent/slots_in_any_order)
has() { # a line's beginning
  grep -q -- "^$1" <<<"$said" || fail "no line '$1' in: $said"
}
has 'found  *shared_races/warp_sums_without_barrier: racecheck: Error: Race reported .* \[race.cu:18\]$'
has 'silent  *shared_races/warp_sums_without_barrier_fixed'
has 'other kind  *global_races/counter_without_atomic: memcheck: Leaked N bytes'
has 'not found  *global_races/stencil_in_place'
has '  *not understood: memcheck: The loom is on fire'
has 'found  *api/empty_grid: memcheck: Program hit cudaErrorInvalidConfiguration'
has 'failed  *api/freed_twice'
has 'found  *alignment/vector_load_from_a_shifted_pointer: memcheck: Invalid __global__ read of size N bytes (misaligned) \[vector.cu:7\]$'
has 'found  *barriers/barrier_in_a_branch'
has 'hangs  *deadlocks/locks_in_opposite_order'
has 'false alarm  *silent/double_buffer'
has 'failed  *silent/slots_in_any_order'

said=$(PATH=$here/bin:$PATH "$root/tools/compare-irregular" --sanitizer --build "$here/build" \
  --out "$here/results/irregular-sanitizer.json" pull/warp/once/sync pull/warp/once/race pull/warp/once/none)
has 'pull/warp/once/sync  *star 5: found; line 6: not found; random 8: not found; star 130: found; random 200: not found'
has 'pull/warp/once/race  *star 5: not found'
has 'pull/warp/once/none  *star 5: silent'
cp "$here/results/irregular-sanitizer.json" "$here/results/irregular.json"

{
  echo 'before'
  echo '<!-- defects: begin -->'
  echo 'old'
  echo '<!-- defects: end -->'
  echo '<!-- irregular: begin -->'
  echo '<!-- irregular: end -->'
} >"$here/page.md"
"$root/tools/defect-table" --results "$here/results" --into "$here/page.md" 2>/dev/null
page=$(<"$here/page.md")
for part in $'before\n<!-- defects: begin -->\n| family' '| `shared_races` | not run yet | 1 of 1 |' \
  '| `global_races` | not run yet | 0 of 2 (1 as another kind) |' \
  '| `deadlocks` | not run yet | 0 of 1 (1 hangs) |' '| `api` | not run yet | 1 of 2 (1 not run) |' \
  '| false alarms: repaired twins | not run yet | 0 of 1 |' \
  '| false alarms: correct programs | not run yet | 1 of 2 (1 not run) |' \
  'compute-sanitizer 2025.3.1.0' '<!-- defects: end -->' '| a missing barrier | 1 of 1 | 1 of 1 |' \
  '| all | 1 of 2 | 1 of 2 |' '| nothing: false alarms | 0 of 1 | 0 of 1 |' '<!-- irregular: end -->'; do
  [[ $page == *"$part"* ]] || fail "'$part' is not in: $page"
done
[[ $page != *old* ]] || fail "the old block is still there"

if ((failures == 0)); then echo "all verdicts are as they should be"; fi
exit $((failures > 0))
