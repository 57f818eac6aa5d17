// MPI's header, and MPI's words for what has failed.
#pragma once
#if !__has_include(<mpi.h>)
#error "heddle/distributed is not offered without MPI: on Debian, install libopenmpi-dev"
#endif
// MPI's old interface of C++ classes is neither used nor wanted.
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

// MPI's own words for a code.
[[nodiscard]] inline std::string text_of_mpi(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) {
    return "MPI failed with code " + std::to_string(code);
  }
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace heddle::distributed::detail
