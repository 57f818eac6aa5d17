// Writes the section that lists operations.
#include "frontend/rewrite/operation_list.hpp"

#include <array>
#include <cctype>
#include <cstdio>

namespace heddle::frontend {
namespace {

// Escaped for an assembler string within a C++ string literal.
std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
        (c != '\0' && std::string(" ./_-=:,+()[]{}@%|;<>").find(c) != std::string::npos)) {
      all += c;
    } else {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\\\%03o", static_cast<unsigned char>(c));
      all += code.data();
    }
  }
  return all;
}

}  // namespace

std::string section_of(const std::vector<listed_operation>& operations,
                       const std::vector<std::string>& gpu_options) {
  if (operations.empty() && gpu_options.empty()) return "";
  std::string lines;
  const auto add = [&lines](const std::string& record) {
    lines += "    \".ascii \\\"" + escaped(record + '\n') + "\\\"\\n\"\n";
  };
  for (const std::string& option : gpu_options) add("option\t" + option);
  for (const listed_operation& one : operations) {
    add((one.is_supported ? "ptx\t" : "stop\t") + absolute_path(one.file) + '\t' +
        std::to_string(one.line) + '\t' + one.text);
  }
  return "\nasm(\".pushsection .heddle.operations, \\\"\\\", %progbits\\n\"\n" + lines +
         "    \".popsection\");\n";
}

}  // namespace heddle::frontend
