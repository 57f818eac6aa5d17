// Thrown when a build cannot continue; the command line turns it into text and an exit code.
#pragma once
#include <stdexcept>
#include <string>

namespace heddle::frontend {

class build_error : public std::runtime_error {
 public:
  explicit build_error(const std::string& sentence) : build_error(sentence, 2, false) {}

  // The text already names the user's file and line.
  static build_error in_source(const std::string& text) { return {text, 2, true}; }
  // The compiler has printed its errors. Its exit status is replaced by 2, since 1 would mean a
  // finding; only a signal's status is kept.
  static build_error of_compiler(int status) { return {"", status > 128 ? status : 2, true}; }

  int status() const { return status_; }
  bool is_complete() const { return is_complete_; }  // needs no "heddle: " prefix

 private:
  build_error(const std::string& text, int status, bool is_complete)
      : std::runtime_error(text), status_(status), is_complete_(is_complete) {}

  int status_;
  bool is_complete_;
};

}  // namespace heddle::frontend
