// Describes a machine: what it has, what will be used, what is missing.
#include "cli/diagnosis.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace heddle::cli {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
// With less free space than this, builds may fail.
constexpr std::uint64_t low_space = gibibyte / 2;

std::string gibibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(gibibyte));
}

diagnosis_line compiler_line(const machine& here) {
  if (here.compiler.path.empty())
    return {"compiler", verdict::missing,
            "not found: neither g++ nor clang++, nor the compiler in HEDDLE_CXX",
            "apt-get install g++"};
  return {"compiler", verdict::good,
          fmt::format("{}: {}", here.compiler.path,
                      here.compiler.version.empty() ? "version unknown" : here.compiler.version),
          ""};
}

diagnosis_line runtime_line(const environment& around) {
  if (!around.runtime_failure.empty())
    return {"runtime", verdict::missing, around.runtime_failure, "./heddle build"};
  return {"runtime", verdict::good, fmt::format("heddle {}: {}", around.version, around.runtime),
          ""};
}

diagnosis_line trial_line(const environment& around) {
  if (!around.trial_failure.empty())
    return {"trial", verdict::missing, around.trial_failure, "heddle run --verbose FILE.cu"};
  if (around.trial_seconds == 0) return {"trial", verdict::note, "not run", ""};
  return {"trial", verdict::good,
          fmt::format("a kernel was built for the CPU and computed the right result, in {:.1f} s",
                      around.trial_seconds),
          ""};
}

diagnosis_line nvcc_line(const machine& here) {
  if (here.nvcc.path.empty())
    return {"nvcc", verdict::note,
            "not found on PATH or in /usr/local/cuda/bin; needed only to build for a GPU",
            "https://developer.nvidia.com/cuda-downloads"};
  // The library needs CUDA 13's C++20; older releases have not been tried.
  const bool is_older = here.nvcc_release != 0 && here.nvcc_release < 13000;
  return {"nvcc", is_older ? verdict::note : verdict::good,
          fmt::format("CUDA {}{}: {}", here.nvcc.version,
                      is_older ? " (13.0 is the oldest tested release)" : "", here.nvcc.path),
          ""};
}

diagnosis_line driver_line(const machine& here) {
  if (!here.has_driver && here.driver_version.empty())
    return {"driver", verdict::note, "no NVIDIA driver", ""};
  std::string text = here.driver_version.empty() ? "version unknown" : here.driver_version;
  if (here.driver_release != 0)
    text += fmt::format(", supports CUDA up to {}", release_text(here.driver_release));
  if (!here.has_driver)
    return {"driver", verdict::missing, text + "; its library libcuda.so.1 is missing",
            "install the user-space part of NVIDIA's driver"};
  if (here.gpus.empty()) return {"driver", verdict::missing, text + "; " + here.driver_failure, ""};
  return {"driver", verdict::good, text, ""};
}

void add_gpu_lines(const machine& here, std::vector<diagnosis_line>& into) {
  if (here.gpus.empty()) into.push_back({"GPU", verdict::note, "none", ""});
  for (const found_gpu& gpu : here.gpus) {
    into.push_back({"GPU", gpu.is_supported() ? verdict::good : verdict::missing,
                    fmt::format("{}, {}, {}{}", gpu.name, gpu.architecture(), gibibytes(gpu.memory),
                                gpu.is_supported() ? "" : ": too old, heddle needs sm_75 or newer"),
                    ""});
  }
}

diagnosis_line cache_line(const environment& around) {
  if (around.cache.empty())
    return {"cache", verdict::note, "no home folder: programs are rebuilt each time",
            "set HEDDLE_CACHE to a writable folder"};
  if (!around.is_cache_writable)
    return {"cache", verdict::note,
            fmt::format("{} cannot be written: programs are rebuilt each time", around.cache),
            "set HEDDLE_CACHE to a writable folder"};
  const bool is_full = around.free_bytes < low_space;
  return {"cache", is_full ? verdict::note : verdict::good,
          fmt::format("{}, {} free", around.cache, gibibytes(around.free_bytes)),
          is_full ? "free some space: a build may need several hundred megabytes" : ""};
}

diagnosis_line debugger_line(const environment& around) {
  if (around.debugger.empty())
    return {"gdb", verdict::note, "not found; needed only for --gdb", "apt-get install gdb"};
  return {"gdb", verdict::good, around.debugger, ""};
}

diagnosis_line cccl_line(const environment& around) {
  if (around.cccl.empty())
    return {"CCCL", verdict::note, "not found; needed only by programs that include CUB or Thrust",
            "apt-get install libcub-dev libthrust-dev"};
  return {"CCCL", verdict::good, around.cccl, ""};
}

}  // namespace

diagnosis diagnose(const machine& here, const environment& around) {
  diagnosis said;
  std::string processor = fmt::format("{}, {} cores", here.system, here.cores);
  if (!here.processor.empty()) processor += ", " + here.processor;
  said.lines = {{"system", verdict::good, processor, ""},
                compiler_line(here),
                runtime_line(around),
                trial_line(around),
                cache_line(around),
                debugger_line(around),
                cccl_line(around),
                nvcc_line(here),
                driver_line(here)};
  add_gpu_lines(here, said.lines);
  // Without a GPU, kernels run on the CPU; everything else is required.
  const auto blocks_builds = [](const diagnosis_line& line) {
    const bool is_needed =
        line.subject == "compiler" || line.subject == "runtime" || line.subject == "trial";
    return is_needed && line.is == verdict::missing;
  };
  said.is_usable = std::none_of(said.lines.begin(), said.lines.end(), blocks_builds);
  const device_choice choice = choose_device(here);
  said.is_gpu_used = choice.is_gpu;
  said.lines.push_back(
      {"used", !said.is_usable || choice.has_unusable_gpu ? verdict::missing : verdict::good,
       said.is_usable || choice.is_gpu
           ? choice.reason
           : "nothing: kernels cannot be built for the CPU, and no GPU can be used",
       ""});
  return said;
}

}  // namespace heddle::cli
