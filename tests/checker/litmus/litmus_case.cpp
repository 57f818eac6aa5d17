// Runs one litmus program under the schedule `weak` and compares the outcomes with what the PTX
// memory model allows:
//   litmus_case HEDDLE PROGRAM.cu [SEEDS]
// Each line of the program's output is `game way seats verdict count`. A forbidden outcome must
// never occur; an allowed one must occur with at least one seed. A program must have findings
// exactly if it prints that they are expected. Exits with 1 and says what differs.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace {

struct outcome {
  std::string output;
  bool has_findings;
};

outcome run(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no process could be started");
  std::string all;
  std::array<char, 4096> piece;
  while (const std::size_t count = fread(piece.data(), 1, piece.size(), pipe)) {
    all.append(piece.data(), count);
  }
  const int status = pclose(pipe);
  if (status != 0 && status != 1 << 8) throw std::runtime_error(command + " failed:\n" + all);
  return {all, status != 0};
}

int judge(const std::string& heddle, const std::string& source, unsigned seeds) {
  const std::string program =
      (std::filesystem::temp_directory_path() / ("heddle-litmus-" + std::to_string(getpid())))
          .string();
  run("'" + heddle + "' cc --check -std=c++20 -o '" + program + "' '" + source + "' 2>&1");
  std::map<std::string, unsigned> times;       // by game, way, seats and verdict
  std::map<std::string, unsigned> first_seed;  // that showed it
  bool is_right = true;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const outcome played =
        run("HEDDLE_CHECK='{\"schedule\": \"weak\", \"seed\": " + std::to_string(seed) + "}' '" +
            program + "' 2>/dev/null");
    const bool expects = played.output.find("findings expected") != std::string::npos;
    if (expects != played.has_findings) {
      std::cout << (expects ? "no findings" : "findings") << " with seed " << seed << '\n';
      is_right = false;
    }
    std::istringstream lines(played.output);
    std::string game, way, seats, verdict;
    for (unsigned count; lines >> game >> way >> seats >> verdict >> count;) {
      const std::string name = game + ' ' + way + ' ' + seats + ' ' + verdict;
      times[name] += count;
      if (count != 0) first_seed.try_emplace(name, seed);
    }
  }
  std::filesystem::remove(program);
  is_right = is_right && !times.empty();
  for (const auto& [name, count] : times) {
    const bool is_allowed = name.ends_with(" allowed");
    if (count == 0 ? !is_allowed : is_allowed) continue;
    is_right = false;
    std::cout << name << ", but it came " << count << " times with seeds 1 to " << seeds;
    if (count != 0) std::cout << ", first with " << first_seed[name];
    std::cout << '\n';
  }
  std::cout << times.size() << " outcomes looked at\n";
  return is_right ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::cerr << "litmus_case HEDDLE PROGRAM.cu [SEEDS]\n";
    return 2;
  }
  try {
    return judge(arguments[1], arguments[2],
                 count > 3 ? static_cast<unsigned>(std::atoi(arguments[3])) : 20);
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << '\n';
    return 2;
  }
}
