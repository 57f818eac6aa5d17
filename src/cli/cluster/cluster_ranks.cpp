// `heddle cluster --mpi`: starts the processes that share a cloud.
#include "cli/cluster/cluster_ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "heddle_cluster_mpi";

// Returns only on failure. A name without a slash is looked up on the PATH.
void exec_program(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
}

// Whether an MPI launcher started this process: Open MPI's, MPICH's or a derivative's, or one that
// supports PMIx.
bool is_rank_of_a_job() {
  constexpr const char* names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  return std::any_of(std::begin(names), std::end(names),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

bool has_other_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* const ranks = std::getenv(name)) return std::atol(ranks) > 1;
  return false;
}

void exec_mpi_program(const cluster_options& options, const std::vector<std::string>& arguments) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path() / program_name;
  if (!fs::is_regular_file(program, ignored))
    throw std::runtime_error(std::string("--mpi needs ") + program_name +
                             " next to this program; install MPI (on Debian: apt-get install "
                             "libopenmpi-dev openmpi-bin) and build heddle again");
  std::vector<std::string> line{program.string()};
  line.insert(line.end(), arguments.begin(), arguments.end());
  if (!is_rank_of_a_job()) {
    const int ranks = options.ranks != 0
                          ? options.ranks
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    line.insert(line.begin(), {"mpirun", "-n", std::to_string(ranks)});
    // For Open MPI 4 and 5, unless the user has set these: allow more ranks than processors, stay
    // on this machine so that no ssh is needed, and keep mpirun from adding a page of text to a
    // rank's error message.
    setenv("OMPI_MCA_plm", "isolated", 0);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    setenv("OMPI_MCA_orte_execute_quiet", "1", 0);
    setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 0);
  }
  exec_program(line);
  throw std::runtime_error(
      "cannot start " + line[0] + ": " + std::strerror(errno) +
      (line[0] == "mpirun" ? "; install MPI (on Debian: apt-get install openmpi-bin)" : ""));
}

}  // namespace heddle::cli
