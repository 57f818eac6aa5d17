#!/usr/bin/env bash
# End-to-end tests of `heddle tour`. Usage: tour_test.sh HEDDLE CASE FAKE_DRIVER_FOLDER
# Each case is a function below; exit 77 means that something it needs is not installed.
. "$(dirname "$(readlink -f "$0")")/test_functions.sh"
export NO_COLOR=1
fake_driver=$3
# This machine may have a GPU, so each case says whether it uses one.
tour() { try "$heddle" tour --quick "$@"; }

# The quick stops; the others run different programs in the same way.
prints_figures() {
  tour --cpu --only ladder,check,scan
  expect_status 0
  [[ $output == *"7 sums, all correct"* ]] || fail "no sums: $output"
  [[ $output == *"race   in kernel \`sum_block\`, shared \`parts\`"* ]] || fail "no finding: $output"
  [[ $output == *"heddle check finds the race, and nothing in the ladder"* ]] || fail "no verdict: $output"
  [[ $output =~ 30,000\ points,\ [0-9]+\ clusters ]] || fail "no clusters: $output"
  # The counters explain the ladder: a tree makes lanes diverge, shuffles save barriers, vectors save requests.
  parted() { awk -v step="$1" 'index($0, step) { print int($(NF - 1)); exit }' <<<"$output"; } # % of the branches
  (($(parted "tree of spread threads") > 4 * $(parted "tree of first threads"))) || fail "branches: $output"
  [[ $output =~ vector\ loads\ +791\  ]] || fail "vector loads: $output"
  # docs/tour.md shows the same, except for the branches, whose number depends on the compiler.
  local line shown=0
  while IFS= read -r line; do
    [[ $output == *"$line"* ]] || fail "docs/tour.md has another line: $line"
    shown=$((shown + 1))
  done < <(grep '^    ' "$(dirname "$fixtures")/../../docs/tour.md" | sed -E 's/ +[^ ]+ +[^ ]+$//')
  ((shown >= 9)) || fail "docs/tour.md shows only $shown lines of the table"
  # Without a terminal, there is one line for each step and no cursor movement.
  expect_message "heddle: building and counting: 3 of 3 programs"
  [[ $messages != *$'\033'* && $messages != *$'\r'* ]] || fail "it moves the cursor: $messages"
  expect_message "heddle: wrote heddle-tour.html"
  [[ -s heddle-tour.html ]] || fail "there is no page"
  # Kernel times on the CPU are meaningless, so they are not shown.
  [[ $output != *GB/s* && $output != *" us"* ]] || fail "times of the CPU: $output"
}

programs() {
  tour --cpu --only norm,containers,experiments --no-html
  expect_status 0
  [[ $output =~ pass\ by\ pass\ +8,192\  && $output =~ heddle::norm\ +1,024\  ]] || fail "the norm: $output"
  [[ $output == *"no value is lost or duplicated"* ]] || fail "the containers: $output"
  if command -v python3 >/dev/null; then
    [[ $output == *"xor against down"* ]] || fail "the experiments: $output"
  fi
  [[ -z $(ls) ]] || fail "left over: $(ls)"
}

# In a browser, the page loads from disk, prints nothing on the console, and draws all plots.
page_loads() {
  local browser=
  for candidate in chromium chromium-browser google-chrome; do
    command -v "$candidate" >/dev/null && browser=$candidate && break
  done
  [[ -n $browser ]] || { echo "skipped: Chromium is not installed"; exit 77; }
  tour --cpu --only ladder,check,scan --html page.html
  expect_status 0
  grep -q 'Chart.js v' page.html || { echo "skipped: heddle was built without Chart.js"; exit 77; }
  ! grep -qE '(src|href)="(http|/)' page.html || fail "the page needs other files"
  # After loading, the page stores how many of its canvases have several colours.
  local spy='<script>addEventListener("load", () => { const drawn = [...document.querySelectorAll("canvas")].filter(one =>
    new Set(new Uint32Array(one.getContext("2d").getImageData(0, 0, one.width, one.height).data.buffer)).size > 3);
    document.body.dataset.drawn = drawn.length; });</script></body>'
  local page
  page=$(<page.html)
  printf '%s\n' "${page%</body>*}$spy</html>" >page.html
  browse() {
    timeout 200 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --enable-logging=stderr \
      --user-data-dir="$scratch/browser" --window-size=1280,3000 --virtual-time-budget=4000 "$@" "file://$PWD/page.html" 2>browser.log
  }
  browse --dump-dom >dom.html || fail "the browser ended with $?: $(tail -n 3 browser.log)"
  ! grep CONSOLE browser.log || fail "the page has said something on the console"
  [[ $(<dom.html) =~ data-plots=\"([0-9]+)\" ]] || fail "the page was not made"
  local plots=${BASH_REMATCH[1]}
  ((plots >= 10)) || fail "only $plots plots"
  [[ $(<dom.html) =~ data-drawn=\"([0-9]+)\" ]] || fail "nothing was drawn"
  ((BASH_REMATCH[1] == plots)) || fail "${BASH_REMATCH[1]} of $plots plots are drawn"
  grep -q 'examples/ladder/without_syncwarp.cu:16' dom.html || fail "the report of the checker is not in the page"
  if [[ -n ${HEDDLE_SCREENSHOT:-} ]]; then
    browse --screenshot="$HEDDLE_SCREENSHOT" >/dev/null || fail "no picture was made"
  fi
}

bad_arguments() {
  refuse() { # sentence, words…
    try "$heddle" tour "${@:2}"
    expect_status 2
    expect_one_message "heddle: $1"
  }
  refuse "unknown stop 'museum'; the stops are ladder, experiments, check, norm, containers, scan" --only ladder,museum
  refuse "cannot write none/page.html: there is no folder none" --html none/page.html
  refuse "--html: . is a folder" --html .
  refuse "--html and --no-html contradict each other" --html page.html --no-html
  refuse "The following argument was not expected: --fast" --fast
  HEDDLE_CXX=no-such-compiler refuse "no C++ compiler found" --quick
  [[ -z $(ls) ]] || fail "left over: $(ls)"
  try "$heddle" tour --help
  expect_status 0
  [[ $output == "heddle tour "*--quick* ]] || fail "the help: $output"
}

outputs() {
  make_null null
  tour --cpu --only scan --html null
  expect_status 0
  expect_null null
  output=$("$heddle" tour --quick --cpu --only scan --html - 2>"$scratch/messages") && status=0 || status=$?
  messages=$(<"$scratch/messages")
  expect_status 0
  [[ ${output%%$'\n'*} == "<!"* ]] || fail "not a page alone: ${output%%$'\n'*}"
  expect_message "30,000 points"
}

# If the page cannot be written, the tables are printed all the same.
full_disk() {
  export TMPDIR=$scratch/elsewhere
  mkdir "$TMPDIR"
  tour --cpu --only scan --html /dev/full
  expect_status 2
  [[ $output == *"30,000 points"* ]] || fail "no table: $output"
  expect_message "heddle: cannot write /dev/full: No space left on device"
  [[ $messages =~ "heddle: wrote $TMPDIR/heddle-tour-page-"......"/heddle-tour.html instead" ]] || fail "no other page: $messages"
  ls "$TMPDIR"/heddle-tour-page-*/heddle-tour.html >/dev/null || fail "the other page is not there"
  messages=$("$heddle" tour --quick --cpu --only scan --no-html 2>&1 >/dev/full) && status=0 || status=$?
  expect_status 2
  expect_message "heddle: cannot write the tables to standard output"
}

# /proc is read-only for everybody, even root.
read_only_folder() {
  export TMPDIR=$scratch/elsewhere
  mkdir "$TMPDIR"
  cd /proc || exit 1
  tour --cpu --only scan
  expect_status 0
  expect_message "heddle: cannot write heddle-tour.html: "
  expect_message "instead"
  ls "$TMPDIR"/heddle-tour-page-*/heddle-tour.html >/dev/null || fail "the other page is not there"
}

# Without disk space to build, each stop that builds fails with a message; the others still run.
no_room_to_build() {
  mkdir "$scratch/small"
  # Builds go to the cache or, without one, to the folder for temporary files.
  export HEDDLE_CACHE=/proc/none
  messages=$( (trap '' XFSZ; ulimit -f 40; "$heddle" tour --quick --cpu --only ladder,scan --no-html) 2>&1 >output.txt) && status=0 || status=$?
  output=$(<output.txt)
  expect_status 1
  [[ $output =~ The\ ladder.*failed ]] || fail "the ladder has not failed: $output"
  [[ $output == *"30,000 points"* ]] || fail "the scan was not shown: $output"
}

on_driver() { # what the driver answers, words…
  LD_LIBRARY_PATH=$fake_driver HEDDLE_FAKE_GPU=$1 tour --only scan --no-html "${@:2}"
}

without_usable_gpu() {
  on_driver none
  expect_status 0
  expect_message "note: NVIDIA's driver is installed, but finds no usable GPU (no CUDA-capable device is detected (error 100)); kernels run on the CPU"
  on_driver failing
  expect_status 0
  expect_message "finds no usable GPU (error 999)"
  [[ $output == *"30,000 points"* ]] || fail "no table: $output"
}

old_gpu() {
  on_driver 61
  expect_status 0
  expect_message "note: the GPU is too old: Imagined GPU is sm_61, heddle needs sm_75 or newer; kernels run on the CPU"
}

old_driver() {
  mkdir bin
  printf '#!/bin/sh\necho "Cuda compilation tools, release 13.0, V13.0.88"\n' >bin/nvcc
  chmod +x bin/nvcc
  export PATH=$PWD/bin:$PATH CUDACXX=$PWD/bin/nvcc
  HEDDLE_FAKE_RELEASE=12040 on_driver 90
  expect_status 0
  expect_message "its driver supports CUDA up to 12.4, and nvcc is from CUDA 13.0; kernels run on the CPU"
}

# With a GPU. A fake nvcc builds for the CPU, so everything before and after nvcc is tested.
with_gpu() {
  mkdir bin
  printf '#!/bin/sh\n[ "$1" = --version ] && echo "release 13.0, V13.0.88" && exit\necho "$@" >>"%s/nvcc.txt"\nexec "%s" cc "$@"\n' \
    "$PWD" "$heddle" >bin/nvcc
  chmod +x bin/nvcc
  export CUDACXX=$PWD/bin/nvcc LD_LIBRARY_PATH=$fake_driver HEDDLE_FAKE_GPU=90
  tour --only check,scan --html page.html
  expect_status 0
  expect_message "heddle: kernels run on the GPU: Imagined GPU (sm_90)"
  expect_message "heddle: measuring on the GPU: scan"
  grep -q -e '-arch=sm_90' nvcc.txt || fail "nvcc was called without the architecture: $(<nvcc.txt)"
  [[ $output == *"Times are from Imagined GPU"* && $output == *"points and labels on the GPU"* ]] || fail "no times: $output"
  [[ $output == *"the GPU gives the same labels"* ]] || fail "the labels: $output"
  [[ $output =~ Imagined\ GPU\ printed:\ [0-9]+,\ expected\ 256 ]] || fail "the broken kernel: $output"
  # If nvcc fails, the tour says so and still shows the counters.
  printf '#!/bin/sh\n[ "$1" = --version ] && echo "release 13.0, V13.0.88" && exit\necho "x.cu(1): error: no" >&2\nexit 1\n' >bin/nvcc
  tour --only ladder,scan --no-html
  expect_status 0
  [[ $output == *"nvcc could not build it for the GPU: x.cu(1): error: no"* ]] || fail "it does not say so: $output"
  [[ $output =~ vector\ loads\ +791\  ]] || fail "no counters: $output"
}

# The tour reports wrong kernels.
wrong_results() {
  local tree
  tree=$(dirname "$(dirname "$(readlink -f "$heddle")")")
  mkdir -p home/bin home/share
  ln "$heddle" home/bin/heddle 2>/dev/null || cp "$heddle" home/bin/heddle
  ln -s "$(readlink -f "$tree/include")" home/include
  ln -s "$tree/lib" home/lib
  cp -rL "$tree/share/heddle" home/share/heddle
  local steps=home/share/heddle/examples/ladder
  sed -i 's/distance = 16; distance > 0/distance = 8; distance > 0/' $steps/steps.cuh
  heddle=$PWD/home/bin/heddle
  tour --cpu --only ladder --no-html
  expect_status 1
  [[ $output == *"3 sums are wrong"* ]] || fail "wrong sums: $output"
  [[ $output =~ The\ ladder:\ one\ sum,\ seven\ kernels\ +wrong ]] || fail "the last lines: $output"
  # A kernel that does not compile.
  echo '#error no' >>$steps/steps.cuh
  tour --cpu --only ladder,scan --no-html
  expect_status 1
  [[ $output == *"error: #error no"* && $output == *"30,000 points"* ]] || fail "no compiler's error: $output"
  # A "broken" kernel without its defect.
  printf '#include <cstdio>\n__global__ void fine() {}\nint main() { fine<<<1, 1>>>(); cudaDeviceSynchronize(); }\n' \
    >$steps/without_syncwarp.cu
  tour --cpu --only check --no-html
  expect_status 1
  [[ $output == *"the race was not found"* ]] || fail "a race that is none: $output"
}

interrupted() {
  "$heddle" tour --quick --cpu --only norm --no-html >output.txt 2>messages.txt &
  local tour=$!
  for ((i = 0; i < 200; ++i)); do
    grep -q building messages.txt && break
    sleep 0.05
  done
  kill -TERM $tour
  wait $tour
  status=$?
  expect_status 143
  [[ ! -s output.txt ]] || fail "it has printed something: $(<output.txt)"
}

run_case "$2"
