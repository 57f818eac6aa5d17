// Chooses the back end in a program built without CUDA, by starting the one built with CUDA.
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "cli/cluster/clusterer.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "heddle_cluster_gpu";

// Beside this program if both are installed, else in the neighbouring build tree of the gpu preset;
// empty if it is in neither.
fs::path find_gpu_program() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& place :
       {folder / program_name, folder.parent_path().parent_path() / "gpu/bin" / program_name})
    if (fs::is_regular_file(place, ignored) && access(place.c_str(), X_OK) == 0) return place;
  return {};
}

// Returns only on failure.
void exec_program(const fs::path& program, const std::vector<std::string>& arguments) {
  const std::string name = program.string();
  std::vector<char*> argv{const_cast<char*>(name.c_str())};
  for (const std::string& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(name.c_str(), argv.data());
}

}  // namespace

std::unique_ptr<clusterer> choose_clusterer(const cluster_options& options,
                                            const std::vector<std::string>& arguments) {
  if (options.device != cluster_device::cpu) {
    const fs::path program = find_gpu_program();
    if (!program.empty()) exec_program(program, arguments);
    if (options.device == cluster_device::gpu)
      throw std::runtime_error(program.empty()
                                   ? std::string("--device gpu needs ") + program_name +
                                         "; to build it with nvcc, run: cmake --preset gpu && "
                                         "cmake --build --preset gpu --target " +
                                         program_name
                                   : "--device gpu: cannot start " + program.string());
  }
  return make_cpu_clusterer(options);
}

}  // namespace heddle::cli
