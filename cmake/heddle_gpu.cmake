# Finds what the gpu back end needs: nvcc, GoogleTest's sources, and CLI11, fmt and json as headers. It does not need
# libdw.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(heddle_nvcc nvcc PATHS /usr/local/cuda/bin)
  mark_as_advanced(heddle_nvcc)
  if(NOT heddle_nvcc)
    message(FATAL_ERROR
      "The gpu back end needs NVIDIA's CUDA toolkit: nvcc is neither on PATH nor in "
      "/usr/local/cuda/bin. Set CUDACXX to its path, or choose HEDDLE_BACKEND=cpu.")
  endif()
  set(CMAKE_CUDA_COMPILER "${heddle_nvcc}")
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
enable_language(CUDA)
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  # CMake 3.25 does not know that nvcc supports C++20.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

# CLI11, fmt and json are used as headers; each becomes a target if it is found.
foreach(package IN ITEMS "CLI11::CLI11|CLI/CLI.hpp" "fmt::fmt-header-only|fmt/format.h"
                         "nlohmann_json::nlohmann_json|nlohmann/json.hpp")
  string(REPLACE "|" ";" package "${package}")
  list(GET package 0 target)
  list(GET package 1 header)
  string(MAKE_C_IDENTIFIER "heddle_include_${target}" variable)
  find_path(${variable} ${header} HINTS "${HEDDLE_THIRD_PARTY_DIR}/include")
  mark_as_advanced(${variable})
  if(${variable} AND NOT TARGET ${target})
    add_library(${target} INTERFACE IMPORTED)
    target_include_directories(${target} INTERFACE "${${variable}}")
    if(target STREQUAL "fmt::fmt-header-only")
      target_compile_definitions(${target} INTERFACE FMT_HEADER_ONLY=1)
      add_library(fmt::fmt ALIAS ${target})
    endif()
  endif()
endforeach()

if(HEDDLE_BUILD_TESTS AND NOT TARGET GTest::gtest_main)
  find_path(heddle_googletest_sources googletest/src/gtest-all.cc
            PATHS "${HEDDLE_THIRD_PARTY_DIR}/googletest" /usr/src/googletest NO_DEFAULT_PATH)
  mark_as_advanced(heddle_googletest_sources)
  if(heddle_googletest_sources)
    set(BUILD_GMOCK OFF)
    set(INSTALL_GTEST OFF)
    add_subdirectory("${heddle_googletest_sources}" "${PROJECT_BINARY_DIR}/googletest"
                     EXCLUDE_FROM_ALL SYSTEM)
  else()
    list(APPEND heddle_missing googletest)
  endif()
endif()
