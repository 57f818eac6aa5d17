// Extracts the name of a kernel from its signature.
#include "report/kernel_name.hpp"

#include <fmt/core.h>

#include <string_view>

namespace heddle_report {

namespace {

constexpr std::string_view unnamed = "(anonymous namespace)";

}  // namespace

std::string kernel_name(const std::string& signature) {
  std::string arguments;
  std::string head = signature;
  if (const auto bracket = signature.find(" ["); bracket != signature.npos) {
    arguments = signature.substr(bracket + 2, signature.size() - bracket - 3);
    if (arguments.starts_with("with ")) arguments.erase(0, 5);
    head.resize(bracket);
  }
  int depth = 0;
  std::size_t begin = 0;
  std::size_t end = head.size();
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '<') ++depth;
    if (head[i] == '>') --depth;
    if (depth > 0) continue;
    if (head.compare(i, unnamed.size(), unnamed) == 0) {
      i += unnamed.size() - 1;
    } else if (head[i] == ' ') {
      begin = i + 1;
    } else if (head[i] == '(') {
      end = i;
      break;
    }
  }
  const std::string name = head.substr(begin, end - begin);
  return arguments.empty() ? name : fmt::format("{}<{}>", name, arguments);
}

}  // namespace heddle_report
