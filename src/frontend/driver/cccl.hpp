// CUB, Thrust and libcu++ (CCCL): compiled as they are, from where the user has them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::frontend {

// Whether a preprocessor pass, successful or not, shows that a file needs CCCL: it has read a
// header of CUB or Thrust, has not found one, or wants a part of libcu++ that the stand-ins lack.
bool needs_cccl(const std::string& text, const std::string& messages);

// The folders to search before the stand-ins, which have parts of libcu++ under the same names:
// those of the user's that have CCCL, else that of a CUDA toolkit (of CUDA_HOME or CUDA_PATH if one
// is set, else that of nvcc, else /usr/local/cuda). None for Debian's packages, which the compiler
// finds by itself and which have no libcu++. Up to CUDA 12, a toolkit has CCCL among its other
// headers, which would hide the stand-ins; then it is a folder of links to CCCL alone.
std::vector<std::filesystem::path> find_cccl(const std::vector<std::string>& preprocessor_flags);

// Where the system has CUB: in a CUDA toolkit, else in /usr/include; empty if nowhere.
std::filesystem::path installed_cccl();

// Whether the folder has the headers of a CUDA toolkit, which must not hide the stand-ins.
bool is_toolkit(const std::filesystem::path& folder);

}  // namespace heddle::frontend
