// Rewrites preprocessed CUDA C++ to C++ for the CPU.
#pragma once
#include <string>
#include <vector>

#include "frontend/rewrite/columns.hpp"
#include "frontend/rewrite/edits.hpp"

namespace heddle::frontend {

struct rewrite_options {
  // Files below these folders are our headers: their warnings do not concern the user.
  std::vector<std::string> quiet_folders;
  // Device code may be called across files (-rdc=true).
  bool is_relocatable = false;
  // The program will be checked, so its variables are registered in detail.
  bool is_checked = false;
  // The program will be profiled, so its variables in global memory are registered.
  bool is_profiled = false;
  // The gdb script for kernels; empty unless the program is built for debugging.
  std::string debugger_script;
  // Reads the user's files to restore columns; without it, columns are the preprocessor's.
  source_reader read_source;
  // Puts a list of the inline PTX into the program, for the report on what it ran.
  bool lists_operations = false;
  std::vector<std::string> gpu_options = {};  // nvcc's options for that list
  // A sanitizer or a coverage report looks at each lane, so lanes do not run as loops.
  bool keeps_lanes_apart = false;
};

struct rewrite_result {
  std::string text;
  std::vector<diagnostic> diagnostics;  // errors; if there are any, `text` is unusable
  std::vector<diagnostic> notes;        // for information
};

rewrite_result rewrite(std::string preprocessed, const rewrite_options& options = {});

}  // namespace heddle::frontend
