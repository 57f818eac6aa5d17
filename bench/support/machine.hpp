// The machine that a bench ran on, which its first line of output names.
#pragma once
#include <cstdio>
#include <string>

namespace heddle_bench {

struct machine {
  std::string gpu;
  int multiprocessors = 0;
  int clock_mhz = 0;   // the highest clock of the multiprocessors
  std::string driver;  // its version
  std::string cuda;    // the runtime that the bench was built with
  std::string cccl;
  std::string date;  // today, UTC
};

// Prints a line of text, or a JSON object. `more` is appended to the object: further members, each
// after a comma.
inline void print_machine(const machine& here, const std::string& bench, bool is_json,
                          const std::string& more = {}) {
  if (is_json) {
    std::printf(
        "{\"bench\": \"%s\", \"gpu\": \"%s\", \"multiprocessors\": %d, \"clock_mhz\": %d, "
        "\"driver\": \"%s\", \"cuda\": \"%s\", \"cccl\": \"%s\", \"date\": \"%s\"%s}\n",
        bench.c_str(), here.gpu.c_str(), here.multiprocessors, here.clock_mhz, here.driver.c_str(),
        here.cuda.c_str(), here.cccl.c_str(), here.date.c_str(), more.c_str());
  } else {
    std::printf("%s, %d multiprocessors at %d MHz, driver %s, CUDA %s, CCCL %s, %s\n",
                here.gpu.c_str(), here.multiprocessors, here.clock_mhz, here.driver.c_str(),
                here.cuda.c_str(), here.cccl.c_str(), here.date.c_str());
  }
}

}  // namespace heddle_bench
