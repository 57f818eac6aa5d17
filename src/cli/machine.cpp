// Finds out what this machine has to compile and run kernels.
#include "cli/machine.hpp"

#include <dlfcn.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/utsname.h>
#include <frontend/driver/process.hpp>

#include <array>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

namespace heddle::cli {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string system_text() {
  utsname names{};
  if (uname(&names) != 0) return "";
  return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
}

// x86 gives the processor's name; other architectures give only numbers.
std::string processor_text() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "";
}

unsigned usable_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
    return static_cast<unsigned>(CPU_COUNT(&allowed));
  return std::thread::hardware_concurrency();
}

// The same compiler that the frontend uses.
found_program find_compiler() {
  std::vector<std::string> command;
  if (const char* named = std::getenv("HEDDLE_CXX"); named != nullptr) {
    std::istringstream words(named);
    for (std::string word; words >> word;) command.push_back(word);
  }
  if (command.empty()) command = {frontend::find_program("g++").empty() ? "clang++" : "g++"};
  const std::string path = frontend::find_program(command[0]);
  if (path.empty()) return {};
  command.push_back("--version");
  return {path,
          first_line(frontend::run_process(command, frontend::capture::standard_output).output)};
}

// $CUDACXX, else nvcc on the PATH, else where NVIDIA's installer puts it.
found_program find_nvcc() {
  std::string path;
  if (const char* named = std::getenv("CUDACXX"); named != nullptr)
    path = frontend::find_program(named);
  for (const char* place : {"nvcc", "/usr/local/cuda/bin/nvcc"})
    if (path.empty()) path = frontend::find_program(place);
  if (path.empty()) return {};
  const std::string said =
      frontend::run_process({path, "--version"}, frontend::capture::standard_output).output;
  std::smatch parts;
  static const std::regex release(R"(release ([0-9]+\.[0-9]+))");
  return {path, std::regex_search(said, parts, release) ? parts[1].str() : ""};
}

// "13.0" as 13000.
int release_of(const std::string& text) {
  std::istringstream numbers(text);
  int major = 0, minor = 0;
  char dot = 0;
  if (!(numbers >> major >> dot >> minor)) return 0;
  return 1000 * major + 10 * minor;
}

std::string kernel_module_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::smatch parts;
  static const std::regex version(R"(\s([0-9]+\.[0-9]+(\.[0-9]+)?)\s)");
  return std::regex_search(line, parts, version) ? parts[1].str() : "";
}

// NVIDIA's driver, through the names and constants of cuda.h, which need not be installed.
class driver_library {
 public:
  driver_library() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {}
  ~driver_library() {
    if (library_ != nullptr) dlclose(library_);
  }
  driver_library(const driver_library&) = delete;
  driver_library& operator=(const driver_library&) = delete;

  [[nodiscard]] bool is_there() const { return library_ != nullptr; }

  // Calls a driver function; returns false and sets `failure_` if it is missing or fails.
  template <typename... Arguments>
  bool call(const char* name, Arguments... arguments) {
    auto* const function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
    if (function == nullptr) {
      failure_ = fmt::format("libcuda.so.1 has no {}", name);
      return false;
    }
    const int status = function(arguments...);
    if (status != 0) failure_ = text_of(status);
    return status == 0;
  }
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  [[nodiscard]] std::string text_of(int status) const {
    using get_error_string = int (*)(int, const char**);
    auto* const error_string =
        reinterpret_cast<get_error_string>(dlsym(library_, "cuGetErrorString"));
    const char* text = nullptr;
    if (error_string == nullptr || error_string(status, &text) != 0 || text == nullptr)
      return fmt::format("error {}", status);
    return fmt::format("{} (error {})", text, status);
  }

  void* library_;
  std::string failure_;
};

bool inspect_gpu(driver_library& driver, int ordinal, found_gpu& into) {
  constexpr int major_attribute = 75, minor_attribute = 76;
  int device = 0;
  std::array<char, 256> name{};
  std::size_t memory = 0;
  if (!driver.call("cuDeviceGet", &device, ordinal) ||
      !driver.call("cuDeviceGetName", name.data(), static_cast<int>(name.size() - 1), device) ||
      !driver.call("cuDeviceGetAttribute", &into.major, major_attribute, device) ||
      !driver.call("cuDeviceGetAttribute", &into.minor, minor_attribute, device) ||
      !driver.call("cuDeviceTotalMem_v2", &memory, device))
    return false;
  // In kilohertz and bits; two transfers per clock.
  constexpr int clock_attribute = 36, width_attribute = 37;
  int clock = 0, width = 0;
  if (driver.call("cuDeviceGetAttribute", &clock, clock_attribute, device) &&
      driver.call("cuDeviceGetAttribute", &width, width_attribute, device))
    into.memory_rate = 2e-6 / 8 * clock * width;
  into.name = name.data();
  into.memory = memory;
  return true;
}

void inspect_driver(machine& into) {
  driver_library driver;
  into.driver_version = kernel_module_version();
  into.has_driver = driver.is_there();
  if (!driver.is_there()) return;
  int count = 0;
  // Works even if cuInit fails.
  driver.call("cuDriverGetVersion", &into.driver_release);
  if (driver.call("cuInit", 0u) && driver.call("cuDeviceGetCount", &count)) {
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      found_gpu one;
      if (!inspect_gpu(driver, ordinal, one)) break;
      into.gpus.push_back(one);
    }
    if (count == 0) into.driver_failure = "it lists no GPU";
  }
  if (into.gpus.empty() && into.driver_failure.empty()) into.driver_failure = driver.failure();
}

}  // namespace

std::string found_gpu::architecture() const { return fmt::format("sm_{}{}", major, minor); }

std::string release_text(int release) {
  return fmt::format("{}.{}", release / 1000, release % 1000 / 10);
}

machine inspect_machine() {
  machine found;
  found.system = system_text();
  found.processor = processor_text();
  found.cores = usable_cores();
  found.compiler = find_compiler();
  found.nvcc = find_nvcc();
  found.nvcc_release = release_of(found.nvcc.version);
  inspect_driver(found);
  return found;
}

device_choice choose_device(const machine& where) {
  if (!where.has_driver && where.driver_version.empty())
    return {false, "no NVIDIA GPU found; kernels run on the CPU", false};
  const auto use_cpu = [](std::string why) {
    return device_choice{false, std::move(why) + "; kernels run on the CPU", true};
  };
  if (!where.has_driver)
    return use_cpu(
        "NVIDIA's kernel module is loaded, but the driver's library libcuda.so.1 is missing");
  if (where.gpus.empty())
    return use_cpu(fmt::format("NVIDIA's driver is installed, but finds no usable GPU ({})",
                               where.driver_failure));
  const found_gpu& gpu = where.gpus.front();
  if (!gpu.is_supported())
    return use_cpu(fmt::format("the GPU is too old: {} is {}, heddle needs sm_75 or newer",
                               gpu.name, gpu.architecture()));
  if (where.nvcc.path.empty())
    return use_cpu(
        fmt::format("found {}, but nvcc is neither on PATH nor in /usr/local/cuda/bin", gpu.name));
  // Within a major release, a driver runs code from newer toolkits.
  if (where.driver_release > 0 && where.nvcc_release / 1000 > where.driver_release / 1000)
    return use_cpu(fmt::format(
        "found {}, but its driver supports CUDA up to {}, and nvcc is from CUDA {}", gpu.name,
        release_text(where.driver_release), release_text(where.nvcc_release)));
  return {true, fmt::format("kernels run on the GPU: {} ({})", gpu.name, gpu.architecture()),
          false};
}

}  // namespace heddle::cli
