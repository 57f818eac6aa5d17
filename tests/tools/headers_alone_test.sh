#!/usr/bin/env bash
# The header check accepts a self-contained header, and names one that needs another header or that
# breaks when included twice.
set -euo pipefail
check=$1/tools/check-headers-alone
compiler=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

printf '#pragma once\n#include <string>\ninline std::string word() { return {}; }\n' >"$tree/good.hpp"
"$check" "$compiler" "$tree" c++20 >/dev/null || fail "a header that stands alone is refused"

printf '#pragma once\ninline std::string other() { return {}; }\n' >"$tree/needy.hpp"
output=$("$check" "$compiler" "$tree" c++20) && fail "a header that needs another passes"
[[ $output == *"needy.hpp does not compile"* ]] || fail "the needy header is not named: $output"
[[ $output != *"good.hpp does not"* ]] || fail "the good header is blamed: $output"

printf '#include "tree/needy.hpp"\n' >"$tree/needy.cpp"
"$check" "$compiler" "$tree" c++20 >/dev/null || fail "a header that its .cpp includes first is not left to the build"
printf '#include <string>\n#include "tree/needy.hpp"\n' >"$tree/needy.cpp"
"$check" "$compiler" "$tree" c++20 >/dev/null && fail "a header that its .cpp includes second is left to the build"

rm "$tree/needy.hpp" "$tree/needy.cpp"
printf '#error "<new> is not supported on the CPU"\n' >"$tree/refusing.hpp"
output=$("$check" "$compiler" "$tree" c++20) || fail "a header that refuses with a sentence fails"
[[ $output == *"1 say"* ]] || fail "the refusing header is not counted: $output"
printf '#error "<new> is not supported on the CPU"\nint = 4;\n' >"$tree/refusing.hpp"
"$check" "$compiler" "$tree" c++20 >/dev/null && fail "a header that refuses and is wrong passes"

rm "$tree/refusing.hpp"
printf 'struct twice {};\n' >"$tree/unguarded.hpp"
"$check" "$compiler" "$tree" c++20 >/dev/null && fail "a header without a guard passes"

((failures == 0)) && echo "all as expected"
exit $((failures != 0))
