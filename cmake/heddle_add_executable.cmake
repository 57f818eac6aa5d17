# heddle_add_executable: builds the same .cu files for the CPU or with nvcc.
#
#   heddle_add_executable(name FILES... [CHECK] [LIBRARIES targets...] [OPTIONS compiler options...])
#
# HEDDLE_BACKEND selects the back end: `cpu` compiles each .cu with `heddle cc`, `gpu` with nvcc. The
# default is `gpu` if the project has enabled the CUDA language, else `cpu`. Other files are built as
# usual. OPTIONS apply to the .cu files only. The standard is the target's CUDA_STANDARD or
# CXX_STANDARD, or 20, unless OPTIONS has a -std=.
#
# CHECK builds a program for `heddle check`, which checks every memory access in the .cu files. It has no effect on the
# gpu back end.
include_guard(GLOBAL)

function(heddle_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CHECK" "" "LIBRARIES;OPTIONS")
  set(files ${arg_UNPARSED_ARGUMENTS})
  if(NOT files)
    message(FATAL_ERROR "heddle_add_executable(${name}): no files are given.")
  endif()
  set(cuda_files ${files})
  list(FILTER cuda_files INCLUDE REGEX "\\.cu$")
  set(other_files ${files})
  list(FILTER other_files EXCLUDE REGEX "\\.cu$")

  if(HEDDLE_BACKEND STREQUAL "gpu")
    heddle_add_gpu_executable(${name} "${files}" "${cuda_files}" "${arg_LIBRARIES}" "${arg_OPTIONS}")
    return()
  endif()

  if(arg_CHECK)
    list(PREPEND arg_OPTIONS --check)
    list(APPEND arg_LIBRARIES heddle::checker)
  endif()
  set(objects)
  foreach(file IN LISTS cuda_files)
    heddle_compile_for_cpu(${name} "${file}" object "${arg_OPTIONS}")
    list(APPEND objects "${object}")
  endforeach()
  add_executable(${name} ${other_files} ${objects})
  # CMake cannot infer the language of a target that consists only of objects.
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} heddle::host)
  heddle_export_compile_commands(${name} "${cuda_files}" "${arg_OPTIONS}")
endfunction()

# Adds the .cu files of `target` to compile_commands.json in the form that clangd needs. CMake lists only what it
# compiles itself, so they become the sources of a second target, which is never built.
function(heddle_export_compile_commands target cuda_files options)
  if(NOT CMAKE_EXPORT_COMPILE_COMMANDS OR NOT cuda_files)
    return()
  endif()
  set(listed heddle_clangd_${target})
  add_library(${listed} OBJECT EXCLUDE_FROM_ALL ${cuda_files})
  set_source_files_properties(${cuda_files} PROPERTIES LANGUAGE CXX)
  set_target_properties(${listed} PROPERTIES
    EXPORT_COMPILE_COMMANDS ON CXX_SCAN_FOR_MODULES OFF UNITY_BUILD OFF)
  set_property(TARGET ${listed} PROPERTY CXX_STANDARD)  # set below, as for the .cu files themselves
  heddle_standard_of(${target} "${options}" standard)
  target_compile_options(${listed} PRIVATE
    -xcuda --cuda-host-only -nocudainc -nocudalib -Wno-unknown-cuda-version
    "SHELL:-Xclang -fcuda-allow-variadic-functions" "SHELL:-include heddle_clangd.h" ${standard})
  # Keep those of nvcc's options that matter to a parser.
  set(words ${options})
  while(words)
    list(POP_FRONT words word)
    if(word MATCHES "^-(I|D|U|isystem|include)$")
      list(POP_FRONT words value)
      target_compile_options(${listed} PRIVATE "SHELL:${word} ${value}")
    elseif(word MATCHES "^-(I|D|U|std=)")
      target_compile_options(${listed} PRIVATE "${word}")
    endif()
  endwhile()
  target_compile_definitions(${listed} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  target_include_directories(${listed} PRIVATE
    "$<TARGET_PROPERTY:heddle::host,INTERFACE_INCLUDE_DIRECTORIES>"
    "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
endfunction()

# The option for the language standard of a target's .cu files; empty if `options` has one.
function(heddle_standard_of target options variable)
  set(standard)
  if(NOT "${options}" MATCHES "-std=")
    set(cuda_standard "$<TARGET_PROPERTY:${target},CUDA_STANDARD>")
    set(cxx_standard "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
    set(cxx_standard "$<IF:$<BOOL:${cxx_standard}>,${cxx_standard},20>")
    set(standard "-std=c++$<IF:$<BOOL:${cuda_standard}>,${cuda_standard},${cxx_standard}>")
  endif()
  set(${variable} "${standard}" PARENT_SCOPE)
endfunction()

# The same with nvcc.
function(heddle_add_gpu_executable name files cuda_files libraries options)
  # CMake would silently skip the .cu files. CUDA must be enabled in the caller's scope; a subdirectory is not enough.
  if(cuda_files AND NOT CMAKE_CUDA_COMPILER_LOADED)
    list(JOIN cuda_files ", " cuda_files)
    message(FATAL_ERROR
      "heddle_add_executable(${name}): HEDDLE_BACKEND is gpu, so the project must enable the CUDA "
      "language to build ${cuda_files}: project(... LANGUAGES CXX CUDA) or enable_language(CUDA).")
  endif()
  add_executable(${name} ${files})
  target_link_libraries(${name} PRIVATE ${libraries} heddle::heddle)
  target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${options}>")
  # nvcc knows where CUDA's headers are; the C++ compiler does not.
  target_include_directories(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}>")
  list(LENGTH cuda_files count)
  if(count GREATER 1)
    # Device code may call across files, as on the CPU.
    set_target_properties(${name} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
  endif()
  if(NOT "${options}" MATCHES "-std=")
    set(has_standard "$<BOOL:$<TARGET_PROPERTY:CUDA_STANDARD>>")
    target_compile_options(${name} PRIVATE
      "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<NOT:${has_standard}>>:-std=c++20>")
  endif()
endfunction()

# What an object of a .cu depends on: in our own tree not the whole command, so that a change of a report does not
# compile every .cu again.
function(heddle_compiler_file variable)
  if(TARGET heddle_frontend)
    set(${variable} "$<TARGET_FILE:heddle_frontend>" PARENT_SCOPE)
  else()
    set(${variable} "$<TARGET_FILE:heddle::command>" PARENT_SCOPE)
  endif()
endfunction()

# Compiles one .cu of `target` to one object and returns its path in `object_variable`.
function(heddle_compile_for_cpu target file object_variable options)
  get_filename_component(source "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE place)
  string(REPLACE ".." "up" place "${place}")
  set(object "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/${place}.o")
  get_filename_component(folder "${object}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")

  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  heddle_standard_of(${target} "${options}" standard)
  set(sanitizers)
  foreach(option IN LISTS heddle_sanitizer_options)
    list(APPEND sanitizers -Xcompiler ${option})
  endforeach()
  heddle_compiler_file(compiler)
  add_custom_command(
    OUTPUT "${object}"
    COMMAND heddle::command cc -c ${standard} "$<$<CONFIG:Debug>:-O0;-g>" "$<$<CONFIG:Release>:-O3>"
            ${sanitizers}
            "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
            "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
            ${options} -MD -MF "${object}.d" -o "${object}" "${source}"
    DEPENDS "${source}" "${compiler}"
    DEPFILE "${object}.d"
    COMMENT "Building for the CPU ${place} of ${target}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(${object_variable} "${object}" PARENT_SCOPE)
endfunction()
