// Decides which findings are the same defect.
#include "report/check/merge.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "report/check/causes.hpp"
#include "report/check/kinds.hpp"

namespace heddle_report {
namespace {

// When a kernel hangs, its lanes can be anywhere: only the kernel identifies the defect.
bool is_hanging(finding_kind kind) {
  return kind == finding_kind::deadlock || kind == finding_kind::livelock;
}

// A defect in a kernel is the same wherever the kernel is launched.
bool is_launch(const found_place& place) { return place.role == "launches"; }

std::string identity_of(const found& what) {
  std::string identity = name_of(what.kind);
  if (is_hanging(what.kind)) return identity + '\n' + without_arguments(what.kernel);
  std::set<std::string> lines;
  for (const found_place& place : what.places) {
    if (!is_launch(place)) lines.insert(fmt::format("{}:{}", place.at.file, place.at.line));
  }
  // Findings without a line are distinguished by cause.
  const bool has_line = std::any_of(what.places.begin(), what.places.end(),
                                    [](const found_place& place) { return place.at.line != 0; });
  identity += '\n';
  for (const std::string& line : lines) identity += line + '\n';
  if (lines.empty()) identity += '\n';
  return identity + (has_line ? "" : cause_of(what.cause).name);
}

class hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    state_ = (state_ ^ 0xff) * 0x100000001b3u;
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;  // FNV-1a
};

auto rank_of(finding_kind kind) { return &find_kind(kind) - all_kinds().data(); }

}  // namespace

std::string without_arguments(const std::string& kernel) {
  return kernel.substr(0, kernel.find('<'));
}

std::string fingerprint_of(const found& what) {
  hash all;
  all.add(name_of(what.kind));
  all.add(without_arguments(what.kernel));
  if (is_hanging(what.kind)) return all.text();
  all.add(cause_of(what.cause).name);
  std::set<std::string> lines;
  for (const found_place& place : what.places) {
    if (is_launch(place)) continue;
    lines.insert(std::filesystem::path(place.at.file).filename().string() + '\n' + place.at.source);
  }
  for (const std::string& line : lines) all.add(line);
  return all.text();
}

void merge::add(const found& what, const std::string& schedule, std::uint64_t interleavings) {
  const std::string identity = identity_of(what);
  auto known = std::find_if(all_.begin(), all_.end(),
                            [&](const auto& one) { return one.first == identity; });
  if (known == all_.end()) {
    all_.push_back({identity, {what, 0, {}, {}, fingerprint_of(what), {}, 0}});
    all_.back().second.first.is_candidate = false;  // the caller has judged it
    known = std::prev(all_.end());
  }
  merged_finding& one = known->second;
  one.count += what.count;
  one.interleavings = std::max(one.interleavings, interleavings);
  const auto add_once = [](std::vector<std::string>& list, const std::string& word) {
    if (!word.empty() && std::find(list.begin(), list.end(), word) == list.end()) {
      list.push_back(word);
    }
  };
  add_once(one.schedules, schedule);
  add_once(one.kernels, what.kernel);
}

std::vector<merged_finding> merge::findings() const {
  std::vector<merged_finding> sorted;
  for (const auto& [identity, one] : all_) sorted.push_back(one);
  const auto place_of = [](const merged_finding& one) {
    return one.first.places.empty() ? source_place{} : one.first.places.front().at;
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const merged_finding& a, const merged_finding& b) {
                     const auto key = [&](const merged_finding& one) {
                       const source_place at = place_of(one);
                       return std::make_tuple(rank_of(one.first.kind), at.file, at.line);
                     };
                     return key(a) < key(b);
                   });
  return sorted;
}

}  // namespace heddle_report
