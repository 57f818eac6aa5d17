#!/usr/bin/env bash
# tools/compare-sanitizer turns reports of compute-sanitizer into verdicts: the right kind, another kind,
# nothing, a hang, a false alarm, a program that nvcc refuses. It runs the right tools on each program,
# repeats hanging programs alone and kills them, continues an interrupted run, and counts all this in
# tables. The tools on the path are fakes.
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
cp "$(command -v sleep)" "$2"
SCRIPT
cat >"$here/bin/compute-sanitizer" <<'SCRIPT'
#!/usr/bin/env bash
case $1 in
--help) echo "  --initcheck-address-space arg" && exit ;;
--version) echo "Version 2025.3.1.0 (build 1)" && exit ;;
esac
tool=$2
echo "$*" >>"$CALLS"
echo "========= COMPUTE-SANITIZER"
echo "what the program prints: Invalid"
case "$tool $*" in
*opposite_order) # hangs in its own session, and is killed
  setsid "${!#}" 60 & wait ;;
*/off_by_one_tail_fixed) # hangs only next to others
  [[ -e ${!#}.seen ]] || { touch "${!#}.seen" && exec sleep 60; } ;;
racecheck*/warp_sums_without_barrier)
  echo "========= Error: Race reported between Write access at sum()+0x90 in race.cu:18"
  echo "=========     and Read access at sum()+0xa0 in race.cu:20 [2048 hazards]"
  echo "========="
  echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)" && exit ;;
memcheck*--leak-check*/buffer_of_every_round | memcheck*--leak-check*/counter_without_atomic*)
  echo "========= Leaked 1,024 bytes at 0x7f0000"
  echo "=========     Saved host backtrace up to driver entry point at allocation time"
  echo "========= ERROR SUMMARY: 1 error" && exit ;;
memcheck*/counter_without_atomic)
  echo "========= Trace/breakpoint trap"
  echo "=========     at count(int *)+0x90 in counter.cu:7"
  echo "========= ERROR SUMMARY: 1 error" && exit ;;
memcheck*/named_barrier_with_a_wrong_count)
  echo "========= Illegal instruction"
  echo "=========     at add()+0x90 in named.cu:7"
  echo "========= ERROR SUMMARY: 1 error" && exit ;;
racecheck*/cluster_reads_before_the_other_block_wrote)
  echo "========= Potential invalid __shared__ read of size 4 bytes"
  echo "=========     at exchange()+0x90 in cluster.cu:9"
  echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)" && exit ;;
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
memcheck*/freed_in_another_stream)
  echo "========= Use-after-free on allocation of size 256 bytes at 0x48ea000000"
  echo "========= ERROR SUMMARY: 1 error" && exit ;;
memcheck*/freed_twice) exit 3 ;;
memcheck*/stencil_in_place) echo "========= The loom is on fire" ;;
racecheck*-sync\ star\ 5*)
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

export CALLS=$here/calls
compare() {
  PATH=$here/bin:$PATH exec "$root/tools/compare-sanitizer" --out "$here/results/compute-sanitizer.json" \
    --build "$here/build" --jobs 4 --seconds 2 "$@"
}
some=(shared_races/warp_sums_without_barrier shared_races/warp_sums_without_barrier_fixed
  shared_races/cluster_reads_before_the_other_block_wrote
  global_races/counter_without_atomic global_races/stencil_in_place api/empty_grid api/freed_twice
  lifetimes/freed_in_another_stream
  alignment/vector_load_from_a_shifted_pointer barriers/barrier_in_a_branch
  barriers/named_barrier_with_a_wrong_count bounds/off_by_one_tail_fixed leaks/buffer_of_every_round
  deadlocks/locks_in_opposite_order silent/double_buffer silent/slots_in_any_order)
said=$(compare "${some[@]}")
has() { # the start of a line
  grep -q -- "^$1" <<<"$said" || fail "no line '$1' in: $said"
}
lacks() {
  ! grep -q -- "^$1" <<<"$said" || fail "a line '$1' in: $said"
}
called() { # how often, with which arguments
  (($(grep -c -- "$2" "$CALLS") == $1)) || fail "not $1 calls '$2' in: $(<"$CALLS")"
}
has 'found  *shared_races/warp_sums_without_barrier: racecheck: Error: Race reported .* \[race.cu:18\]$'
has 'silent  *shared_races/warp_sums_without_barrier_fixed'
has 'found  *shared_races/cluster_reads_before_the_other_block_wrote: racecheck: Potential invalid __shared__ read'
has 'other kind  *global_races/counter_without_atomic: memcheck: Trace/breakpoint trap \[counter.cu:7\]$'
has 'found  *barriers/named_barrier_with_a_wrong_count: memcheck: Illegal instruction'
has 'found  *lifetimes/freed_in_another_stream: memcheck: Use-after-free on allocation of size N bytes at$'
has 'found  *leaks/buffer_of_every_round: memcheck: Leaked N bytes'
has 'not found  *global_races/stencil_in_place'
has '  *not understood: memcheck: The loom is on fire'
has 'found  *api/empty_grid: memcheck: Program hit cudaErrorInvalidConfiguration'
has 'failed  *api/freed_twice'
has 'found  *alignment/vector_load_from_a_shifted_pointer: memcheck: Invalid __global__ read of size N bytes (misaligned) \[vector.cu:7\]$'
has 'found  *barriers/barrier_in_a_branch'
has 'hangs  *deadlocks/locks_in_opposite_order'
has 'false alarm  *silent/double_buffer'
has 'failed  *silent/slots_in_any_order: nvcc: error: refused'
called 1 '--tool memcheck .*/stencil_in_place$'
called 1 '--tool racecheck .*/stencil_in_place$'
called 2 '/stencil_in_place$'
called 2 '/warp_sums_without_barrier_fixed$'
called 1 '/empty_grid$'
called 4 '/double_buffer$'
called 1 '--leak-check'
# It hung next to other programs, but not alone.
has 'hangs  *bounds/off_by_one_tail_fixed'
has 'silent  *bounds/off_by_one_tail_fixed'
called 2 '/off_by_one_tail_fixed$'
# A program that hangs runs last and twice, and does not outlive its tool.
called 2 '/locks_in_opposite_order$'
order=$(grep -n -e ': those that may hang$' -e '/locks_in_opposite_order' <<<"$said" | head -2 | tail -1)
[[ $order == *opposite_order* ]] || fail "a program that hangs came before the others: $said"
! pgrep -f "^$here/build/deadlocks" || fail "a program has outlived its tool"

# It does not outlive the run either.
compare --seconds 60 deadlocks/locks_in_opposite_order >/dev/null &
until pgrep -f "^$here/build/deadlocks" >/dev/null; do sleep 0.1; done
kill $! && wait $! || true
! pgrep -f "^$here/build/deadlocks" || fail "a program has outlived the run"
grep -q '"failed": "synccheck ended' "$here/results/compute-sanitizer.json" && fail "what was ended counts as failed"

# An interrupted run: one program is missing.
python3 - "$here/results/compute-sanitizer.json" <<'SCRIPT'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    results = json.load(file)
del results["programs"]["api/empty_grid"]
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(results, file)
SCRIPT
said=$(compare --continue "${some[@]}")
has 'found  *api/empty_grid'
has 'failed  *api/freed_twice'
has 'not found  *global_races/stencil_in_place'
lacks '.*counter_without_atomic'
has '16 programs in '
# Without time to repeat a program that hung, its verdict stays.
said=$(compare --retry-seconds 0 deadlocks/locks_in_opposite_order)
has 'hangs  *deadlocks/locks_in_opposite_order'
called 4 '/locks_in_opposite_order$'

said=$(PATH=$here/bin:$PATH "$root/tools/compare-irregular" --sanitizer --build "$here/build" \
  --out "$here/results/irregular-sanitizer.json" pull/warp/once/sync pull/warp/once/race pull/warp/once/none)
has 'pull/warp/once/sync  *tiny: found; larger: not found'
has 'pull/warp/once/race  *tiny: not found'
has 'pull/warp/once/none  *tiny: silent'
called 1 '/pull-warp-once-race star 5 line 6 random 8$'
said=$(PATH=$here/bin:$PATH "$root/tools/compare-irregular" --sanitizer --build "$here/build" --continue \
  --out "$here/results/irregular-sanitizer.json" pull/warp/once)
has 'pull/warp/once/bounds  *tiny: not found'
lacks 'pull/warp/once/race'
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
for part in $'before\n<!-- defects: begin -->\n| family' '| `shared_races` | not run yet | 2 of 2 run |' \
  '| `global_races` | not run yet | 0 of 2 run (1 as another kind) |' \
  '| `deadlocks` | not run yet | 0 of 1 run (1 hangs) |' '| `api` | not run yet | 1 of 2 run (1 failed) |' '| `masks` | not run yet | not run yet |' \
  '| false alarms: repaired twins | not run yet | 0 of 2 run |' \
  '| false alarms: correct programs | not run yet | 1 of 2 run (1 not run to the end) |' \
  'compute-sanitizer 2025.3.1.0' 'compute-sanitizer was run on 16 of ' '<!-- defects: end -->' '| a missing barrier | 1 of 1 run | 0 of 1 run |' \
  '| all | 1 of 3 run | 0 of 3 run |' '| nothing: false alarms | 0 of 1 run | 0 of 1 run |' '<!-- irregular: end -->'; do
  [[ $page == *"$part"* ]] || fail "'$part' is not in: $page"
done
[[ $page != *old* ]] || fail "the old block is still there"

if ((failures == 0)); then echo "all verdicts are as they should be"; fi
exit $((failures > 0))
