// Runs `heddle check` on one program of the corpus and compares its findings with what is expected:
//   corpus_case HEDDLE PROGRAM.cu [SCHEDULES]
// A program without a `.expected` file next to it must have no findings. Exits with 1 and says why
// if the findings differ.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "expected.hpp"

namespace {

using heddle_corpus::expected_finding;
using heddle_corpus::expected_side;
using nlohmann::json;

constexpr std::array<const char*, 3> sentences{"what", "why", "fix"};

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  if (!pipe) throw std::runtime_error("no process could be started");
  std::string all;
  std::array<char, 4096> piece;
  while (const std::size_t count = fread(piece.data(), 1, piece.size(), pipe.get())) {
    all.append(piece.data(), count);
  }
  return all;
}

json check(const std::string& heddle, const std::string& program, const std::string& options) {
  const auto report = std::filesystem::temp_directory_path() /
                      ("heddle-corpus-" + std::to_string(getpid()) + ".json");
  const std::string said =
      output_of("'" + heddle + "' check --timeout 10 --json '" + report.string() + "' " + options +
                " -std=c++20 '" + program + "' 2>&1");
  if (!std::filesystem::exists(report)) throw std::runtime_error("no report came: " + said);
  std::ifstream file(report);
  json all = json::parse(file);
  std::filesystem::remove(report);
  // Notes are not defects, except for leaks.
  json counted = json::array();
  for (const json& one : all["findings"]) {
    if (!one.value("note", false) || one["kind"] == "leak") counted.push_back(one);
  }
  all["findings"] = std::move(counted);
  return all;
}

// The lines that a finding names: its places, and where its memory was allocated and freed.
std::set<int> lines_of(const json& finding) {
  std::set<int> lines;
  for (const json& place : finding["places"]) {
    if (place.contains("line")) lines.insert(place["line"].get<int>());
  }
  if (finding.contains("memory")) {
    for (const char* part : {"allocated", "freed"}) {
      if (finding["memory"].contains(part) && finding["memory"][part].contains("line")) {
        lines.insert(finding["memory"][part]["line"].get<int>());
      }
    }
  }
  return lines;
}

bool is_among(const expected_side& side, const std::set<int>& lines) {
  const auto found = lines.lower_bound(side.line);
  return found != lines.end() && *found <= side.last_line;
}

bool names_all(const json& finding, const expected_finding& wanted) {
  const std::set<int> lines = lines_of(finding);
  return finding["kind"] == wanted.kind &&
         std::all_of(wanted.sides.begin(), wanted.sides.end(),
                     [&](const expected_side& side) { return is_among(side, lines); });
}

bool says_all(const json& finding, const expected_finding& wanted) {
  return std::all_of(wanted.words.begin(), wanted.words.end(), [&](const std::string& words) {
    return std::any_of(sentences.begin(), sentences.end(), [&](const char* which) {
      return finding.value(which, "").find(words) != std::string::npos;
    });
  });
}

bool shows_in_time(const json& finding, const expected_finding& wanted) {
  const auto begins_with = [](const json& name, const std::string& what) {
    return name.get<std::string>().starts_with(what);
  };
  const json& seen = finding["schedules"];
  if (wanted.schedules.empty()) {
    return std::any_of(seen.begin(), seen.end(),
                       [&](const json& one) { return begins_with(one, "converged"); });
  }
  return !seen.empty();
}

// Whether an expected defect also explains this finding: the other half of a statement, lanes that
// now wait forever, or a value that the defect left unwritten.
bool follows_from(const json& finding, const std::vector<expected_finding>& wanted) {
  const std::set<int> lines = lines_of(finding);
  if (lines.empty()) return true;
  for (const expected_finding& one : wanted) {
    const std::string kind = finding["kind"];
    if (kind == "uninitialized" || kind == "livelock" || kind == "deadlock" || kind == "leak") {
      return true;
    }
    if (std::any_of(one.sides.begin(), one.sides.end(),
                    [&](const expected_side& side) { return is_among(side, lines); })) {
      return true;
    }
  }
  return false;
}

int judge(const json& report, const std::vector<expected_finding>& wanted) {
  int wrong = 0;
  const json& findings = report["findings"];
  for (const expected_finding& one : wanted) {
    const bool is_found = std::any_of(findings.begin(), findings.end(), [&](const json& finding) {
      return names_all(finding, one) && shows_in_time(finding, one) && says_all(finding, one);
    });
    if (is_found) continue;
    ++wrong;
    std::cout << "not found: " << one.kind << " at";
    for (const expected_side& side : one.sides) std::cout << ' ' << side.role << ':' << side.line;
    for (const std::string& words : one.words) std::cout << "\n  that says: " << words;
    std::cout << '\n';
    for (const json& finding : findings) {
      if (one.words.empty() || !names_all(finding, one)) continue;
      for (const char* which : sentences)
        std::cout << "  " << which << ": " << finding[which] << '\n';
    }
  }
  for (const json& finding : findings) {
    const bool is_wanted =
        std::any_of(wanted.begin(), wanted.end(),
                    [&](const expected_finding& one) { return names_all(finding, one); });
    if (is_wanted || (!wanted.empty() && follows_from(finding, wanted))) continue;
    ++wrong;
    std::cout << "not expected: " << finding.dump(1) << '\n';
  }
  return wrong;
}

// How many of the expected findings were reported, comparing only their kinds.
std::size_t kinds_met(const json& report, const std::vector<expected_finding>& wanted) {
  const json& findings = report["findings"];
  return std::count_if(wanted.begin(), wanted.end(), [&](const expected_finding& one) {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const json& finding) { return finding["kind"] == one.kind; });
  });
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 3) {
    std::cerr << "usage: corpus_case HEDDLE PROGRAM.cu [SCHEDULES]\n";
    return 2;
  }
  const std::string program = arguments[2];
  const std::string expected_file = program.substr(0, program.rfind('.')) + ".expected";
  const bool has_defect = std::filesystem::exists(expected_file);
  const auto wanted = has_defect ? heddle_corpus::read_expected(expected_file, program)
                                 : std::vector<expected_finding>();
  // The default schedules do not include `weak`.
  const bool needs_weak = std::any_of(wanted.begin(), wanted.end(), [](const auto& one) {
    return one.schedules == std::vector<std::string>{"weak"};
  });
  const std::string options = needs_weak  ? "--schedule weak --schedules 20"
                              : count > 3 ? "--schedules " + std::string(arguments[3])
                                          : "";
  const json report = check(arguments[1], program, options);
  const int wrong = judge(report, wanted);
  std::cout << report["schedules"].size() << " schedules, " << report["findings"].size()
            << " findings, " << wrong << " of them wrong or missing, " << kinds_met(report, wanted)
            << " of " << wanted.size() << " kinds met\n";
  return wrong == 0 ? 0 : 1;
} catch (const std::exception& failure) {
  std::cerr << "corpus_case: " << failure.what() << '\n';
  return 2;
}
