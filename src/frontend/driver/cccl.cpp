// Recognises programs that use CCCL, and finds it on this machine.
#include "frontend/driver/cccl.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

#include "frontend/driver/prepare.hpp"
#include "frontend/driver/process.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

bool has_cccl(const fs::path& folder) {
  constexpr std::array proofs{"cub/version.cuh", "thrust/version.h", "cuda/std/version"};
  for (const char* const proof : proofs)
    if (fs::exists(folder / proof)) return true;
  return false;
}

std::vector<fs::path> include_folders(const std::vector<std::string>& flags) {
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].starts_with("-I"))
      folders.emplace_back(flags[i].substr(2));
    else if (flags[i] == "-isystem" && i + 1 < flags.size())
      folders.emplace_back(flags[i + 1]);
  }
  return folders;
}

std::vector<fs::path> toolkits() {
  for (const char* const name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const folder = std::getenv(name); folder != nullptr && *folder != '\0')
      return {folder};
  std::vector<fs::path> found;
  if (const std::string nvcc = find_program("nvcc"); !nvcc.empty()) {
    std::error_code ignored;
    found.push_back(fs::weakly_canonical(nvcc, ignored).parent_path().parent_path());
  }
  found.emplace_back("/usr/local/cuda");
  return found;
}

}  // namespace

bool needs_cccl(const std::string& text, const std::string& messages) {
  for (const entered_file& header : entered_files(text))
    for (const std::string_view part : {"/cub/", "/thrust/"}) {
      // A project may have a folder of that name itself.
      const std::size_t at = header.path.rfind(part);
      if (at != std::string::npos && has_cccl(header.path.substr(0, at))) return true;
    }
  for (const std::string_view words :
       {"fatal error: cub/", "fatal error: thrust/", "fatal error: cuda/", "fatal error: 'cub/",
        "fatal error: 'thrust/", "fatal error: 'cuda/", "error \"<cuda/"})
    if (messages.find(words) != std::string::npos) return true;
  return false;
}

bool is_toolkit(const fs::path& folder) { return fs::exists(folder / "cuda_runtime_api.h"); }

std::vector<fs::path> find_cccl(const std::vector<std::string>& preprocessor_flags) {
  std::vector<fs::path> found;
  for (const fs::path& folder : include_folders(preprocessor_flags))
    if (has_cccl(folder) && !is_toolkit(folder)) found.push_back(folder);
  if (!found.empty()) return found;
  for (const fs::path& toolkit : toolkits())
    if (has_cccl(toolkit / "include/cccl")) return {toolkit / "include/cccl"};
  return {};
}

}  // namespace heddle::frontend
