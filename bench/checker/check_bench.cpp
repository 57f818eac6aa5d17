// What checking costs: runs programs built with `heddle cc` and with `heddle cc --check`, one after
// the other.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct program {
  const char* name;  // of its source file, without .cu
  const char* what;
  double touched_bytes;  // device memory; 0: too little to measure the overhead per byte
};

constexpr program programs[] = {
    {"block_reduction", "block reduction, 1 M threads", 0},
    {"strided_sum", "grid-stride sum of 64 M floats", 256.0 * (1 << 20)},
    {"shared_histogram", "shared-memory histogram of 16 M bytes", 16.0 * (1 << 20)},
    {"matrix_product", "product of two 256x256 matrices", 0},
    {"n_body", "forces among 2,048 bodies", 0},
    {"stencil", "8 steps of a stencil on 512x512 points", 0},
    {"graph_traversal", "breadth-first search of 64 K vertices", 0},
};

// A schedule, and how much slower than a plain run it may be.
struct schedule {
  const char* name;
  const char* settings;
  double goal;
};
constexpr schedule schedules[] = {
    {"converged", R"({"schedule": "converged", "findings_file": "/dev/null"})", 10},
    {"random", R"({"schedule": "random", "seed": 1, "findings_file": "/dev/null"})", 20},
};

// One process, or the best of several: a disturbance can only add to a measurement. Times are
// processor times, so other programs on the machine do not matter.
struct measurement {
  double milliseconds = 1e300;  // kernel time per worker
  double mebibytes = 0;         // peak resident memory of the process

  void take(const measurement& other) {
    milliseconds = std::min(milliseconds, other.milliseconds);
    mebibytes = std::max(mebibytes, other.mebibytes);
  }
};

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "check_bench: %s\n", why.c_str());
  std::exit(1);
}

// Runs a command, returns its standard output, drops its standard error and waits until it exits.
std::string output_of(const std::vector<std::string>& words, rusage& used) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) give_up("cannot create a pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) > 0;) {
    text.append(bytes, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  if (wait4(child, &status, 0, &used) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    give_up(words[0] + " failed");
  }
  return text;
}

measurement run_once(const fs::path& binary, unsigned workers) {
  rusage used{};
  const std::string text = output_of({binary.string()}, used);
  measurement one;
  double processor_milliseconds = 0;
  if (std::sscanf(text.c_str(), "%lf", &processor_milliseconds) != 1) {
    give_up(binary.string() + " did not print a time");
  }
  one.milliseconds = processor_milliseconds / workers;
  one.mebibytes = static_cast<double>(used.ru_maxrss) / 1024;
  return one;
}

fs::path build(const program& which, bool is_checked, const fs::path& folder) {
  const fs::path binary = folder / (std::string(which.name) + (is_checked ? ".check" : ".run"));
  std::vector<std::string> words{HEDDLE_COMMAND, "cc"};
  if (is_checked) words.push_back("--check");
  const std::string source = std::string(HEDDLE_BENCH_SOURCES "/") + which.name + ".cu";
  words.insert(words.end(), {source, "-o", binary.string()});
  rusage used{};
  output_of(words, used);
  return binary;
}

measurement best_of_several(const fs::path& binary, unsigned workers, int times) {
  setenv("HEDDLE_WORKERS", std::to_string(workers).c_str(), 1);
  measurement best;
  for (int i = 0; i < times; ++i) best.take(run_once(binary, workers));
  return best;
}

// Bytes that a checked process uses beyond a plain one, per byte that the kernel touches.
double kept_per_byte(const program& which, const measurement& run, const measurement& check) {
  if (which.touched_bytes == 0) return 0;
  return (check.mebibytes - run.mebibytes) * (1 << 20) / which.touched_bytes;
}

void print_row(const program& which, unsigned workers, const measurement& run,
               const measurement& alone, const schedule& order, const measurement& check,
               bool as_json) {
  // A checked run has one worker; the number of workers of a plain run depends on the machine. So
  // the goal is about processor time with one worker.
  const double ratio = check.milliseconds / alone.milliseconds;
  const double ratio_to_all = check.milliseconds / run.milliseconds;
  const double kept = kept_per_byte(which, run, check);
  if (as_json) {
    std::printf(
        "{\"case\":\"%s\",\"schedule\":\"%s\",\"workers\":%u,\"run_ms\":%.2f,"
        "\"run_one_worker_ms\":%.2f,\"check_ms\":%.2f,"
        "\"ratio\":%.2f,\"ratio_to_all_workers\":%.2f,\"goal\":%.0f,\"run_mib\":%.0f,"
        "\"check_mib\":%.0f,\"kept_per_byte\":%.2f}\n",
        which.what, order.name, workers, run.milliseconds, alone.milliseconds, check.milliseconds,
        ratio, ratio_to_all, order.goal, run.mebibytes, check.mebibytes, kept);
  } else {
    std::printf("%-40s %-10s %9.1f %9.1f %9.1f %7.1f %4s %2.0f %7.1f %8.0f %8.0f ", which.what,
                order.name, run.milliseconds, alone.milliseconds, check.milliseconds, ratio,
                "<=", order.goal, ratio_to_all, run.mebibytes, check.mebibytes);
    std::printf(kept == 0 ? "\n" : "%.1f\n", kept);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  bool writes_json = false;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--json") != 0) give_up("the only option is --json");
    writes_json = true;
  }
  char name[] = "/tmp/heddle-check-bench-XXXXXX";
  if (mkdtemp(name) == nullptr) give_up("cannot create a temporary folder");
  const fs::path folder = name;
  if (!writes_json) {
    std::printf("%-40s %-10s %9s %9s %9s %7s %7s %7s %8s %8s %s\n", "kernel", "schedule", "run ms",
                "1 worker", "check ms", "ratio", "goal", "to all", "run MiB", "check",
                "bytes kept per byte");
  }
  constexpr int times = 3;
  const unsigned workers = std::max(1u, std::thread::hardware_concurrency());
  for (const program& which : programs) {
    const fs::path plain = build(which, false, folder), checked = build(which, true, folder);
    const measurement run = best_of_several(plain, workers, times);
    const measurement alone = best_of_several(plain, 1, times);
    for (const schedule& order : schedules) {
      setenv("HEDDLE_CHECK", order.settings, 1);
      const measurement check =
          best_of_several(checked, 1, times);  // a checked run always has one worker
      print_row(which, workers, run, alone, order, check, writes_json);
    }
  }
  fs::remove_all(folder);
}
