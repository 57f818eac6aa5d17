// Finds heddle's own headers and libraries relative to the running binary.
#include "frontend/driver/installation.hpp"

#include <chrono>
#include <system_error>

#include "frontend/driver/build_error.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

std::string stamp_of(const fs::path& file) {
  std::error_code ignored;
  const auto written = fs::last_write_time(file, ignored).time_since_epoch().count();
  return file.string() + ' ' + std::to_string(fs::file_size(file, ignored)) + ' ' +
         std::to_string(written) + '\n';
}

}  // namespace

installation find_installation() {
  std::error_code failure;
  const fs::path self = fs::read_symlink("/proc/self/exe", failure);
  if (failure) throw build_error("cannot find the path of the running binary: is /proc mounted?");
  const fs::path prefix = self.parent_path().parent_path();

  installation found;
  found.include = prefix / "include";
  found.cuda_include = found.include / "cuda_on_host";
  if (!fs::exists(found.cuda_include / "cuda_runtime.h"))
    throw build_error("heddle's CUDA headers are missing: " + found.cuda_include.string());
  found.debugger_script = prefix / "share/heddle/gdb_kernels.py";
  found.identity = stamp_of(self);
  for (const char* name : {"libheddle_host.a", "libheddle_report.a"}) {
    const fs::path library = prefix / "lib" / name;
    if (!fs::exists(library)) continue;
    found.libraries.push_back(library);
    found.identity += stamp_of(library);
  }
  found.checker = prefix / "lib/libheddle_checker.a";
  found.identity += stamp_of(found.checker);
  found.profiler = prefix / "lib/libheddle_profiler.a";
  found.identity += stamp_of(found.profiler);
  return found;
}

}  // namespace heddle::frontend
