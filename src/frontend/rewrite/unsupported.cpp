// Tables of the CUDA headers, libraries and removed functions that the CPU runtime lacks.
#include "frontend/rewrite/unsupported.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace heddle::frontend {
namespace {

struct refused {
  std::string_view start;  // how the header's name below an include folder begins
  std::string_view sentence;
  bool is_only_missing = false;
};

constexpr std::array<refused, 13> headers{{
    {"cub/", "CUB was not found: install libcub-dev or a CUDA toolkit, or give its folder with -I",
     true},
    {"thrust/",
     "Thrust was not found: install libthrust-dev or a CUDA toolkit, or give its folder with -I",
     true},
    {"cublas.h", "the legacy cuBLAS API is not supported on the CPU: use cublas_v2.h"},
    {"cublasXt.h", "cublasXt is not supported on the CPU: use cublas_v2.h"},
    {"curand_mtgp32",
     "MTGP32 is not supported on the CPU, because it needs tables of parameters: use another "
     "generator"},
    {"cufft", "cuFFT is not supported on the CPU: use a host FFT library"},
    {"cusparse", "cuSPARSE is not supported on the CPU: use a host sparse library"},
    {"cusolver", "cuSOLVER is not supported on the CPU: use LAPACK"},
    {"cudnn", "cuDNN is not supported on the CPU"},
    {"cutlass/", "CUTLASS is not supported on the CPU: it needs tensor cores"},
    {"cute/", "CuTe is not supported on the CPU: it needs tensor cores"},
    {"nvrtc.h", "runtime compilation (NVRTC) is not supported on the CPU"},
    {"mma.h", "tensor cores (nvcuda::wmma) are not supported on the CPU"},
}};

constexpr std::array<std::string_view, 6> libraries{"cufft", "cusparse", "cusolver",
                                                    "cudnn", "nvrtc",    "npp"};

struct renamed {
  std::string_view old_name;
  std::string_view new_form;
};

constexpr std::array<renamed, 8> removed_functions{{
    {"__shfl", "__shfl_sync(mask, value, lane)"},
    {"__shfl_up", "__shfl_up_sync(mask, value, distance)"},
    {"__shfl_down", "__shfl_down_sync(mask, value, distance)"},
    {"__shfl_xor", "__shfl_xor_sync(mask, value, lane_mask)"},
    {"__any", "__any_sync(mask, predicate)"},
    {"__all", "__all_sync(mask, predicate)"},
    {"__ballot", "__ballot_sync(mask, predicate)"},
    {"__uni", "__uni_sync(mask, predicate)"},
}};

bool is_declared_outside_functions(const structure& shape, std::size_t name) {
  return shape.function_around(name) == nullptr && shape.is(name + 1, "(");
}

}  // namespace

void find_removed_functions(const structure& shape, edits& changes) {
  std::set<std::string_view> own_names, reported;
  std::vector<std::pair<std::size_t, const renamed*>> calls;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const token& word = shape.at(i);
    if (word.kind != token_kind::identifier || word.text.substr(0, 2) != "__") continue;
    for (const renamed& entry : removed_functions) {
      if (word.text != entry.old_name || !shape.is(i + 1, "(")) continue;
      if (is_declared_outside_functions(shape, i))
        own_names.insert(word.text);
      else if (shape.is_in_user_file(i))
        calls.emplace_back(i, &entry);
    }
  }
  for (const auto& [at, entry] : calls) {
    if (own_names.count(entry->old_name) != 0) continue;
    if (!reported.insert(entry->old_name).second) continue;
    changes.add_diagnostic(at, '`' + std::string(entry->old_name) +
                                   "` was removed from CUDA: use `" + std::string(entry->new_form) +
                                   '`');
  }
}

namespace {

bool declares_stop(const structure& shape, std::size_t name) {
  static constexpr std::string_view ending = "_stops.inc";
  const token& word = shape.at(name);
  if (word.kind != token_kind::identifier || !shape.is(name + 1, "(")) return false;
  const std::string_view file = shape.file_of(name);
  if (file.size() < ending.size() || file.substr(file.size() - ending.size()) != ending) {
    return false;
  }
  const token& result = shape.at(name - 1);
  return result.is("CUresult") || result.is("cudaError_t") || result.is("no_result");
}

}  // namespace

void note_stops(const structure& shape, edits& changes) {
  std::set<std::string_view> stops;
  for (std::size_t i = 1; i + 1 < shape.size(); ++i) {
    if (declares_stop(shape, i)) stops.insert(shape.at(i).text);
  }
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) {
    const token& word = shape.at(i);
    if (word.kind != token_kind::identifier || !shape.is(i + 1, "(")) continue;
    if (!shape.is_in_user_file(i) || stops.count(word.text) == 0) continue;
    changes.add_note(i, '`' + std::string(word.text) +
                            "` is not supported on the CPU: the program stops when it is called");
  }
}

std::optional<header_refusal> refusal_of_header(std::string_view path) {
  for (const refused& entry : headers) {
    const std::size_t found = path.rfind(entry.start);
    if (found == std::string_view::npos) continue;
    if (found != 0 && path[found - 1] != '/') continue;
    const std::string_view rest = path.substr(found + entry.start.size());
    const bool is_folder = entry.start.back() == '/';
    const bool is_whole_name =
        entry.start.size() > 2 && entry.start.substr(entry.start.size() - 2) == ".h";
    if (is_whole_name && !rest.empty()) continue;
    if (!is_folder && rest.find('/') != std::string_view::npos) continue;
    return header_refusal{std::string(path.substr(0, found)), std::string(entry.sentence),
                          entry.is_only_missing};
  }
  return std::nullopt;
}

std::optional<std::string> refusal_of_library(std::string_view name) {
  for (const std::string_view start : libraries) {
    if (name.substr(0, start.size()) != start) continue;
    return "the library `" + std::string(name) + "` is not supported on the CPU";
  }
  return std::nullopt;
}

}  // namespace heddle::frontend
