# heddle_add_test: a program that ctest runs and checks.
#
#   heddle_add_test(name FILES... [LIBRARIES targets...] [OPTIONS compiler options...]
#                   [ARGS arguments...] [CHECK_OPTIONS options of heddle check...]
#                   [LABELS labels...] [TIMEOUT seconds])
#
# Builds the files twice with heddle_add_executable and adds two tests: `name` runs the program, and `name.check` runs
# it under `heddle check`, which fails if there are findings. Both get the LABELS. The check also gets the label
# heddle-check, so `ctest -LE heddle-check` skips all checks. The TIMEOUT is that of the run, 300 seconds by default; a
# check may take ten times as long. The gpu back end has no check.
include_guard(GLOBAL)

function(heddle_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LIBRARIES;OPTIONS;ARGS;CHECK_OPTIONS;LABELS")
  set(program ${arg_UNPARSED_ARGUMENTS} LIBRARIES ${arg_LIBRARIES} OPTIONS ${arg_OPTIONS})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()

  heddle_add_executable(${name} ${program})
  add_test(NAME ${name} COMMAND ${name} ${arg_ARGS})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")

  if(HEDDLE_BACKEND STREQUAL "gpu")
    message(STATUS "heddle_add_test(${name}): there is no ${name}.check, checks need HEDDLE_BACKEND=cpu")
    return()
  endif()
  heddle_add_executable(${name}.check CHECK ${program})
  add_test(NAME ${name}.check
    COMMAND $<TARGET_FILE:heddle::command> check ${arg_CHECK_OPTIONS} $<TARGET_FILE:${name}.check>
            -- ${arg_ARGS})
  math(EXPR timeout "10 * ${arg_TIMEOUT}")
  set_tests_properties(${name}.check PROPERTIES TIMEOUT ${timeout} LABELS "${arg_LABELS};heddle-check")
endfunction()
