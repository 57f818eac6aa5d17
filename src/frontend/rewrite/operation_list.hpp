// Lists a file's inline PTX in a section of the object, for the report on what a program ran.
#pragma once
#include <string>
#include <vector>

#include "frontend/rewrite/edits.hpp"

namespace heddle::frontend {

// An asm declaration with the section, which is not loaded at run time. Each line of it has fields
// separated by tabs: `ptx`, file, line and opcode; or `stop`, file, line and text; or `option` and
// an option of nvcc. src/report/fidelity reads it.
std::string section_of(const std::vector<listed_operation>& operations,
                       const std::vector<std::string>& gpu_options);

}  // namespace heddle::frontend
