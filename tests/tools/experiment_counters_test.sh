#!/usr/bin/env bash
# tools/experiment-counters finds the kernel of every variant, with ncu and with heddle profile, leaves out
# metrics that ncu does not know, and says what is missing. ncu is a fake; the optional third argument is the
# heddle to count with.
set -euo pipefail
root=$1
heddle=${3:-}
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
tool=$root/tools/experiment-counters

# Names as ncu writes them; ncu knows all metrics but one.
cat >"$here/names" <<'NAMES'
void heddle_bench::call_in_all_threads<(int)256, heddle_bench::number_feed<float, (int)32, (int)1>, heddle_bench::%>(unsigned int, int, T2::value_type *, long long *)
void heddle_bench::sum_unrolled<(int)1>(const float *, unsigned int, float *)
void heddle_bench::sum_unrolled<(int)8>(const float *, unsigned int, float *)
void heddle_bench::sum_grid_stride<(int)8>(const float *, unsigned int, float *)
void heddle_bench::draw_tickets<heddle_bench::plain_ticket>(unsigned long long *, unsigned int, int, unsigned long long *)
void heddle_bench::draw_tickets<heddle_bench::joined_ticket>(unsigned long long *, unsigned int, int, unsigned long long *)
void heddle_bench::draw_tickets<heddle_bench::matched_ticket>(unsigned long long *, unsigned int, int, unsigned long long *)
void heddle_bench::count_up<heddle_bench::count_by_addition>(heddle_bench::locked_counter *, int)
void heddle_bench::count_up<heddle_bench::count_by_exchange>(heddle_bench::locked_counter *, int)
void heddle_bench::count_up<heddle_bench::count_under_lock>(heddle_bench::locked_counter *, int)
void heddle_bench::push_and_pop<(bool)0, heddle::container::stack_view<unsigned int>>(T2, unsigned int, unsigned long long *)
void heddle_bench::push_and_pop<(bool)1, heddle::container::stack_view<unsigned int>>(T2, unsigned int, unsigned long long *)
void heddle_bench::push_and_pop<(bool)0, heddle_bench::locked_stack_view<unsigned int, heddle::sync::spin_lock<(heddle::sync::scope)1>>>(T2, unsigned int, unsigned long long *)
void heddle_bench::push_and_pop<(bool)1, heddle_bench::locked_stack_view<unsigned int, heddle::sync::spin_lock<(heddle::sync::scope)1>>>(T2, unsigned int, unsigned long long *)
NAMES
pattern=$(head -n 1 "$here/names")
sed -i 1d "$here/names"
for name in sum_by_{xor,down,down_and_broadcast,rolled_xor,shared_exchange,shared_tree,shared_reading} \
  {branches,choices}_in'<(int)'{1,2,4,8,16}'>' short_and_long{,_loop} \
  {parted,voted,lone,skipped}'<(int)'{0,1,2,32}', (bool)'{0,1}'>'; do
  echo "${pattern/\%/$name}" >>"$here/names"
done
echo "${pattern/(int)1>, heddle_bench::%/(int)32>, heddle_bench::sum_by_xor}" >>"$here/names"
for name in multiply_and_add shuffle_by_xor vote_{ballot,any} match_{any,all} reduce_add synchronise_{warp,block}; do
  echo "void heddle_bench::flood_operations<heddle_bench::$name>(unsigned int, int, unsigned int *, long long *)" \
    >>"$here/names"
done
mkdir "$here/bin"
cat >"$here/bin/ncu" <<'SCRIPT'
#!/usr/bin/env bash
[[ $1 != --version ]] || { echo "NVIDIA (R) Nsight Compute"; echo "Version 2025.3"; exit; }
if [[ $* == *sm__inst_executed_pipe_adu.sum* ]]; then
  echo "==ERROR== Failed to find metric sm__inst_executed_pipe_adu.sum"
  exit 1
fi
echo "==PROF== Profiling"
echo '"ID","Kernel Name","smsp__inst_executed.sum","l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum","l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"'
echo '"","","inst","request","request"'
number=0
while read -r name; do
  echo "\"$number\",\"$name\",\"1,$((100 + number))\",\"30\",\"2\""
  number=$((number + 1))
done <"$NAMES"
SCRIPT
touch "$here/bin/counted"
chmod +x "$here/bin/"*
export NAMES=$here/names PATH=$here/bin:$PATH
status=0
"$tool" --ncu "$here/bin/counted" --output "$here/lines" 2>"$here/said" || status=$?
((status == 0)) || fail "status $status: $(<"$here/said")"
grep -q 'ncu does not know sm__inst_executed_pipe_adu.sum' "$here/said" || fail "$(<"$here/said")"
head -n 1 "$here/lines" | grep -q '"bench": "experiment counters by ncu", "counted_by": "ncu, Version 2025.3"' ||
  fail "$(head -n 1 "$here/lines")"
grep -q '"variant": "array: unrolled by 8", "metric": "instructions of warps", "unit": "instructions", "value": 1101.0' \
  "$here/lines" || fail "no instructions: $(<"$here/lines")"
grep -q '"locked stack, warps together", "metric": "atomics", "unit": "requests", "value": 32.0' "$here/lines" ||
  fail "atomics are not added up"

sed -i '/joined_ticket/d' "$here/names"
status=0
"$tool" --ncu "$here/bin/counted" >"$here/said" 2>&1 || status=$?
((status == 2)) && grep -q "0 kernels are '1 counter, one for the warp'" "$here/said" || fail "$(<"$here/said")"
status=0
"$tool" --ncu "$here/bin/nothing" >"$here/said" 2>&1 || status=$?
((status == 2)) && grep -q 'there is no program' "$here/said" || fail "$(<"$here/said")"
status=0
"$tool" >"$here/said" 2>&1 || status=$?
((status == 2)) || fail "status $status without words"

# Runs the kernels on the CPU: 2 blocks of 8 warps, 4 rounds.
counted() { # variant, metric, value
  grep -qF "\"variant\": \"$1\", \"metric\": \"$2\"" "$here/cpu" || fail "'$1' has no '$2'"
  grep -F "\"variant\": \"$1\", \"metric\": \"$2\"" "$here/cpu" | grep -q "\"value\": $3," ||
    fail "'$1', '$2' is not $3: $(grep -F "\"$1\", \"metric\": \"$2\"" "$here/cpu")"
}
if [[ -n $heddle ]]; then
  "$tool" --heddle "$heddle" --json >"$here/cpu"
  counted shuffles shuffles $((16 * 4 * 5))
  counted 'shared memory, the same steps' 'shared stores' $((16 * 4 * 5))
  counted 'shared memory, the same steps' __syncwarp $((16 * 4 * 10))
  counted 'shared memory, tree' 'shared stores' $((16 * 4 * 6))
  counted 'down and broadcast: in all lanes' shuffles $((16 * 4 * 6))
  counted 'array: unrolled by 8' 'global loads' $(((1 << 15) / 32))
  counted '1 way, branches' 'divergent branches' 1
  counted '8 ways, branches' 'divergent branches' $((16 * 4 + 1))
  counted '1 counter, an atomic for each lane' 'lanes that make an atomic' $((512 * 4))
  counted '1 counter, one for the warp' 'lanes that make an atomic' $((16 * 4))
  counted 'two ways, half take it: joined by a vote' votes $((16 * 4))
fi
((failures == 0)) && echo "all as expected"
exit $((failures != 0))
