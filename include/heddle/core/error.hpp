// The exception that host functions throw: CUDA's error code and text, and the call site.
#pragma once
#include <cuda_runtime.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace heddle {

// The location of a call. clang has std::source_location only since version 16.
#ifdef __cpp_lib_source_location
using source_location = std::source_location;
#else
class source_location {
 public:
  // The location of the call: its file, function and line.
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

// Thrown if a call failed or the library cannot do what was asked. what() is one line: the
// location, a sentence and, if there is a CUDA error code, CUDA's name and text for it.
class error : public std::runtime_error {
 public:
  // An error with a CUDA error code, raised by the call at `where`.
  explicit error(cudaError_t code, const std::string& sentence = "a CUDA call failed",
                 source_location where = source_location::current())
      : std::runtime_error(text(code, sentence, where)), code_(code), where_(where) {}
  // A failure without a CUDA error code; code() is cudaErrorUnknown.
  explicit error(const std::string& sentence, source_location where = source_location::current())
      : std::runtime_error(place(where) + sentence), code_(cudaErrorUnknown), where_(where) {}

  // The CUDA error code, and the location of the call.
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

// Throws heddle::error unless `code` is cudaSuccess. Wrap every CUDA call on the host in it:
//   check(cudaMalloc(&memory, bytes));
inline void check(cudaError_t code, source_location where = source_location::current()) {
  if (code != cudaSuccess) throw error(code, "a CUDA call failed", where);
}

}  // namespace heddle
