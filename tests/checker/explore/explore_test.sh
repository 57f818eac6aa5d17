#!/usr/bin/env bash
# The schedule `exhaustive`, end to end. Usage: explore_test.sh HEDDLE CASE
here=$(dirname "$(readlink -f "$0")")
. "$here/../../cli/test_functions.sh"
export NO_COLOR=1

explore() { try "$heddle" check --schedule exhaustive "$@"; }
program() { echo "$here/programs/$1.cu"; }

litmus() {
  explore "$(program store_buffering)"
  expect_status 0
  expect_message "explored 3 interleavings, pruned 0; complete"
  expect_message "3 different results in all"
  explore "$(program message_passing)"
  expect_status 0
  expect_message "2 different results in all" # 0 and 42, never the old value
  expect_message "explored 2 interleavings"
}

lost_update() {
  explore --json=all.json "$(program lost_update)"
  expect_message "explored 4 interleavings, pruned 0; complete"
  expect_message "2 different results in all"
  grep -q '"explored": 4' all.json || fail "no figures: $(<all.json)"
  local replay
  replay=$(grep -o 'exhaustive:[0-9.-]*:' <<<"$messages" | tail -1)
  try "$heddle" check --replay "${replay%:}" "$(program lost_update)"
  [[ $output == 1 ]] || fail "$replay gives $output"
}

barriers() {
  explore "$(program barrier)"
  expect_status 0
  expect_message "explored 1 interleaving, pruned 0; complete"
}

locks() {
  explore "$(program lock)"
  expect_status 0
  [[ $output == 3 ]] || fail "it said: $output"
  expect_message "; complete"
  [[ $messages != *note* ]] || fail "it said: $messages"
  explore "$(program two_locks)"
  expect_status 1
  expect_message "deadlock   kernel \`count\`"
  expect_message "; complete"
  local replay
  replay=$(sed -n 's/.*--replay \(exhaustive:[0-9.-]*\).*/\1/p' <<<"$messages")
  try "$heddle" check --replay "$replay" "$(program two_locks)"
  expect_status 1
  expect_message "deadlock   kernel \`count\`"
}

waiting() {
  explore "$(program sleeping_wait)"
  expect_status 0
  [[ $output == 3 ]] || fail "it said: $output"
  expect_message "; complete"
}

stacks() {
  explore -DOPERATIONS=3 "$(program stack)"
  expect_status 1
  expect_message "aba   kernel \`borrow\`"
  expect_message "; complete"
  explore -DOPERATIONS=3 -DTAGGED "$(program stack)"
  expect_status 0
  expect_message "heddle: no findings"
  explore --preemptions 1 -DOPERATIONS=3 "$(program stack)"
  expect_status 1 # one preemption is enough to show it
  expect_message "; all within the preemption bound, which excluded"
  explore --preemptions 0 -DOPERATIONS=3 "$(program stack)"
  expect_status 0
}

known_states() { # three lanes reach the same states in many ways
  explore --preemptions 2 -DLANES=3 -DOPERATIONS=3 "$(program stack)"
  expect_status 1
  expect_message "aba   kernel \`borrow\`"
  expect_message "; all within the preemption bound, which excluded"
  [[ $messages =~ pruned\ [1-9] ]] || fail "nothing was known: $messages"
}

freed_memory() { # memory that a lane read last may be freed before the next kernel
  cat >freed.cu <<'CU'
__device__ unsigned sum;
__global__ void add(const unsigned* value) {
  atomicAdd(&sum, 1u);
  if (*value == 9) __trap();
}
__global__ void end() {}
int main() {
  unsigned* value;
  cudaMalloc(&value, sizeof *value);
  cudaMemset(value, 0, sizeof *value);
  add<<<1, 1>>>(value);
  cudaFree(value);
  end<<<1, 1>>>();
  cudaDeviceSynchronize();
}
CU
  explore freed.cu
  expect_status 0
  expect_message "no findings"
}

limits() {
  explore --time 1ms -DOPERATIONS=3 "$(program stack)"
  expect_message "; stopped at about "
  expect_message "time limit reached"
  cat >large.cu <<'CU'
__device__ int counter;
__global__ void count() { atomicAdd(&counter, 1); }
int main() {
  count<<<1, 65>>>();
  cudaDeviceSynchronize();
}
CU
  explore large.cu
  expect_status 2
  expect_message "more than 64 lanes"
  try "$heddle" check --preemptions 3 large.cu
  expect_status 2
  expect_message "--preemptions needs --schedule exhaustive"
  try "$heddle" check --replay exhaustive:7 large.cu
  expect_status 2
  expect_message "expected an interleaving such as"
}

failing_program() {
  cat >aborts.cu <<'CU'
#include <cstdlib>
__device__ int counter;
__global__ void count() { atomicAdd(&counter, 1); }
int main() {
  count<<<2, 1>>>();
  int result;
  cudaMemcpyFromSymbol(&result, counter, sizeof result);
  std::abort();
}
CU
  explore aborts.cu
  expect_status 2
  expect_message "reported no findings"
}

interrupted() { # an interrupted exploration reports what it has found so far
  mkfifo first
  "$heddle" check --schedule exhaustive -DLANES=4 -DOPERATIONS=4 "$(program stack)" \
    >first 2>"$scratch/messages" &
  local check=$!
  read -r output <first # the first interleaving is complete
  kill -INT $check
  wait $check
  status=$?
  messages=$(<"$scratch/messages")
  ((status == 1 || status == 130)) || fail "status is $status"
  expect_message "interrupted"
  expect_message "; stopped at about "
}

debugging() {
  need gdb
  try "$heddle" check --gdb --replay exhaustive:0.0-1.1-4.0 "$(program two_locks)" \
    < <(printf '%s\n' 'set pagination off' 'set confirm off' run bt kill quit)
  [[ $output == *"heddle_checker::collector::add"* ]] || fail "it said: $output $messages"
}

run_case "$2"
