// `heddle cluster --mpi`: who starts the processes that share a cloud.
#pragma once
#include <string>
#include <vector>

#include "cluster_frames.hpp"

namespace heddle::cli {

// Whether mpirun or its like has started this process.
[[nodiscard]] bool is_rank_of_a_job();

// Becomes the program that was built with MPI: one rank of it where there is a job already, mpirun
// with as many ranks as the wishes say else. Returns in no case.
//   throws   std::runtime_error, with a sentence, if the program or mpirun is not there
[[noreturn]] void become_ranks(const cluster_wishes& wishes, const std::vector<std::string>& words);

}  // namespace heddle::cli
