#!/usr/bin/env bash
# End-to-end tests of `heddle profile`. Usage: profile_test.sh HEDDLE CASE
# Each case is a function below; exit 77 means that something it needs is not installed.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"
export NO_COLOR=1

strided() { # strided.cu: a load with a stride in line 4, a bank conflict in line 6
  cat >strided.cu <<'CU'
#include <cstdio>
__global__ void turn(const float* in, float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = in[threadIdx.x * 8];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][0];
}
__global__ void count(unsigned* bins) { atomicAdd(&bins[threadIdx.x / 16], 1u); }
__global__ void publish(int* out) {
  out[blockIdx.x * 16 + threadIdx.x % 16] = 1;
  __threadfence();
}
int main(int argc, char** argv) {
  float *in, *out;
  unsigned* bins;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&bins, 2 * sizeof(unsigned));
  turn<<<1, 32>>>(in, out);
  count<<<1, 32>>>(bins);
  publish<<<2, 32>>>(reinterpret_cast<int*>(out));
  cudaDeviceSynchronize();
  for (int i = 1; i < argc; ++i) std::printf("[%s]", argv[i]);
  std::printf("done\n");
}
CU
}

prints_figures() {
  strided
  try "$heddle" profile strided.cu -- one "two three"
  expect_status 0
  [[ $output == "[one][two three]done" ]] || fail "the program's output: $output"
  expect_message 'kernel `turn`   1 launch of 1 block x 32 threads, 1 warp'
  expect_message "global loads        1 request          32 sectors, 32.00 per request, 12.5 % of their bytes used"
  expect_message "shared stores       1 request          32 wavefronts, 1 without conflicts, up to 32 ways"
  expect_message "registers           not known"
  messages=$(tr -s ' \n' ' ' <<<"$messages")  # advice is wrapped
  expect_message "advice strided.cu:4: neighbouring lanes are 32 bytes apart (8 elements of 4 bytes)"
  expect_message "advice strided.cu:6: bank conflicts: 32 wavefronts per request instead of 1"
  expect_message "advice strided.cu:8: 16 lanes of a warp update the same address at once, up to 16"
  expect_message "heddle::warp::aggregated_add"
  expect_message "advice strided.cu:11: the fence has device scope"
  try "$heddle" profile --lines 1 strided.cu
  expect_message "more, see --lines"
}

writes_reports() {
  need python3
  strided
  try "$heddle" profile --json strided.cu
  expect_status 0
  expect_message done
  printf '%s' "$output" >all.json
  python3 - <<'PY' || fail "the JSON is not as expected"
import json
kernel = json.load(open("all.json"))["kernels"][0]
assert kernel["kernel"] == "turn" and kernel["registers"] is None
assert kernel["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 32
assert kernel["metrics"]["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] == 32
assert any(one["line"] == 4 for one in kernel["advice"])
PY
  try "$heddle" profile --json=file.json --html page.html strided.cu
  expect_status 0
  expect_message "heddle: wrote page.html"
  [[ $output == done ]] || fail "the program's output: $output"
  cmp -s all.json file.json || grep -q '"kernel": "turn"' file.json || fail "no JSON in the file"
  grep -q '<title>profile of strided.cu</title>' page.html || fail "no page"
  grep -q 'tile\[threadIdx.x\]\[0\] = in\[threadIdx.x \* 8\];' page.html || fail "no source in the page"
  # The page needs no other file.
  ! grep -qE '(src|href)="(http|/)' page.html || fail "the page needs other files"
}

# Two of three floats are used: 66.7 % of the bytes, on the terminal and on the page.
page_agrees() {
  cat >gaps.cu <<'CU'
__global__ void gaps(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x + threadIdx.x / 2]; }
int main() {
  float *in, *out;
  cudaMalloc(&in, 256), cudaMalloc(&out, 128), cudaMemset(in, 0, 256);
  gaps<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
CU
  try "$heddle" profile --html page.html gaps.cu
  expect_status 0
  expect_message " 67 %"
  grep -q '67 %' page.html || fail "the page: $(grep -o '[0-9]* %' page.html)"
  ! grep -q '66 %' page.html || fail "the page rounds down"
}

# In a browser, the page shows the source and prints nothing on the console.
page_loads() {
  need chromium
  strided
  try "$heddle" profile --html page.html strided.cu
  timeout 100 chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --v=0 \
    --user-data-dir="$scratch/browser" --dump-dom "file://$PWD/page.html" >dom.html 2>browser.log
  ! grep -q CONSOLE browser.log || fail "console: $(grep CONSOLE browser.log)"
  grep -q 'class="source"' dom.html || fail "no source was drawn"
}

outputs() {
  strided
  make_null null
  try "$heddle" profile --json=null --html null strided.cu
  expect_status 0
  expect_null null
  [[ $messages != *"heddle: wrote"* ]] || fail "there is no page: $messages"
  # A dangling symbolic link stays, and its target is written.
  ln -s real.html link.html
  try "$heddle" profile --html link.html strided.cu
  expect_status 0
  [[ -L link.html && -s real.html ]] || fail "$(ls -l)"
  local name
  for name in - /dev/stdout; do
    "$heddle" profile --html $name strided.cu >page.html 2>/dev/null || fail "--html $name ended with $?"
    [[ $(head -n 1 page.html) == "<!"* ]] || fail "not a page: $(head -n 1 page.html)"
  done
}

bad_arguments() {
  strided
  try "$heddle" profile
  expect_status 2
  expect_one_message "no input files"
  try "$heddle" profile missing.cu
  expect_status 2
  expect_one_message "no such file: missing.cu"
  try "$heddle" profile --lines many strided.cu
  expect_status 2
  expect_one_message "--lines needs a whole number, not many"
  try "$heddle" profile --html /nowhere/page.html strided.cu
  expect_status 2
  expect_one_message "heddle: --html: cannot write /nowhere/page.html: No such file or directory"
  try "$heddle" profile --json --html - strided.cu
  expect_status 2
  expect_one_message "--json and --html cannot both write to standard output"
  try "$heddle" profile --sorted strided.cu
  expect_status 2
  expect_one_message "unknown option --sorted"
  try "$heddle" profile --check strided.cu
  expect_status 2
  expect_one_message "leave out --check"
  try "$heddle" profile -c strided.cu
  expect_status 2
  expect_one_message '`heddle profile` builds a program and runs it'
  echo "int main() { return no_such_name; }" >broken.cu
  try "$heddle" profile broken.cu
  expect_status 2
  expect_message no_such_name
}

help() {
  try "$heddle" profile --help
  expect_status 0
  [[ $output == "heddle profile "* && $output == *Examples* ]] || fail "help: $output"
  try "$heddle" help
  [[ $output == *profile* ]] || fail "help does not name it: $output"
}

no_kernel() {
  echo 'int main() { return 0; }' >quiet.cu
  try "$heddle" profile quiet.cu
  expect_status 0
  expect_one_message "the program launched no kernel"
}

failing_programs() {
  strided
  sed 's/std::printf("done.*/return 3;/' strided.cu >three.cu
  try "$heddle" profile three.cu
  expect_status 3
  expect_message 'kernel `turn`'
  expect_message "the program returned 3"
  sed 's/std::printf("done.*/__builtin_trap();/' strided.cu >trap.cu
  try "$heddle" profile trap.cu
  ((status > 128)) || fail "status is $status"
  expect_message "so there is no profile"
  sed 's/in\[threadIdx.x \* 8\]/in[threadIdx.x + 0x7fffffff00ll]/' strided.cu >wild.cu
  try "$heddle" profile wild.cu
  expect_status 0
  expect_message "; 1 failed"
}

run_case "$2"
