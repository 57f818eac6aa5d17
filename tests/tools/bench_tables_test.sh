#!/usr/bin/env bash
# The tables have the figures of the benches' JSON lines, leave out variants, name misses and the
# machine, and go between the marks of a page.
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

{ # warps: a peer, a variant, a group that stands for others and one that does not
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

{ # arrays: a missed target, one that is kept, our own sum, a variant
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

{ # rows: the target stands in a variant's row
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

# A page: its blocks are renewed, again and again, the rest is not.
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

# What cannot be right ends it with a sentence.
refuses() { # what the sentence has, arguments…
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
