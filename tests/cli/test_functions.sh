# For the tests of the command: a scratch folder, and functions that state what a call must do.
# Sourced with the arguments HEDDLE CASE; the cases are functions of the script that sources this.
set -uo pipefail
heddle=$1
fixtures=$(dirname "$(readlink -f "$0")")/fixtures
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HEDDLE_CACHE=$scratch/cache
# Each case has its own cache, but all share the precompiled headers, next to the program.
mkdir -p "$HEDDLE_CACHE" "$(dirname "$heddle")/test_preludes"
ln -s "$(readlink -f "$(dirname "$heddle")/test_preludes")" "$HEDDLE_CACHE/preludes"
unset HEDDLE_CXX HEDDLE_TIMEOUT HEDDLE_WORKERS
mkdir "$scratch/work"
cd "$scratch/work"
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# Runs a command; leaves its status, output and messages in `status`, `output`, `messages`.
try() {
  output=$("$@" 2>"$scratch/messages") && status=0 || status=$?
  messages=$(<"$scratch/messages")
}
expect_status() { ((status == $1)) || fail "status is $status, not $1. It said: $output $messages"; }
expect_message() { [[ $messages == *"$1"* ]] || fail "no '$1' in: $messages"; }
expect_silence() { [[ -z $output$messages ]] || fail "it said: $output $messages"; }
# The messages are exactly one line, which contains this text.
expect_one_message() {
  [[ $messages == *"$1"* && $messages != *$'\n'* ]] || fail "not one line with '$1': $messages"
}
expect_no_files_in_cache() {
  local left
  left=$(find "$HEDDLE_CACHE" -type f 2>/dev/null)
  [[ -z $left ]] || fail "left in the cache: $left"
  left=$(find "$HEDDLE_CACHE" -name 'building*' 2>/dev/null)
  [[ -z $left ]] || fail "left in the cache: $left"
}
# A device like /dev/null that a test may destroy; without the right to create one, a link to /dev/null.
make_null() { mknod "$1" c 1 3 2>/dev/null || ln -s /dev/null "$1"; }
expect_null() { [[ -c $1 ]] || fail "$1 is no device any more: $(ls -l "$1")"; }
need() { command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; exit 77; }; }

# Runs the case named on the command line and prints the result.
run_case() {
  declare -F "$1" >/dev/null || { echo "there is no case $1"; exit 2; }
  "$1"
  ((failures == 0)) && echo "all as expected"
  exit $((failures != 0))
}
