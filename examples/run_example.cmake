# Runs PROGRAM with ARGUMENTS; fails unless it exits with 0 and prints exactly what the file EXPECTED contains.
execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS} OUTPUT_VARIABLE printed RESULT_VARIABLE code)
file(READ "${EXPECTED}" expected)
if(NOT code STREQUAL "0")
  message(FATAL_ERROR "${PROGRAM} exited with ${code} and printed:\n${printed}")
endif()
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} printed:\n${printed}\nexpected:\n${expected}")
endif()
