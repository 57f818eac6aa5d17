// Compares what `heddle profile` counts for a program's kernels with the counts in expected/,
// which were derived by hand. Usage: profile_case HEDDLE PROGRAM.cu EXPECTED_FOLDER
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

namespace {

using nlohmann::json;

double sum_of(const json& list, const char* field, const char* key, const std::string& wanted) {
  double sum = 0;
  for (const json& one : list) {
    if (one.value(key, "") == wanted) sum += one.value(field, 0.0);
  }
  return sum;
}

// Counts with names of our own, which ncu does not have.
double own_count(const json& kernel, const std::string& name) {
  constexpr const char* meetings = "meetings ";
  if (name.starts_with(meetings)) {
    return sum_of(kernel["meetings"], "times", "kind", name.substr(std::string(meetings).size()));
  }
  if (name == "lanes_per_address") {
    const json& all = kernel["accesses"];
    return sum_of(all, "lanes", "operation", "atomic") /
           sum_of(all, "addresses", "operation", "atomic");
  }
  if (name == "warp_efficiency") return 100 * kernel.at(name).get<double>();
  return kernel.at(name).get<double>();
}

// Two blanks end a name.
std::map<std::string, double> read_expected(const std::filesystem::path& file) {
  std::map<std::string, double> expected;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t end = line.find("  ");
    expected[line.substr(0, end)] = std::strtod(line.c_str() + end, nullptr);
  }
  return expected;
}

int compare(const json& kernel, const std::filesystem::path& folder) {
  const auto name = kernel.at("kernel").get<std::string>();
  const auto expected = read_expected(folder / (name + ".txt"));
  if (expected.empty()) {
    std::cout << name << ": nothing is expected of it in " << folder << '\n';
    return 1;
  }
  int wrong = 0;
  const auto hold = [&](const std::string& what, double counted, double wanted) {
    if (std::abs(counted - wanted) < 0.05) return;
    std::cout << name << ": " << what << " is " << counted << ", not " << wanted << '\n';
    ++wrong;
  };
  const json& metrics = kernel.at("metrics");
  for (const auto& [what, wanted] : expected) {
    if (what.starts_with("heddle.")) {
      hold(what, own_count(kernel, what.substr(7)), wanted);
    } else if (!metrics.contains(what)) {
      std::cout << name << ": there is no " << what << '\n';
      ++wrong;
    }
  }
  // Metrics that are not listed must be 0.
  for (const auto& [what, counted] : metrics.items()) {
    const auto found = expected.find(what);
    hold(what, counted.get<double>(), found == expected.end() ? 0 : found->second);
  }
  return wrong;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const std::filesystem::path report = std::filesystem::temp_directory_path() /
                                       ("heddle-profile-" + std::to_string(getpid()) + ".json");
  std::ostringstream command;
  command << '"' << arguments[1] << "\" profile --lines 0 --json \"" << report.string() << "\" \""
          << arguments[2] << '"';
  const int status = std::system(command.str().c_str());
  std::ifstream file(report);
  const json all = json::parse(file, nullptr, false);
  std::filesystem::remove(report);
  if (status != 0 || !all.is_object() || all["kernels"].empty()) {
    std::cout << "no profile: " << command.str() << " ended with " << status << '\n';
    return 1;
  }
  int wrong = 0;
  for (const json& kernel : all["kernels"]) wrong += compare(kernel, arguments[3]);
  std::cout << all["kernels"].size() << " kernels, " << wrong << " counts are not as expected\n";
  return wrong == 0 ? 0 : 1;
}
