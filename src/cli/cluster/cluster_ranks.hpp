// `heddle cluster --mpi`: starts the processes that share a cloud.
#pragma once
#include <string>
#include <vector>

#include "cli/cluster/cluster_frames.hpp"

namespace heddle::cli {

// Whether mpirun has started this process together with others.
[[nodiscard]] bool has_other_ranks();

// Replaces this process by the MPI program: as a rank of it if an MPI job is already running,
// otherwise through mpirun with the number of ranks in `options`. Never returns.
//   throws   std::runtime_error, with a message, if the program or mpirun does not exist
[[noreturn]] void exec_mpi_program(const cluster_options& options,
                                   const std::vector<std::string>& arguments);

}  // namespace heddle::cli
