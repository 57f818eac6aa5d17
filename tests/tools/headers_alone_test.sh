#!/usr/bin/env bash
# The header check accepts a self-contained header, and names one that needs another header or that
# breaks when included twice, also where it leaves a header to another file.
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

rm "$tree/needy.cpp"

printf '#pragma once\n#include "needy.hpp"\n#include <string>\n' >"$tree/user.hpp"
"$check" "$compiler" "$tree" c++20 >/dev/null && fail "a needy header passes if another includes it first"
for before in '#include <string>' '#ifdef word'; do
  printf '#pragma once\n%s\n#include "needy.hpp"\n' "$before" >"$tree/user.hpp"
  [[ $before == \#ifdef* ]] && echo '#endif' >>"$tree/user.hpp"
  output=$("$check" "$compiler" "$tree" c++20) && fail "a needy header after '$before' passes"
  [[ $output == *"needy.hpp does not compile"* ]] || fail "the needy header after '$before' is not named: $output"
done
rm "$tree/user.hpp" "$tree/needy.hpp"

printf '#pragma once\n#include <cstdint>\n' >"$tree/common.hpp"
for ((i = 0; i < 20; i++)); do
  printf '#pragma once\n#include "common.hpp"\ninline std::int32_t word%d;\n' $i >"$tree/user$i.hpp"
done
printf 'inline std::vector<int> numbers;\n' >>"$tree/user7.hpp"
output=$("$check" "$compiler" "$tree" c++20) && fail "a needy header with a precompiled beginning passes"
[[ $output == *"user7.hpp does not compile"*"1 of 21 headers failed" ]] || fail "user7.hpp alone is not blamed: $output"
rm "$tree"/user*.hpp "$tree/common.hpp"
printf '#error "<new> is not supported on the CPU"\n' >"$tree/refusing.hpp"
output=$("$check" "$compiler" "$tree" c++20) || fail "a header that refuses with a sentence fails"
[[ $output == *"1 of them say"* ]] || fail "the refusing header is not counted: $output"
printf '#error "<new> is not supported on the CPU"\nint = 4;\n' >"$tree/refusing.hpp"
"$check" "$compiler" "$tree" c++20 >/dev/null && fail "a header that refuses and is wrong passes"

rm "$tree/refusing.hpp"
printf 'struct twice {};\n' >"$tree/unguarded.hpp"
"$check" "$compiler" "$tree" c++20 >/dev/null && fail "a header without a guard passes"

((failures == 0)) && echo "all as expected"
exit $((failures != 0))
