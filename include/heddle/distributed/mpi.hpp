// Includes MPI's header, and turns MPI's error codes into text.
#pragma once
#if !__has_include(<mpi.h>)
#error "heddle/distributed is not supported without MPI: on Debian, install libopenmpi-dev"
#endif
// Leaves out MPI's obsolete C++ classes.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <cstddef>
#include <string>

namespace heddle::distributed::detail {

// MPI's error text for a code.
[[nodiscard]] inline std::string text_of_mpi(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) {
    return "MPI failed with code " + std::to_string(code);
  }
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace heddle::distributed::detail
