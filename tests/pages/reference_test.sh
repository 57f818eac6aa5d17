#!/usr/bin/env bash
# The reference builds without a warning and contains the contracts; a name without a comment is an
# error. Usage: reference_test.sh ROOT
set -euo pipefail
root=$1
command -v doxygen >/dev/null || { echo "skipped: doxygen is not installed"; exit 77; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

said=$("$root/tools/make-reference" "$here/reference" 2>&1) || fail "it ended with $?: $said"
expect() { # page, words…
  local page=$here/reference/html/$1 text word
  shift
  [[ -e $page ]] || { fail "there is no page $page"; return; }
  # Removes the tags and joins the lines.
  text=$(sed 's/<[^>]*>/ /g; s/&lt;/</g; s/&gt;/>/g' "$page" | tr -s '[:space:]' ' ')
  for word in "$@"; do
    [[ $text == *"$word"* ]] || fail "no '$word' in $page"
  done
}
expect index.html 'Each function says' 'heddle::container'
expect warp_2reduce_8cuh.html 'heddle::warp::reduce' 'called by every lane of members , which holds whole tiles' \
  'strategy a butterfly of xor shuffles' 'needs sm_75; that instruction sm_80'
# A contract for several functions belongs to the file; a function's own comment belongs to it.
expect device_2scan_8cuh.html 'The contract of all scans' 'decoupled look-back' \
  'Each element becomes what the elements up to and including itself make.'
expect classheddle_1_1container_1_1queue__view.html 'strategy a ring of words with tickets'
# A class also has the functions of its base.
for class in hash__map hash__set; do
  expect "classheddle_1_1container_1_1$class.html" 'rehash (std::size_t slots' \
    'Moves all elements to a table of at least slots slots' 'cost a pass over all slots'
  expect "classheddle_1_1container_1_1${class}__view.html" 'contains (const Key &amp;key)' \
    'True in exactly one of the lanes that erase a key'
done
[[ ! -e $here/reference/html/namespaceheddle_1_1warp_1_1detail.html ]] || fail "detail has a page"

# A tree with one header, in which a struct has no comment.
mkdir -p "$here/tree/include/heddle/warp" "$here/tree/docs/reference"
cp -r "$root/tools" "$here/tree/tools"
cp "$root/docs/reference/"* "$here/tree/docs/reference/"
cat >"$here/tree/include/heddle/warp/documented.cuh" <<'CU'
// A file.
//   strategy    by magic
//   needs       sm_75
#pragma once
namespace heddle::warp {
// Makes <one> & 100% of @two # lanes `a<b>`.
//   called by   every lane, of which
//               there are 32
__device__ int documented(int value);
__device__ int documented_too(int value);

namespace detail {
int nobody_asks();
}

struct both {
  int first;   // the first one,
               // and more of it
  int second;  // the second one
};
}  // namespace heddle::warp
CU
said=$("$here/tree/tools/make-reference" "$here/small" 2>&1) && fail "nothing is said of a struct without a comment"
[[ $said == *"documented.cuh:16: "*"heddle::warp::both"*"is not documented"* ]] || fail "what is said of it: $said"
sed -i 's|^struct both {|// Two numbers.\n&|' "$here/tree/include/heddle/warp/documented.cuh"
said=$("$here/tree/tools/make-reference" "$here/small" 2>&1) || fail "all has a comment: $said"
page=$(sed 's/<[^>]*>/ /g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' "$here/small/html/documented_8cuh.html" | tr -s '[:space:]' ' ')
for word in 'Makes <one> & 100% of @two # lanes a<b> .' 'called by every lane, of which there are 32' \
  'strategy by magic' 'documented_too()'; do
  [[ $page == *"$word"* ]] || fail "no '$word' in $page"
done
(($(grep -o 'called by' <<<"$page" | wc -l) == 2)) || fail "not both functions have the contract: $page"

# Without Doxygen, the tool says what to install.
mkdir "$here/bin"
for tool in bash dirname readlink cat mkdir python3 env; do ln -s "$(command -v $tool)" "$here/bin/$tool"; done
code=0
said=$(PATH=$here/bin "$root/tools/make-reference" "$here/none" 2>&1) || code=$?
[[ $code == 2 && $said == *"apt-get install doxygen"* ]] || fail "without doxygen: $code, $said"

if ((failures == 0)); then echo "all as expected"; fi
exit $((failures > 0))
