# Installs heddle with the layout of the build tree; the installed tree can be moved.
include(CMakePackageConfigHelpers)

set(heddle_package_folder lib/cmake/heddle)
install(TARGETS heddle heddle_host heddle_checker heddle_library EXPORT heddle_targets
        RUNTIME DESTINATION bin ARCHIVE DESTINATION lib)
install(EXPORT heddle_targets NAMESPACE heddle:: DESTINATION ${heddle_package_folder})

# The stand-ins for CUDA's headers keep their own folder, which no compiler searches by default, so they never shadow a
# real CUDA toolkit.
foreach(folder IN ITEMS heddle heddle_check heddle_host cuda_on_host)
  if(EXISTS "${PROJECT_SOURCE_DIR}/include/${folder}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/${folder}" DESTINATION include)
  endif()
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/heddle-config.cmake.in"
  "${PROJECT_BINARY_DIR}/package/heddle-config.cmake" INSTALL_DESTINATION ${heddle_package_folder})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/heddle-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/heddle-config.cmake"
              "${PROJECT_BINARY_DIR}/package/heddle-config-version.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/heddle_add_executable.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/heddle_add_test.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/heddle_backend.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/Findlibdw.cmake"
        DESTINATION ${heddle_package_folder})
install(FILES "${PROJECT_SOURCE_DIR}/src/cli/gdb_kernels.py" DESTINATION share/heddle)
install(TARGETS heddle_profiler ARCHIVE DESTINATION lib)
if(TARGET heddle_cluster_mpi)
  # `./heddle` builds it only for `cluster --mpi`; the other commands work without it.
  install(TARGETS heddle_cluster_mpi RUNTIME DESTINATION bin OPTIONAL)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/defects" DESTINATION share/heddle)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/ladder" "${PROJECT_SOURCE_DIR}/examples/tour"
        DESTINATION share/heddle/examples)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/heddle)
