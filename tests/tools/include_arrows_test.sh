#!/usr/bin/env bash
# The check of include arrows accepts allowed includes and refuses each kind of forbidden one.
set -euo pipefail
check=$1/tools/check-include-arrows
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# A small tree without forbidden includes.
plant() { # file, text
  mkdir -p "$tree/$(dirname "$1")"
  printf '%s\n' "$2" >"$tree/$1"
}
fresh_tree() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/tools"
  cp "$(dirname "$check")/include-arrows.txt" "$tree/tools/"
  plant include/cuda_on_host/vector_types.h '// types'
  plant include/cuda_on_host/driver_types.h '#include <vector_types.h>'
  plant include/cuda_on_host/cuda_runtime.h '#include <heddle_host/lane.hpp>'
  plant include/cuda_on_host/detail/inside.h '// not a name of CUDA'
  plant include/heddle_host/lane.hpp '#include <vector_types.h>'
  plant include/heddle/core/lane.cuh '#include <cuda_runtime.h>'
  plant include/heddle/warp/reduce.cuh '#include <heddle/core/lane.cuh>'
  plant src/runtime/fiber/fiber.hpp '#include <cstddef>'
  plant src/runtime/machine/block.cpp '#include "fiber/fiber.hpp"'
  plant src/report/text.cpp '#include <heddle_host/lane.hpp>'
  plant src/frontend/rewrite.hpp '#include <string>'
  plant src/cli/run.cpp '#include "frontend/rewrite.hpp"'
}
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
says_no_to() { # file, include line, what the message must name
  fresh_tree
  plant "$1" "$2"
  if output=$("$check" "$tree"); then
    fail "no objection to '$2' in $1"
  elif [[ $output != *"$1"* || $output != *"$3"* ]]; then
    fail "the objection to '$2' in $1 does not name both sides: $output"
  fi
}

fresh_tree
"$check" "$tree" >/dev/null || fail "an objection to a tree whose arrows are all right"

says_no_to include/heddle/core/lane.cuh '#include <heddle_host/lane.hpp>' include/heddle_host
says_no_to include/heddle/core/lane.cuh '#include "../warp/reduce.cuh"' include/heddle/warp
says_no_to include/heddle/core/lane.cuh '#include <heddle/warp/reduce.cuh>' include/heddle/warp
says_no_to include/heddle/core/lane.cuh '#include <detail/inside.h>' include/cuda_on_host/detail
says_no_to include/heddle_host/lane.hpp '#include <cuda_runtime.h>' cuda_runtime.h
says_no_to include/heddle_host/lane.hpp '  #  include "heddle/core/lane.cuh"' include/heddle
says_no_to include/cuda_on_host/cuda_runtime.h '#include <heddle/core/lane.cuh>' include/heddle
says_no_to src/runtime/fiber/fiber.hpp '#include <heddle_host/lane.hpp>' include/heddle_host
says_no_to src/runtime/machine/block.cpp '#include "report/text.cpp"' src/report
says_no_to src/report/text.cpp '#include "fiber/fiber.hpp"' src/runtime/fiber
says_no_to src/frontend/rewrite.hpp '#include "cli/run.cpp"' src/cli
says_no_to src/newcomer/file.cpp '#include <string>' 'no line'

# Link-time references: the runtime may call the report only through its interface.
compiler=$2
build_objects() { # text of a file of the runtime
  local folder
  fresh_tree
  for folder in runtime report; do mkdir -p "$tree/build/src/$folder/CMakeFiles/part.dir/machine"; done
  plant src/runtime/machine/stop.cpp "$1"
  echo "$1" | "$compiler" -x c++ -c - -o "$tree/build/src/runtime/CMakeFiles/part.dir/machine/stop.cpp.o"
  echo 'namespace heddle_host { struct reporter { static reporter& instance(); }; }
        namespace heddle_report { void write(); }
        heddle_host::reporter& heddle_host::reporter::instance() { static reporter only; return only; }
        void heddle_report::write() {}' |
    "$compiler" -x c++ -c - -o "$tree/build/src/report/CMakeFiles/part.dir/text.cpp.o"
}
interface='namespace heddle_host { struct reporter { static reporter& instance(); }; }'
build_objects "$interface void stop() { heddle_host::reporter::instance(); }"
"$check" "$tree" --objects "$tree/build" >/dev/null || fail "an objection to a call through the interface"
build_objects 'namespace heddle_report { void write(); } void stop() { heddle_report::write(); }'
if output=$("$check" "$tree" --objects "$tree/build"); then
  fail "no objection to a call of the report by the runtime"
elif [[ $output != *"src/runtime/machine/stop.cpp"*"heddle_report::write()"* ]]; then
  fail "the objection does not name both sides: $output"
fi
rm "$tree/src/runtime/machine/stop.cpp"
"$check" "$tree" --objects "$tree/build" >/dev/null || fail "an objection to an object that an earlier build left"

((failures == 0)) && echo "all as expected"
exit $((failures != 0))
