#!/usr/bin/env bash
# tools/check-prose finds dropped phrases in pages, comments and strings, and nowhere else.
set -euo pipefail
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/tools" "$tree/docs" "$tree/src"
cp "$1"/tools/check-prose "$1"/tools/prose-phrases.txt "$tree/tools/"
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
finds() { # file, text, place and phrase that the message must have
  printf '%b' "$2" >"$tree/$1"
  if output=$("$tree/tools/check-prose"); then
    fail "nothing is said about $2"
  elif [[ $output != *"$3"* ]]; then
    fail "about $2 it says: $output"
  fi
  rm "$tree/$1"
}
passes() { # file, text
  printf '%b' "$2" >"$tree/$1"
  output=$("$tree/tools/check-prose") || fail "about $2 it says: $output"
  rm "$tree/$1"
}

finds docs/page.md 'One.\n\nIt tells of races.\n' "docs/page.md:3: 'tells of'"
finds docs/page.md 'The kernel comes to\nits end.\n' "docs/page.md:1: 'comes to its end'"
finds src/file.cpp 'int a;  // begun anew\n' "src/file.cpp:1: 'anew'"
finds src/file.cpp '// The lane comes\n// to its end.\n' "src/file.cpp:1: 'comes to its end'"
finds src/file.hpp 'const char* help = "without other wishes";\n' "src/file.hpp:1: 'without other wishes'"
finds tools/script.py '# mended\n' "tools/script.py:1: 'mended'"
passes docs/page.md 'It reports races.\n\n```\nit tells of races\n```\n\n`anew` is code.\n'
passes docs/page.md '<!-- table: begin -->\nanew\n<!-- table: end -->\n'
passes src/file.cpp 'int anew = 0;  // a name\n#include "anew.hpp"\n'
passes tools/script.py 'anew = 1\n'

((failures == 0)) && echo "all as expected"
exit $((failures != 0))
