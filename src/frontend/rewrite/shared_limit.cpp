// Sums the shared variables of each kernel, by the symbol names in an object file.
#include "frontend/rewrite/shared_limit.hpp"

#include <cxxabi.h>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <sstream>

namespace heddle::frontend {
namespace {

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(text.get()) : std::string();
}

// `k(float*)::{lambda()#1}` → `k(float*)`: the frontend turned the body into a closure.
std::string kernel_of(const std::string& body) { return body.substr(0, body.rfind("::{lambda")); }

}  // namespace

std::string kernels_over_the_shared_limit(const std::string& symbols) {
  // The names in kernel.hpp and shared.hpp of heddle_host.
  const std::array<std::string, 2> loops{"void heddle_host::run_lanes<",
                                         "void heddle_host::run_blocks<"};
  const std::string place = "heddle_host::shared_place<";
  std::set<std::string> bodies;
  std::map<std::string, unsigned long> slots;  // bytes of each declaration's struct
  std::istringstream lines(symbols);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("heddle_host") == line.npos) continue;
    const std::string name = demangled(line.substr(0, line.find(' ')));
    for (const std::string& loop : loops)
      if (name.starts_with(loop))
        bodies.insert(name.substr(loop.size(), name.rfind(">(") - loop.size()));
    if (name.starts_with(place) && name.ends_with(">::offset")) {
      const std::size_t comma = name.rfind(", ");
      slots[name.substr(place.size(), comma - place.size())] =
          std::strtoul(name.c_str() + comma + 2, nullptr, 10);
    }
  }
  std::string text;
  for (const std::string& body : bodies) {
    unsigned long bytes = 0;
    for (const auto& [slot, size] : slots)
      if (slot.starts_with(body + "::")) bytes += size;
    if (bytes <= most_static_shared_bytes) continue;
    text += (text.empty() ? "" : "\n") + std::string("heddle: the kernel ") + kernel_of(body) +
            " uses " + std::to_string(bytes) + " bytes of static shared memory; the limit is " +
            std::to_string(most_static_shared_bytes) +
            " (use dynamic shared memory, `extern __shared__`, for more)";
  }
  return text;
}

}  // namespace heddle::frontend
