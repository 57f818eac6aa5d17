// MPI's header, and what a call of MPI throws that fails on some rank.
#pragma once
#include <heddle/core/error.hpp>

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

#include <string>
#include <utility>

namespace heddle::distributed {

// Something went wrong between ranks; what() names the rank that says so and the call in which it
// was. Nothing can be said of the communicator's other ranks afterwards.
class rank_error : public error {
 public:
  rank_error(int rank, int size, std::string call, const std::string& sentence,
             source_location where = source_location::current())
      : error("rank " + std::to_string(rank) + " of " + std::to_string(size) + ": " + call + ": " +
                  sentence,
              where),
        rank_(rank),
        call_(std::move(call)) {}

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] const std::string& call() const noexcept { return call_; }

 private:
  int rank_;
  std::string call_;
};

namespace detail {

// MPI's own words for a code.
[[nodiscard]] inline std::string text_of_mpi(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) {
    return "MPI failed with code " + std::to_string(code);
  }
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace detail

}  // namespace heddle::distributed
