# Installs BUILD, moves the installed tree, and builds and runs the outside project against it.
function(expect_success what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code STREQUAL "0")
    message(FATAL_ERROR "${what} failed (${code}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_output expected)
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "expected '${expected}', got:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
expect_success("the installation"
  ${CMAKE_COMMAND} --install "${BUILD}" --prefix "${SCRATCH}/first place")
file(RENAME "${SCRATCH}/first place" "${SCRATCH}/installed")

# A compiler that searches include/ must not find headers with CUDA's names there.
file(GLOB strays "${SCRATCH}/installed/include/*.h")
if(strays)
  message(FATAL_ERROR "these would shadow a CUDA toolkit: ${strays}")
endif()

if(NOT EXISTS "${SCRATCH}/installed/share/heddle/gdb_kernels.py")
  message(FATAL_ERROR "what gdb has to know about kernels is not installed")
endif()

file(COPY "${SOURCE}/outside" DESTINATION "${SCRATCH}")
list(JOIN CXX_FLAGS " " CXX_FLAGS)
expect_success("configuring the outside project"
  ${CMAKE_COMMAND} -G Ninja -S "${SCRATCH}/outside" -B "${SCRATCH}/build"
  "-DCMAKE_PREFIX_PATH=${SCRATCH}/installed" "-DCMAKE_CXX_COMPILER=${CXX}"
  "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
expect_success("building the outside project" ${CMAKE_COMMAND} --build "${SCRATCH}/build")
expect_success("the outside program" "${SCRATCH}/build/outside")
expect_output("sum 2976, scale three and a half")

# A second build does nothing; after a change to a header, the files that include it are rebuilt.
expect_success("building again" ${CMAKE_COMMAND} --build "${SCRATCH}/build")
expect_output("no work to do")
file(TOUCH "${SCRATCH}/outside/scale/include/scale/scale.cuh")
expect_success("building after a change" ${CMAKE_COMMAND} --build "${SCRATCH}/build" -- -n)
expect_output("main.cu")

expect_success("the installed command"
  "${SCRATCH}/installed/bin/heddle" run -std=c++20 -DSCALE=3 "-DSCALE_TEXT=\"3\"" -DFROM_OPTIONS=1
  "-I${SCRATCH}/outside/scale/include" "${SCRATCH}/outside/main.cu"
  "${SCRATCH}/outside/kernels/twice.cu" "${SCRATCH}/outside/report.cpp")
expect_output("sum 2976, scale 3")
