// Collects which of CUDA's operations a program ran, from the marks of its basic blocks.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include <heddle_host/ran_code.hpp>

#include "report/fidelity/fidelity_report.hpp"

namespace heddle_report {

// The section of a program in which the frontend lists inline PTX and nvcc's options.
inline constexpr const char* section_of_operations = ".heddle.operations";

class ran_operations {
 public:
  // Skips a file that cannot be read.
  void add(const heddle_host::ran_module& what);
  // Adds every file of marks in a folder.
  void add_folder(const std::filesystem::path& folder);
  // Everything except `program` and `missed`.
  [[nodiscard]] fidelity_report result() const;

 private:
  struct reading;

  fidelity_report found_;
  std::map<std::string, ran_operation> operations_;
  std::set<std::string> kernels_;
  std::set<std::string> options_;
  std::map<std::string, unsupported_operation> unsupported_;
};

}  // namespace heddle_report
