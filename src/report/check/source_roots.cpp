// Knows the folders of heddle's sources, of the headers the program was compiled with, and of the
// compiler's headers.
#include "report/check/source_roots.hpp"

#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

// Defined in cuda_runtime.h, so it names the header of the program. Null: it has no CUDA files.
extern "C" __attribute__((weak)) const char heddle_cuda_runtime_header[];

namespace heddle_report {
namespace {

struct root {
  std::string folder;  // with a trailing slash
  file_owner whose;
};

void add_headers(std::vector<root>& all, const std::filesystem::path& include) {
  const auto add = [&](const char* folder, file_owner whose) {
    all.push_back({(include / folder).lexically_normal().string(), whose});
  };
  add("cuda_on_host/", file_owner::machine);
  add("heddle_host/", file_owner::machine);
  add("heddle/", file_owner::library);
}

void add_headers_beside(std::vector<root>& all, const std::string& cuda_runtime_header) {
  const auto whole = std::filesystem::absolute(cuda_runtime_header).lexically_normal();
  add_headers(all, whole.parent_path().parent_path());
}

// A compiler cache may return objects that were compiled from another copy of heddle's sources.
bool is_copy_of_heddle(const std::filesystem::path& folder) {
  static std::map<std::string, bool>& known = *new std::map<std::string, bool>();
  const auto [place, is_new] = known.try_emplace(folder.string(), false);
  if (is_new) {
    std::error_code ignored;
    place->second =
        std::filesystem::exists(folder / "src/report/check/source_lines.cpp", ignored) &&
        std::filesystem::exists(folder / "include/heddle_host/finding.hpp", ignored);
  }
  return place->second;
}

file_owner owner_in_copy(const std::filesystem::path& file) {
  for (auto folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const auto outer = folder.parent_path();
    const auto name = folder.filename();
    if (name == "src" && is_copy_of_heddle(outer)) return file_owner::machine;
    const bool is_stand_in = name == "cuda_on_host" || name == "heddle_host";
    if ((is_stand_in || name == "heddle") && outer.filename() == "include" &&
        is_copy_of_heddle(outer.parent_path())) {
      return is_stand_in ? file_owner::machine : file_owner::library;
    }
  }
  return file_owner::user;
}

std::vector<root> all_roots() {
  std::vector<root> all{{HEDDLE_OWN_SOURCES, file_owner::machine}};
  add_headers(all, HEDDLE_OWN_HEADERS);
  if (const char* const header = heddle_cuda_runtime_header) add_headers_beside(all, header);
  std::string_view folders = HEDDLE_COMPILER_HEADERS;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    if (end != 0) all.push_back({std::string(folders.substr(0, end)) + '/', file_owner::library});
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return all;
}

std::vector<root>& roots() {
  static std::vector<root>& only = *new std::vector<root>(all_roots());
  return only;
}

}  // namespace

file_owner owner_of(const std::string& file) {
  for (const root& one : roots()) {
    if (file.starts_with(one.folder)) return one.whose;
  }
  return owner_in_copy(file);
}

void add_program_header(const std::string& cuda_runtime_header) {
  add_headers_beside(roots(), cuda_runtime_header);
}

std::string whole_path(const char* file, const char* compiled_in) {
  const std::filesystem::path path(file);
  if (path.is_absolute()) return path.lexically_normal().string();
  std::error_code failure;
  for (const auto& folder : {std::filesystem::path(compiled_in == nullptr ? "" : compiled_in),
                             std::filesystem::current_path(failure)}) {
    const auto whole = folder / path;
    if (whole.is_absolute() && std::filesystem::exists(whole, failure)) {
      return whole.lexically_normal().string();
    }
  }
  return file;
}

}  // namespace heddle_report
