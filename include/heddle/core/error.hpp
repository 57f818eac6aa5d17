// What the library's host functions throw: CUDA's code and text, and the place that asked.
#pragma once
#include <cuda_runtime.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace heddle {

// Where a call stands. clang has std::source_location only from version 16 on.
#ifdef __cpp_lib_source_location
using source_location = std::source_location;
#else
class source_location {
 public:
  // The place of the call, and what is known of it.
  static constexpr source_location current(const char* file = __builtin_FILE(),
                                           const char* function = __builtin_FUNCTION(),
                                           unsigned line = __builtin_LINE()) noexcept {
    source_location here;
    here.file_ = file;
    here.function_ = function;
    here.line_ = line;
    return here;
  }
  constexpr const char* file_name() const noexcept { return file_; }
  constexpr const char* function_name() const noexcept { return function_; }
  constexpr unsigned line() const noexcept { return line_; }

 private:
  const char* file_ = "";
  const char* function_ = "";
  unsigned line_ = 0;
};
#endif

// A call failed, or the library refuses something and says why. what() is one line: the place, the
// sentence, and where it was a CUDA call, CUDA's name of the error and CUDA's own text.
class error : public std::runtime_error {
 public:
  // Of a call that stands at `where`.
  explicit error(cudaError_t code, const std::string& sentence = "a CUDA call failed",
                 source_location where = source_location::current())
      : std::runtime_error(text(code, sentence, where)), code_(code), where_(where) {}
  // Of a failure that CUDA does not know of; its code is cudaErrorUnknown.
  explicit error(const std::string& sentence, source_location where = source_location::current())
      : std::runtime_error(place(where) + sentence), code_(cudaErrorUnknown), where_(where) {}

  // CUDA's number for it, and where the call stands.
  [[nodiscard]] cudaError_t code() const noexcept { return code_; }
  [[nodiscard]] const source_location& where() const noexcept { return where_; }

 private:
  static std::string place(const source_location& where) {
    return std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": ";
  }
  static std::string text(cudaError_t code, const std::string& sentence,
                          const source_location& where) {
    return place(where) + sentence + " (" + cudaGetErrorName(code) + ": " +
           cudaGetErrorString(code) + ")";
  }

  cudaError_t code_;
  source_location where_;
};

// Throws heddle::error unless `code` is success. Around every CUDA call of the host:
//   check(cudaMalloc(&memory, bytes));
inline void check(cudaError_t code, source_location where = source_location::current()) {
  if (code != cudaSuccess) throw error(code, "a CUDA call failed", where);
}

}  // namespace heddle
