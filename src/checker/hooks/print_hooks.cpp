// Intercepts what lanes print, because output is part of what a kernel does.
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <string>

#include "checker/hooks/hooks.hpp"

namespace {

void follow(const char* text, std::size_t bytes) {
  heddle_checker::checker_in_force->checks().undefined.lane_prints(text, bytes);
}

// Output of the host is passed through unchanged.
int print(const char* format, std::va_list values) {
  if (!heddle_checker::is_lane_code()) return std::vprintf(format, values);
  const heddle_checker::checker_section guard;  // keeps the text out of the device heap
  std::va_list again;
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length < 0) return length;
  std::string text(static_cast<std::size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, values);
  follow(text.data(), text.size());
  return static_cast<int>(std::fwrite(text.data(), 1, text.size(), stdout));
}

}  // namespace

extern "C" {

int __real_puts(const char* text);
int __real_putchar(int character);

int __wrap_printf(const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  const int printed = print(format, values);
  va_end(values);
  return printed;
}

int __wrap_vprintf(const char* format, std::va_list values) { return print(format, values); }

int __wrap___printf_chk(int, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  const int printed = print(format, values);
  va_end(values);
  return printed;
}

int __wrap_puts(const char* text) {
  if (heddle_checker::is_lane_code()) follow(text, std::char_traits<char>::length(text));
  return __real_puts(text);
}

int __wrap_putchar(int character) {
  const char text = static_cast<char>(character);
  if (heddle_checker::is_lane_code()) follow(&text, 1);
  return __real_putchar(character);
}

}  // extern "C"
