# heddle_add_unit_test: a GoogleTest program that is one ctest test.
#
#   heddle_add_unit_test(name FILES... [LIBRARIES targets...] [LABELS labels...] [TIMEOUT seconds])
#
# If a file is a .cu, it is built by heddle_add_executable, for either back end. `./heddle test` skips tests with the
# label `full`; `./heddle test --full` runs them.
#
# For the CPU, the tests are compiled with -O1, and a .cu also without line numbers: that takes half the time of -O2 -g1.
# What a .cpp links is compiled as always. The conformance cases and the examples are compiled with -O2, as users do.
#
# GoogleTest's header takes longer to compile than most tests. A program of several .cpp precompiles it. In a .cu, it
# counts as one of the headers that `heddle cc` precompiles, because the command line includes it.
include_guard(GLOBAL)

function(heddle_add_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LIBRARIES;LABELS")
  set(files ${arg_UNPARSED_ARGUMENTS})
  if("${files}" MATCHES "\\.cu(;|$)")
    set(options)
    if(HEDDLE_BACKEND STREQUAL "cpu")
      set(options "$<$<CONFIG:RelWithDebInfo>:-O1>" "$<$<CONFIG:RelWithDebInfo>:-Xcompiler=-g0>"
                  -include gtest/gtest.h)
    endif()
    heddle_add_executable(${name} ${files} LIBRARIES ${arg_LIBRARIES} GTest::gtest_main OPTIONS ${options})
  else()
    add_executable(${name} ${files})
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest_main)
    target_compile_options(${name} PRIVATE "$<$<CONFIG:RelWithDebInfo>:-O1>")
    list(LENGTH files count)
    if(count GREATER 3)
      target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
    endif()
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()

# heddle_add_checked_program(name FILE words...): builds a .cu with `heddle cc --check`, followed by these words;
# returns the path in ${name}_program.
function(heddle_add_checked_program name file)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  set(program "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name}")
  heddle_compiler_file(compiler)
  add_custom_command(
    OUTPUT "${program}"
    COMMAND heddle::command cc --check -std=c++20 "${source}" -o "${program}" ${ARGN}
    MAIN_DEPENDENCY "${source}"
    DEPENDS "${compiler}" heddle_host heddle_checker
            "${PROJECT_SOURCE_DIR}/include/heddle_check/check.hpp"
    COMMENT "Building with all accesses watched ${file}"
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS "${program}")
  set(${name}_program "${program}" PARENT_SCOPE)
endfunction()

# heddle_add_refusals(prefix): each refused/*.cpp of the folder uses something unsupported. The compiler must refuse it
# with the sentence in the file's first line.
function(heddle_add_refusals prefix)
  if(NOT HEDDLE_BACKEND STREQUAL "cpu")
    return()
  endif()
  file(GLOB refusals CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/refused/*.cpp)
  foreach(file IN LISTS refusals)
    get_filename_component(name ${file} NAME_WE)
    file(STRINGS ${file} first_line LIMIT_COUNT 1)
    string(REPLACE "// refused: " "" sentence "${first_line}")
    add_test(NAME ${prefix}_refuses_${name}
      COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 -fsyntax-only -I${PROJECT_SOURCE_DIR}/include
              -I${PROJECT_SOURCE_DIR}/include/cuda_on_host ${file})
    set_tests_properties(${prefix}_refuses_${name} PROPERTIES
      PASS_REGULAR_EXPRESSION "error: .*${sentence}")
  endforeach()
endfunction()
