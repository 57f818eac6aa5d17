# heddle_add_mpi_test: a program that mpirun starts with various numbers of ranks, each a ctest test.
#
#   heddle_add_mpi_test(name FILES... RANKS 1 2 3 4 [LIBRARIES targets...] [LABELS labels...])
#
# The tests are named name.1, name.2, …; the program has its own main(). There may be more ranks than processors. Call
# it only if MPI_CXX_FOUND.
#
#   heddle_set_mpi_environment(test)     for other tests that call mpirun
include_guard(GLOBAL)

# Settings for mpirun, as environment variables since other MPIs reject Open MPI's options: it may run as root; all
# ranks are on this machine, so no ssh is needed; ranks may share processors and are not bound to one; and no rank reads
# another's memory, which containers forbid.
set(heddle_mpi_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_plm=isolated OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
    OMPI_MCA_btl_vader_single_copy_mechanism=none HEDDLE_RANK_TIMEOUT=60)
if(HEDDLE_SANITIZE)
  # MPI libraries never free some of their memory.
  list(APPEND heddle_mpi_environment ASAN_OPTIONS=detect_leaks=0)
endif()

# Each test has a folder for mpirun's files. In a common one, an mpirun that starts fails if another that ends removes
# the folder at that moment.
function(heddle_set_mpi_environment test)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/mpirun/${test})
  file(MAKE_DIRECTORY ${folder})
  set_tests_properties(${test} PROPERTIES
                       ENVIRONMENT "${heddle_mpi_environment};OMPI_MCA_orte_tmpdir_base=${folder}")
endfunction()

function(heddle_add_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;LIBRARIES;LABELS")
  set(files ${arg_UNPARSED_ARGUMENTS})
  set(libraries ${arg_LIBRARIES} GTest::gtest MPI::MPI_CXX)
  if("${files}" MATCHES "\\.cu(;|$)")
    heddle_add_executable(${name} ${files} LIBRARIES ${libraries})
  else()
    add_executable(${name} ${files})
    target_link_libraries(${name} PRIVATE ${libraries})
  endif()
  foreach(ranks IN LISTS arg_RANKS)
    add_test(NAME ${name}.${ranks}
             COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${ranks} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 300 PROCESSORS 2)
    heddle_set_mpi_environment(${name}.${ranks})
  endforeach()
endfunction()
