// Registers conformance cases, runs them, and prints their results the same way on every machine.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define CASE(name)                                                                \
  static void case_##name();                                                      \
  static const conformance::registration registration_##name(#name, case_##name); \
  static void case_##name()

// Makes a CUDA call that must succeed; prints the name of the error if it does not.
#define CHECKED(call) conformance::check((call), #call)
// Makes a CUDA call and prints its result, which is what the case is about.
#define SHOW_ERROR(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

namespace conformance {

inline std::vector<std::pair<const char*, void (*)()>> all_cases;  // names and bodies
inline const char* running_case = "";
inline bool alone = false;
struct registration {
  registration(const char* name, void (*body)()) { all_cases.push_back({name, body}); }
};

inline void check(cudaError_t code, const char* call) {
  if (code != cudaSuccess) std::printf("error %s from %s\n", cudaGetErrorName(code), call);
}

// Results that no thread has written show up as this byte, repeated.
inline constexpr int poison = 0xA5;

// Device memory that starts poisoned, or as a copy of host values.
template <typename T>
class buffer {
 public:
  explicit buffer(std::size_t count, int fill = poison) : count_(count) {
    CHECKED(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    CHECKED(cudaMemset(data_, fill, count * sizeof(T)));
    CHECKED(cudaDeviceSynchronize());  // non-blocking streams do not wait for the fill
  }
  explicit buffer(const std::vector<T>& values) : buffer(values.size()) {
    CHECKED(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  buffer(const buffer&) = delete;
  ~buffer() { cudaFree(data_); }
  operator T*() const { return data_; }
  // Waits for all kernels and prints an error if one failed.
  std::vector<T> read() const {
    CHECKED(cudaGetLastError());
    CHECKED(cudaDeviceSynchronize());
    std::vector<T> values(count_);
    CHECKED(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

template <typename T>
void append_text(std::string& text, T value) {
  char digits[40];
  if constexpr (std::is_floating_point_v<T>) {
    const char* const format = sizeof(T) == 4 ? " %.9g" : " %.17g";
    std::snprintf(digits, sizeof digits, std::isnan(value) ? " nan" : format, double(value));
  } else if constexpr (std::is_signed_v<T>) {
    std::snprintf(digits, sizeof digits, " %lld", static_cast<long long>(value));
  } else {
    std::snprintf(digits, sizeof digits, " %llu", static_cast<unsigned long long>(value));
  }
  text += digits;
}

// Prints up to 64 values in full; of more, a hash of their text and nine samples.
template <typename T>
void show(const char* label, const std::vector<T>& values) {
  std::string text;
  for (const T value : values) append_text(text, value);
  if (values.size() <= 64) {
    std::printf("%s:%s\n", label, text.c_str());
    return;
  }
  unsigned long long hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  text.clear();
  for (std::size_t i = 0; i < 9; ++i) append_text(text, values[(values.size() - 1) * i / 8]);
  std::printf("%s: %zu values, hash %016llx, of them%s\n", label, values.size(), hash,
              text.c_str());
}
template <typename T>
void show(const char* label, const buffer<T>& values) {
  show(label, values.read());
}

}  // namespace conformance

int main(int count, char** arguments) {
  using namespace conformance;
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
  bool found = false;
  alone = count > 2 && std::strcmp(arguments[2], "--alone") == 0;
  for (const auto& [name, body] : all_cases) {
    if (count > 1 && std::strcmp(arguments[1], name) != 0) continue;
    found = true;
    running_case = name;
    if (!alone) std::printf("== %s\n", name);
    body();
  }
  return found ? 0 : 2;
}
