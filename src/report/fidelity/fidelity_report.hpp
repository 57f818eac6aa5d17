// The fidelity report: which operations of a run may give other results than on a GPU.
#pragma once
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/check/code_lines.hpp"
#include "report/check/never_ran.hpp"
#include "report/fidelity/operations.hpp"

namespace heddle_report {

// A function, an instruction or an expression that ran.
struct ran_operation {
  std::string name;                      // `sinf`, `ex2.approx.f32`
  const operation_fact* fact = nullptr;  // null if it is exact
  bool is_ptx = false;
  bool ran_on_host = false;  // called only by the host
  std::set<line_of_file> lines;
  std::set<std::string> kernels;  // that ran it; empty if unknown
};

// An operation that the CPU does not support, such as inline PTX. It ends the program.
struct unsupported_operation {
  std::string what;
  bool stopped = false;  // a lane reached it
  std::set<line_of_file> lines;
};

struct fidelity_report {
  std::string program;
  bool is_known = false;  // the program recorded what it ran
  std::vector<std::string> kernels;
  std::vector<ran_operation> operations;  // those that are not exact first, then by name
  std::vector<unsupported_operation> unsupported;
  std::vector<std::string> options;  // of nvcc: they change a GPU's results; the CPU ignores them
  never_ran missed;

  [[nodiscard]] bool is_exact() const;
};

// The whole report: a summary, the operations that are not exact, and what never ran.
std::string text_of(const fidelity_report& what);
// One line for the report of a check; empty if all operations are exact.
std::string line_of(const fidelity_report& what);
nlohmann::json to_json(const fidelity_report& what);

}  // namespace heddle_report
