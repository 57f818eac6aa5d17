#!/usr/bin/env bash
# `./heddle` works from any folder and through a link, and names the packages that it cannot install.
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
ln -s "$root/heddle" link
[[ $(./link) == *"./heddle test"* ]] || fail "without a command it does not print its help"
[[ $(./link help) == *"./heddle run"* ]] || fail "help does not print its help"

code=0
output=$(./link nonsense 2>&1) || code=$?
[[ $code == 2 && $output == *"'nonsense'"* ]] || fail "an unknown command: $code, $output"

# Help and version work before anything is built, and build nothing.
mkdir asked
cp "$root/heddle" "$root/CHANGELOG.md" asked
[[ $(asked/heddle --version) == "heddle "[0-9]*"release 13.0"* ]] || fail "--version: $(asked/heddle --version 2>&1)"
[[ $(asked/heddle test --help) == *"-R REGEX"* ]] || fail "test --help: $(asked/heddle test --help 2>&1)"
[[ $(asked/heddle bench --help) == *"bench host"* ]] || fail "bench --help: $(asked/heddle bench --help 2>&1)"
[[ $(asked/heddle help) == *"./heddle run"* ]] || fail "help: $(asked/heddle help 2>&1)"
[[ $(ls -A asked | tr '\n' ' ') == "CHANGELOG.md heddle " ]] || fail "something was built: $(ls -A asked)"

# A read-only checkout: /proc/sys takes its place, which even root cannot write. CMake and ninja are
# fakes that log where they should build.
mkdir stand_ins
for tool in cmake ninja; do
  printf '#!/bin/sh\ncase "$*" in *--version*) echo "cmake version 3.25.1";; esac\necho "%s $*" >>"$LOG"\nexit 0\n' $tool >stand_ins/$tool
  chmod +x stand_ins/$tool
done
sed 's|^root=.*|root=/proc/sys|; s|is_installed "$package" .. missing|true \|\| missing|' "$root/heddle" >locked
chmod +x locked
export LOG=$elsewhere/log
code=0
output=$(XDG_CACHE_HOME=$elsewhere/cache PATH=$elsewhere/stand_ins:$PATH ./locked run hello.cu 2>&1) || code=$?
grep -q "^cmake --preset host -B $elsewhere/cache/heddle/build-[0-9]*/host " log || fail "where it configures: $(cat log), $output"
[[ $code != 1 ]] || fail "1 means findings: $output"
code=0
output=$(XDG_CACHE_HOME=/proc/none PATH=$elsewhere/stand_ins:$PATH ./locked run hello.cu 2>&1) || code=$?
[[ $code == 2 && $output == "heddle: neither "*" can be written"* && $output != *$'\n'* ]] ||
  fail "nowhere to build: $code, $output"

# --mpi after the first build configures the tree again, still without tests, whose packages may be missing.
for folder in cache/heddle/build-*; do
  mkdir -p "$folder/host"
  touch "$folder"/host/{build.ninja,CMakeCache.txt}
done
rm log
code=0
output=$(XDG_CACHE_HOME=$elsewhere/cache PATH=$elsewhere/stand_ins:$PATH ./locked cluster --mpi --demo 2>&1) || code=$?
[[ $code == 2 && $output == *"heddle: CMake finds no MPI; "* ]] || fail "no MPI is found: $code, $output"
grep '^cmake --preset' log | grep -v HEDDLE_BUILD_TESTS=OFF && fail "it configures with tests: $(cat log)"

# A tool fails unexpectedly.
sed 's|^say() {|cksum() { return 1; }\nsay() {|' locked >broken
chmod +x broken
code=0
output=$(XDG_CACHE_HOME=$elsewhere/cache PATH=$elsewhere/stand_ins:$PATH ./broken run hello.cu 2>&1) || code=$?
[[ $code == 2 ]] || fail "a failing tool ended it with $code: $output"

# A copy of `./heddle` in an empty tree, on a machine without any packages.
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

# `install` takes one name.
for arguments in "" "cub" "cccl more"; do
  code=0
  output=$("$root/heddle" install $arguments 2>&1) || code=$?
  [[ $code == 2 && $output == *"usage: ./heddle install cccl"* ]] || fail "install $arguments: $code, $output"
done

((failures == 0)) && echo "all as expected"
exit $((failures != 0))
