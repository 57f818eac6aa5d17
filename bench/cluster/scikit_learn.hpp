// Runs scikit-learn's DBSCAN in a separate process, if Python has it.
#pragma once
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle_bench {

class scikit_learn {
 public:
  struct answer {
    double one_thread;  // milliseconds
    double all_threads;
    std::vector<std::int32_t> labels;
  };

  // Looks for scikit-learn, with the interpreter that PYTHON names, else with the first one that
  // has it.
  //   script      cluster_peer.py
  explicit scikit_learn(const std::filesystem::path& script) : script_(script) {
    const char* const named = std::getenv("PYTHON");
    const std::vector<std::string> interpreters =
        named != nullptr ? std::vector<std::string>{named}
                         : std::vector<std::string>{"python3", "/usr/bin/python3"};
    for (const std::string& one : interpreters) {
      interpreter_ = one;
      version_ =
          first_line_of(quoted(interpreter_) + " " + quoted(script_.string()) + " 2>/dev/null");
      if (!version_.empty()) return;
    }
  }

  // Empty if scikit-learn was not found.
  const std::string& version() const { return version_; }

  //   values      x, y and z of each point
  answer cluster(const std::vector<float>& values, double eps, int min_points) const {
    const scratch_folder folder;
    const auto points = folder.path / "points", labels = folder.path / "labels";
    std::ofstream(points, std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, " %.17g %d ", eps, min_points);
    const std::string times =
        first_line_of(quoted(interpreter_) + " " + quoted(script_.string()) + " " +
                      quoted(points.string()) + numbers + quoted(labels.string()));
    answer result{};
    if (std::sscanf(times.c_str(), "%lf %lf", &result.one_thread, &result.all_threads) != 2) {
      throw std::runtime_error("cluster_peer.py did not print its times");
    }
    result.labels.resize(values.size() / 3);
    std::ifstream(labels, std::ios::binary)
        .read(reinterpret_cast<char*>(result.labels.data()),
              static_cast<std::streamsize>(result.labels.size() * sizeof(std::int32_t)));
    return result;
  }

 private:
  struct scratch_folder {
    std::filesystem::path path;
    scratch_folder() {
      std::string made = (std::filesystem::temp_directory_path() / "heddle-XXXXXX").string();
      if (mkdtemp(made.data()) == nullptr) throw std::runtime_error("cannot create a folder");
      path = made;
    }
    ~scratch_folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
  };

  static std::string quoted(const std::string& text) {
    std::string all = "'";
    for (const char letter : text) {
      all += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return all + "'";
  }
  // The first line that a command prints; empty if it fails.
  static std::string first_line_of(const std::string& command) {
    FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return {};
    char line[256]{};
    const bool has_line = std::fgets(line, sizeof line, pipe) != nullptr;
    if (pclose(pipe) != 0 || !has_line) return {};
    std::string text = line;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

  std::filesystem::path script_;
  std::string interpreter_;
  std::string version_;
};

}  // namespace heddle_bench
