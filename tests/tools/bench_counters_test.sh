#!/usr/bin/env bash
# tools/bench-counters names, for each row, our kernel that takes longest and what its warps wait for. ncu and the
# bench are fakes.
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

mkdir "$here/bin"
cat >"$here/bin/ncu" <<'SCRIPT'
#!/usr/bin/env bash
echo "$*" >>"$(dirname "$0")/asked"
[[ $* != *"no such row"* ]] || exit 0
wait=smsp__average_warps_issue_stalled_wait_per_issue_active.ratio
loads=smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio
memory=dram__throughput.avg.pct_of_peak_sustained_elapsed
warps=sm__warps_active.avg.pct_of_peak_sustained_active
echo "==PROF== Profiling"
echo "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"$memory\",\"$warps\",\"$wait\",\"$loads\""
echo '"","","ns","%","%","inst","inst"'
echo '"0","void heddle::device::detail::short_kernel<int>(int)","1,000","10","20","1","1"'
echo '"1","void heddle::device::detail::long_kernel<a<b>, 4>(int)","71,250","81.4","25.2","1","3"'
SCRIPT
printf '#!/bin/sh\n' >"$here/bin/a_bench"
chmod +x "$here/bin/"*
export PATH=$here/bin:$PATH
"$root/tools/bench-counters" a_bench "sum, 2^20" >"$here/said" || fail "status $?"
grep -qxF '| sum, 2^20 | `long_kernel` | 71.2 | 81 % | 25 % | loads from memory 75 %, the instruction before 25 % |' \
  "$here/said" || fail "$(<"$here/said")"
# The bench runs only our kernels.
grep -q -- 'a_bench --alone --only sum, 2^20$' "$here/bin/asked" || fail "$(<"$here/bin/asked")"

expect_sentence() {
  local sentence=$1 status=0
  shift
  "$root/tools/bench-counters" "$@" >"$here/said" 2>&1 || status=$?
  ((status == 2)) || fail "status is $status"
  grep -q "^bench-counters: $sentence" "$here/said" || fail "$(<"$here/said")"
}
expect_sentence "ncu has printed no table for a_bench --alone --only no such row" a_bench "no such row"
expect_sentence "no_bench is not there" no_bench "sum"
((failures == 0)) && echo "all as expected"
exit $((failures != 0))
