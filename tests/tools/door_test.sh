#!/usr/bin/env bash
# The door answers from any folder and through a link, and names packages it cannot install.
set -euo pipefail
root=$1
elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

cd "$elsewhere"
ln -s "$root/heddle" door
[[ $(./door) == *"./heddle test"* ]] || fail "without a command it does not print its help"
[[ $(./door help) == *"./heddle run"* ]] || fail "help does not print its help"

code=0
output=$(./door nonsense 2>&1) || code=$?
[[ $code == 2 && $output == *"'nonsense'"* ]] || fail "an unknown command: $code, $output"

# A copy of the door in an empty tree, on a machine where nothing is found.
mkdir -p fresh/bin
cp "$root/heddle" fresh/heddle
sed -i 's|for place in /usr/local /usr; do|for place in /nowhere; do|' fresh/heddle
for tool in bash dirname readlink mkdir touch cat env; do
  ln -s "$(command -v "$tool")" "fresh/bin/$tool"
done
code=0
output=$(PATH=$elsewhere/fresh/bin fresh/heddle run hello.cu 2>&1) || code=$?
[[ $code == 2 ]] || fail "without apt-get it ends with $code, not 2"
for package in cmake ninja-build g++ libdw-dev; do
  [[ $output == *"$package"* ]] || fail "the missing $package is not named: $output"
done
[[ ! -e fresh/build/packages-run ]] || fail "it remembers packages as there that are not"

((failures == 0)) && echo "all as expected"
exit $((failures != 0))
