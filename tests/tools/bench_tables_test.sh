#!/usr/bin/env bash
# The tables have the figures from the benches' JSON lines, leave out variants, name missed targets and
# the machine, and go between the markers of a page.
set -euo pipefail
tool=$1/tools/bench-tables
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
head_of() { # bench, further members
  echo "{\"bench\": \"$1\", \"gpu\": \"Loom 9\", \"multiprocessors\": 7, \"clock_mhz\": 1980," \
    "\"driver\": \"580.1\", \"cuda\": \"13.0\", \"cccl\": \"3.0.1\", \"date\": \"2026-01-02\"${2:-}}"
}
collective() { # case, peer, ours, the peer's
  echo "{\"case\": \"$1\", \"peer\": \"$2\", \"ours_ns\": $3, \"peer_ns\": $4, \"ratio\": 0.5," \
    '"ours_alone_cycles": 1, "peer_alone_cycles": 4, "alone_ratio": 0.25, "goal": 1}'
}
array() { # case, peer, ours, the peer's, ratio, target, goal, wrong
  echo "{\"case\": \"$1\", \"peer\": \"$2\", \"ours_us\": $3, \"peer_us\": $4, \"ratio\": $5," \
    "\"share_of_copy\": 0.914, \"target_us\": ${6:-0}, \"goal\": ${7:-0}, \"wrong\": \"${8:-}\"}"
}
has() { # text, line
  grep -qxF -- "$2" <<<"$1" || fail "no line '$2' in: $1"
}
lacks() { # text, part
  [[ $1 != *"$2"* ]] || fail "'$2' is in: $1"
}

{ # warps: a peer, a variant, a group that represents others and one that does not
  head_of warp
  collective 'warp::reduce<32>(float)' 'xor loop' 2.5 5
  collective 'warp::reduce<32>(float)' 'ours, in pairs' 2.5 5
  collective 'group::reduce, 13 lanes' 'cooperative_groups' 3 1500.4
  collective 'group::reduce, 14 lanes' 'cooperative_groups' 3 6
} >"$here/warp.json"
text=$("$tool" "$here/warp.json")
has "$text" 'Loom 9 (7 multiprocessors at 1980 MHz, driver 580.1, CUDA 13.0, CCCL 3.0.1, 2026-01-02)'
has "$text" '| `warp::reduce<32>(float)` | xor loop | 2.50 | 5.00 | 0.50 | 0.25 |'
has "$text" '| `group::reduce, 13 lanes` | cooperative_groups | 3.00 | 1500 | 0.50 | 0.25 |'
lacks "$text" 'in pairs'
lacks "$text" '14 lanes'

{ # blocks: the faster of two peers
  head_of block
  collective 'block::reduce, 128 threads' 'raking' 2 5
  collective 'block::reduce, 128 threads' 'warps' 2 4
} >"$here/block.json"
text=$("$tool" "$here/block.json")
has "$text" '| `block::reduce, 128 threads` | warps | 2.00 | 4.00 | 0.50 | 0.25 |'
lacks "$text" raking

{ # arrays: a missed target, one that is met, our own sum, a variant
  head_of device ', "copy_gb_per_s": 4000'
  array 'sum of 9 floats' 'cub::DeviceReduce::Sum' 1.1 2.2 0.5 1.0
  array 'sum of 8 floats' 'cub::DeviceReduce::Sum' 1.0 2.0 0.5 1.0
  array 'sum of 8 floats' 'ours, later' 1.0 9.9 0.1
  array 'arg_max of 8 floats' 'our own sum' 1.05 1.0 1.05 0 1.05
} >"$here/device.json"
text=$("$tool" "$here/device.json")
has "$text" '| sum of 9 floats | 1.10 | 2.20 | 0.50 | 91 % | 1, missed by 10 % |'
has "$text" '| sum of 8 floats | 1.00 | 2.00 | 0.50 | 91 % | 1 |'
has "$text" '| arg_max of 8 floats | 1.05 | 1.00 | 1.05 | ≤ 1.05 |'
lacks "$text" later

{ # rows: the target is in a variant's row
  head_of norm ', "peers": "PyTorch 2.11"'
  array 'softmax 8192x4096' '1 x 128 x 4' 30 31 0.97 20
  array 'softmax 8192x4096' 'PyTorch' 30 60 0.5
} >"$here/norm.json"
text=$("$tool" "$here/norm.json")
has "$text" '| case | µs | PyTorch 2.11 | ratio | of copy speed | target |'
has "$text" '| softmax 8192x4096 | 30.00 | 60.00 | 0.50 | 91 % | 20, missed by 50 % |'

{ # sweeps; one size of the second algorithm is missing
  head_of 'device sweep'
  array 'sum of floats, 2^10' 'cub::DeviceReduce::Sum' 1 2 0.5
  array 'sum of floats, 2^28' 'cub::DeviceReduce::Sum' 100 200 0.5
  array 'select, percent 50, 2^28' 'cub::DeviceSelect::If' 100 150 0.6667
} >"$here/sweep.json"
{
  head_of 'norm sweep' ', "peers": "PyTorch 2.11"'
  array 'softmax 32x4' 'copies of as much' 3 2 1.5
  array 'softmax 32x4' 'PyTorch' 3 4 0.75
  array 'softmax 8x16' 'copies of as much' 4 2 2
} >"$here/norm_sweep.json"
text=$("$tool" "$here/sweep.json" "$here/norm_sweep.json")
has "$text" '| µs (ratio to CUB) | 2^10 | 2^28 |'
has "$text" '| sum of floats | 1.00 (0.50) | 100.00 (0.50) |'
has "$text" '| select, percent 50 |  | 100.00 (0.67) |'
has "$text" '| softmax | 3.00 (1.50) | 4.00 (2.00) |'
has "$text" '| µs (ratio to PyTorch 2.11) | 4 |'

row() { # experiment, variant, metric, unit, value, further members
  echo "{\"experiment\": \"$1\", \"variant\": \"$2\", \"metric\": \"$3\", \"unit\": \"$4\", \"value\": $5}"
}
# Experiments. The figures decide about the claims: first all figures confirm them, then all refute them.
experiments() { # cycles of a shuffle, a block's barrier, a grid's; half short half long; shared memory; locked; 0
  local variant way warps launch what answer=(${7})
  head_of experiments
  for variant in __shfl_xor_sync '__syncwarp of all lanes' '__syncwarp of a mask in a register'; do
    row 'latency and throughput' "$variant" latency cycles "$1"
  done
  row 'latency and throughput' __shfl_xor_sync throughput lanes/cycle 31.9
  for variant in 32 256 1024; do row barriers "__syncthreads, $variant threads" latency cycles "$2"; done
  for variant in 'a block of 256 threads' 'two blocks of 1024 threads'; do
    row barriers "grid barrier, $variant a multiprocessor" latency cycles "$3"
  done
  row divergence 'all go the short way' alone cycles 100
  row divergence 'all go the long way' alone cycles 400
  for way in branches 'one loop'; do row divergence "half short, half long: $way" alone cycles "$4"; done
  row 'shuffle against shared memory' shuffles busy ns 10
  for way in 'the same steps' tree 'every lane reads all'; do
    row 'shuffle against shared memory' "shared memory, $way" busy ns "$5"
  done
  row 'shuffle against shared memory' 'rows from memory: shuffles' speed GB/s 4000
  row 'shuffle against shared memory' 'rows from memory: shared memory, the same steps' speed GB/s 3990
  for launch in '1 warp' '1 block' '256 lanes a multiprocessor'; do
    for what in queue stack; do
      for way in 'single lanes' 'warps together'; do
        row 'lock-free against locked' "$what, $way, $launch" speed millions/s 60
        row 'lock-free against locked' "locked $what, $way, $launch" speed millions/s "$6"
      done
    done
  done
  for variant in 'is in another branch' 'has exited' 'is beyond the warp'; do
    row 'lanes outside the mask' "the asked lane $variant" 'got 0' 'of 16 lanes' "${answer[0]}"
    row 'lanes outside the mask' "the asked lane $variant" 'got their own value' 'of 16 lanes' "${answer[1]}"
    row 'lanes outside the mask' "the asked lane $variant" "got the asked lane's value" 'of 16 lanes' 0
  done
  row unrolling 'sum of a warp, a loop' busy ns 20
  row unrolling 'sum of a warp, unrolled' busy ns 10
  for warps in 8 64; do
    row unrolling "array, $warps warps a multiprocessor: a loop" speed GB/s 1000
    row unrolling "array, $warps warps a multiprocessor: unrolled by 8" speed GB/s "$((warps == 8 ? 3000 : 1010))"
  done
  row 'xor against down' 'xor: sum in all lanes' busy ns 2.5
  row 'vote-unified branches' 'two ways' busy ns 1
  row 'aggregated against plain atomics' '1 counter' speed millions/s 1
}
verdicts() { # of a file: `claim | verdict`
  "$tool" "$1" | sed -n '/begin claims/,/figures: end/s/^| \(.*\) | .* | \(.*\) |$/\1 | \2/p'
}
experiments 1 10 100 400 18 25 '16 0' >"$here/experiments.json"
text=$(verdicts "$here/experiments.json")
has "$text" 'a shuffle takes one cycle | yes'
has "$text" '32 shuffles per cycle and multiprocessor | yes, if a shuffle is counted for each lane'
has "$text" 'a warp sync takes 1–2 cycles | yes'
has "$text" 'a block sync takes about 10 cycles | yes'
has "$text" 'a grid sync takes about 100 cycles | yes'
has "$text" 'divergence costs the longest branch (or the sum?) | the longest branch; the longest, if it is one loop'
has "$text" 'shuffles beat shared memory 1.5–2 times | yes; not where something else is the limit'
has "$text" 'lanes outside the mask get 0 | yes'
has "$text" 'unrolling pays | yes where a warp waits for itself; not where enough warps hide it'
has "$("$tool" "$here/experiments.json")" '| xor: sum in all lanes | 2.50 |'
experiments 23 30 3000 500 100 60 '0 16' >"$here/experiments.json"
text=$(verdicts "$here/experiments.json")
has "$text" 'a shuffle takes one cycle | no: that is how often one can start, not how long it takes'
has "$text" 'a warp sync takes 1–2 cycles | no'
has "$text" 'a block sync takes about 10 cycles | no: more, and it grows with the block'
has "$text" 'a grid sync takes about 100 cycles | no: 30 times as many'
has "$text" 'divergence costs the longest branch (or the sum?) | the sum of the branches; of one loop, too'
has "$text" 'shuffles beat shared memory 1.5–2 times | no: more; not where something else is the limit'
has "$text" 'lock-free beats locked 2–3 times, and 5–10 times where many compete | depends: 1 to 1 times'
has "$text" "lanes outside the mask get 0 | nothing promises it; beyond the warp it is one's own value"

{ # counters of heddle and ncu side by side; a column without a count is left out
  echo '{"bench": "experiment counters by heddle", "counted_by": "heddle profile", "date": "2026-01-02"}'
  row 'xor against down' 'xor: sum in all lanes' shuffles meetings 320
  row 'xor against down' 'xor: sum in all lanes' 'shared loads' requests 0
  row 'xor against down' 'xor: sum in all lanes' atomics requests 7
} >"$here/counted.json"
{
  echo '{"bench": "experiment counters by ncu", "counted_by": "ncu, 1", "gpu": "Loom 9", "date": "2026-01-02"}'
  row 'xor against down' 'xor: sum in all lanes' atomics requests 8
} >"$here/ncu.json"
text=$("$tool" "$here/counted.json" "$here/ncu.json")
has "$text" '| counted | shuffles (heddle) | atomics (heddle / ncu) |'
has "$text" '| xor: sum in all lanes | 320 | 7 / 8 |'
has "$text" 'ncu, 1, Loom 9, 2026-01-02'

# In a page, the tool replaces its blocks each time and nothing else.
page=$here/page.md
printf 'before\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nbetween\n%s\nkept\n%s\nafter\n' \
  '<!-- figures: begin warps -->' '<!-- figures: end -->' >"$page"
"$tool" "$here/sweep.json" "$here/norm.json" --into "$page" 2>"$here/said"
text=$(<"$page")
for line in before between after kept '| sum of floats | 1.00 / 2.00 |  | 100.00 / 200.00 | 91 % |' \
  '| softmax | 30.00 / 60.00 | 91 % |'; do
  has "$text" "$line"
done
lacks "$text" old
[[ $(<"$here/said") == *"no figures for the block 'warps'"* ]] || fail "the block without figures is not named"
"$tool" "$here/sweep.json" "$here/norm.json" --into "$page" 2>/dev/null
[[ $text == "$(<"$page")" ]] || fail "the second time changes the page"

# Wrong input ends the tool with a sentence.
refuses() { # part of the sentence, arguments…
  local code=0 said
  said=$("$tool" "${@:2}" 2>&1) || code=$?
  [[ $code == 1 && $said == *"$1"* ]] || fail "code $code, '$said' instead of '$1'"
}
collective 'warp::reduce' 'xor loop' 1 2 >"$here/headless.json"
refuses 'does not say which bench' "$here/headless.json"
{
  head_of device
  array 'sum of 8 floats' 'cub' 1 2 0.5 0 0 ours
} >"$here/wrong.json"
refuses 'gave a wrong result' "$here/wrong.json"
echo text >"$here/bare.md"
refuses 'has no' "$here/sweep.json" --into "$here/bare.md"
refuses 'No such file' "$here/nothing.json"

((failures == 0)) && echo "all as expected"
exit $((failures != 0))
