// Recognises programs that use CCCL, and finds it on this machine.
#include "frontend/driver/cccl.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

#include "frontend/driver/cache.hpp"
#include "frontend/driver/digest.hpp"
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

// A folder in the cache with links to the parts of CCCL in `headers`, and to nothing else there.
// Empty if it cannot be made.
fs::path links_to_cccl_in(const fs::path& headers) {
  const fs::path cache = default_cache_folder();
  if (cache.empty()) return {};
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(headers, ignored);
  const fs::path links = cache / "cccl" / digest().add(whole.string()).hexadecimal();
  fs::create_directories(links, ignored);
  for (const char* const part : {"cub", "cuda", "nv", "thrust"})
    if (fs::exists(whole / part)) fs::create_directory_symlink(whole / part, links / part, ignored);
  return has_cccl(links) ? links : fs::path();
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
  std::vector<fs::path> found, among_others;
  for (const fs::path& folder : include_folders(preprocessor_flags))
    if (has_cccl(folder)) (is_toolkit(folder) ? among_others : found).push_back(folder);
  if (!found.empty()) return found;
  for (const fs::path& toolkit : toolkits()) {
    if (has_cccl(toolkit / "include/cccl")) return {toolkit / "include/cccl"};
    if (has_cccl(toolkit / "include")) among_others.push_back(toolkit / "include");
  }
  for (const fs::path& folder : among_others)
    if (fs::path links = links_to_cccl_in(folder); !links.empty()) return {std::move(links)};
  return {};
}

fs::path installed_cccl() {
  for (const fs::path& toolkit : toolkits())
    for (const char* const folder : {"include/cccl", "include"})
      if (has_cccl(toolkit / folder)) return toolkit / folder;
  return has_cccl("/usr/include") ? "/usr/include" : "";
}

}  // namespace heddle::frontend
