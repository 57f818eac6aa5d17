// CUB, Thrust and libcu++ (CCCL): compiled as they are, from where the user has them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::frontend {

// Whether a preprocessor pass, successful or not, shows that a file needs CCCL: it has read a
// header of CUB or Thrust, has not found one, or wants a part of libcu++ that the stand-ins lack.
bool needs_cccl(const std::string& text, const std::string& messages);

struct cccl_location {
  bool is_found = false;
  // Folders to search before the stand-ins, which have parts of libcu++ under the same names.
  std::vector<std::filesystem::path> folders;
};

// Looks in the user's include folders, in a CUDA toolkit (that of CUDA_HOME or CUDA_PATH if one is
// set, else that of nvcc, else /usr/local/cuda), and in /usr/include, where Debian's libcub-dev and
// libthrust-dev are.
cccl_location find_cccl(const std::vector<std::string>& preprocessor_flags);

}  // namespace heddle::frontend
