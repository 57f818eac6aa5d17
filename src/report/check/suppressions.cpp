// Reads suppressions and baselines.
#include "report/check/suppressions.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <cctype>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "report/check/kinds.hpp"
#include "report/check/place_words.hpp"

namespace heddle_report {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool fits(const std::string& pattern, const std::string& text) {
  return !text.empty() && fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool fits_file(const std::string& pattern, const source_place& at) {
  if (at.file.empty()) return false;
  const std::string path = short_path(at.file);
  const std::string name = std::filesystem::path(path).filename().string();
  for (const std::string& one : {path, name, at.file}) {
    if (fits(pattern, one) || fits(pattern, fmt::format("{}:{}", one, at.line))) return true;
  }
  return false;
}

constexpr const char* baseline_mark = "# heddle baseline";

}  // namespace

void suppressions::read(std::istream& lines, const std::string& name) {
  int number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    const std::string place = fmt::format("{}:{}", name, number);
    const std::string words = trimmed(text.substr(0, text.find('#')));
    if (words.empty()) continue;
    const std::size_t blank = words.find_first_of(" \t");
    const std::string kind = words.substr(0, blank);
    if (blank == words.npos) {
      throw std::runtime_error(fmt::format(
          "{}: expected a kind and a pattern for a kernel or file, not '{}'", place, words));
    }
    if (kind != "*" && find_kind(kind) == nullptr) {
      throw std::runtime_error(
          fmt::format("{}: unknown kind '{}': use one of {}", place, kind, names_of_kinds()));
    }
    all_.push_back({kind, trimmed(words.substr(blank)), place});
  }
}

std::string suppressions::match(const found& what) const {
  for (const line& one : all_) {
    if (one.kind != "*" && one.kind != name_of(what.kind)) continue;
    // A result that differs between schedules has no kernel and no line.
    bool is_meant = one.pattern == "*" || fits(one.pattern, what.kernel) ||
                    fits(one.pattern, without_arguments(what.kernel));
    for (const found_place& place : what.places) {
      is_meant = is_meant || fits(one.pattern, place.kernel) ||
                 fits(one.pattern, without_arguments(place.kernel)) ||
                 fits_file(one.pattern, place.at);
      for (const found_frame& frame : place.frames) {
        is_meant = is_meant || fits_file(one.pattern, frame.at);
      }
    }
    if (is_meant) return one.place;
  }
  return {};
}

std::set<std::string> read_baseline(std::istream& lines, const std::string& name) {
  std::set<std::string> known;
  std::string text;
  if (!std::getline(lines, text) || !text.starts_with(baseline_mark)) {
    throw std::runtime_error(name + " is not a baseline: create one with --write-baseline");
  }
  while (std::getline(lines, text)) {
    std::istringstream words(text);
    std::string fingerprint;
    if (words >> fingerprint && fingerprint[0] != '#') known.insert(fingerprint);
  }
  return known;
}

std::string baseline_of(const std::vector<merged_finding>& findings) {
  std::set<std::string> lines;
  for (const merged_finding& one : findings) {
    const std::string where =
        one.first.places.empty() ? std::string() : words_of(one.first.places.front().at);
    lines.insert(fmt::format("{} {} {}", one.fingerprint, name_of(one.first.kind),
                             where.empty() ? one.first.kernel : where));
  }
  return fmt::format("{}: fingerprint, kind, place when it was written\n{}{}", baseline_mark,
                     fmt::join(lines, "\n"), lines.empty() ? "" : "\n");
}

}  // namespace heddle_report
