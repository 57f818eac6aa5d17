// From preprocessed CUDA C++ to C++ for the CPU: all rewritings together.
#pragma once
#include <string>
#include <vector>

#include "columns.hpp"
#include "edits.hpp"

namespace heddle::frontend {

struct rewrite_options {
  // Files below these folders are headers of ours: their warnings do not concern the user.
  std::vector<std::string> quiet_folders;
  // Device code may be called across files (-rdc=true).
  bool is_relocatable = false;
  // The program will be checked: it knows more about its variables.
  bool is_checked = false;
  // The program will be profiled: it knows which variables lie in global memory.
  bool is_profiled = false;
  // The script that teaches gdb kernels; empty: the program is not built to be debugged.
  std::string debugger_script;
  // Reads the user's files for the columns of their words; without it these are the preprocessor's.
  source_reader read_source;
};

struct rewrite_result {
  std::string text;
  std::vector<diagnostic> diagnostics;  // not empty: what is wrong, and `text` is of no use
  std::vector<diagnostic> notes;        // what may be worth knowing
};

rewrite_result rewrite(std::string preprocessed, const rewrite_options& options = {});

}  // namespace heddle::frontend
