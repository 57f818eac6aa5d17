// Writes the report as SARIF 2.1.0 (OASIS), for GitHub code scanning and editors.
#include <fmt/core.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "report/check/causes.hpp"
#include "report/check/check_report.hpp"
#include "report/check/finding_words.hpp"
#include "report/check/kinds.hpp"
#include "report/check/place_words.hpp"

namespace heddle_report {
namespace {

using nlohmann::json;

std::string page_of(const std::string& folder, const defect_kind& kind) {
  std::ifstream file(std::filesystem::path(folder) / (std::string(kind.name) + ".md"));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// `DivergentBarrier` from `divergent-barrier`.
std::string rule_name(std::string_view kind) {
  std::string name;
  bool begins = true;
  for (const char c : kind) {
    if (c == '-') {
      begins = true;
      continue;
    }
    name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = false;
  }
  return name;
}

json rules(const std::string& help_folder) {
  json all = json::array();
  for (const defect_kind& kind : all_kinds()) {
    const std::string page = page_of(help_folder, kind);
    const std::string text =
        fmt::format("{}: {}. Why: {}. Usual fix: {}.", kind.name, kind.title, kind.why, kind.fix);
    json help{{"text", text}};
    help["markdown"] = page.empty() ? text : page;
    all.push_back(
        {{"id", kind.name},
         {"name", rule_name(kind.name)},
         {"shortDescription", {{"text", kind.title}}},
         {"fullDescription", {{"text", text}}},
         {"help", std::move(help)},
         {"defaultConfiguration", {{"level", kind.is_error ? "error" : "warning"}}},
         {"properties", {{"tags", {"cuda", "correctness"}}, {"precision", "very-high"}}}});
  }
  return all;
}

std::string percent_encoded(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        std::isalnum(byte) != 0 || std::string_view("/-_.~").find(c) != std::string_view::npos;
    text += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

json artifact(const std::string& file) {
  const std::string path = std::filesystem::path(short_path(file)).lexically_normal().string();
  if (path.starts_with('/')) return {{"uri", "file://" + percent_encoded(path)}};
  return {{"uri", percent_encoded(path)}, {"uriBaseId", "%SRCROOT%"}};
}

json physical(const source_place& at) {
  json region{{"startLine", at.line}};
  if (!at.source.empty()) region["snippet"] = {{"text", at.source}};
  return {{"artifactLocation", artifact(at.file)}, {"region", std::move(region)}};
}

json location(const found_place& place) {
  json one{{"physicalLocation", physical(place.at)}};
  if (!place.kernel.empty()) {
    one["logicalLocations"] = {{{"name", place.kernel}, {"kind", "function"}}};
  }
  return one;
}

json related(const source_place& at, const std::string& words, int id) {
  return {{"id", id}, {"physicalLocation", physical(at)}, {"message", {{"text", words}}}};
}

json result(const merged_finding& one, const check_report& in) {
  constexpr std::size_t most_related = 20;
  const finding_words words = words_of(one.first);
  const defect_kind& kind = find_kind(one.first.kind);
  json made{
      {"ruleId", kind.name},
      {"level", in.is_note(one) ? "note"
                : kind.is_error ? "error"
                                : "warning"},
      {"message",
       {{"text", fmt::format("{}. Why: {}. Usual fix: {}.", words.what, words.why, words.fix)}}},
      {"partialFingerprints", {{"heddleFinding/v1", one.fingerprint}}},
      {"properties",
       {{"replay", in.replay_line(one)}, {"schedules", one.schedules}, {"seen", one.count}}}};
  made["ruleIndex"] = &kind - all_kinds().data();
  if (one.first.cause != finding_cause::none) {
    made["properties"]["cause"] = cause_of(one.first.cause).name;
  }
  made["occurrenceCount"] = one.count;
  made["locations"] = json::array();
  made["relatedLocations"] = json::array();
  for (const found_place& place : one.first.places) {
    if (place.at.line < 1) continue;
    if (made["locations"].empty()) made["locations"].push_back(location(place));
    if (made["relatedLocations"].size() == most_related) break;
    made["relatedLocations"].push_back(related(
        place.at, fmt::format("{} {}", words_of_lane(place, !place.kernel.empty()), place.role),
        static_cast<int>(made["relatedLocations"].size()) + 1));
    for (const found_frame& frame : place.frames) {
      if (frame.at.line < 1) continue;
      made["relatedLocations"].push_back(
          related(frame.at, fmt::format("in {}", frame.function),
                  static_cast<int>(made["relatedLocations"].size()) + 1));
    }
  }
  if (one.first.memory) {
    for (const auto& [at, word] : {std::pair{one.first.memory->allocated, "allocated here"},
                                   std::pair{one.first.memory->freed, "freed here"}}) {
      if (at.line < 1) continue;
      made["relatedLocations"].push_back(
          related(at, word, static_cast<int>(made["relatedLocations"].size()) + 1));
    }
  }
  if (!one.silenced_by.empty()) {
    made["suppressions"] = {{{"kind", "external"}, {"justification", one.silenced_by}}};
  }
  return made;
}

}  // namespace

json sarif_of(const check_report& what, const std::string& version,
              const std::string& help_folder) {
  json run;
  run["tool"]["driver"] = {
      {"name", "heddle check"}, {"version", version}, {"rules", rules(help_folder)}};
  run["columnKind"] = "utf16CodeUnits";
  run["originalUriBaseIds"]["%SRCROOT%"] = {
      {"uri", "file://" + percent_encoded(std::filesystem::current_path().string()) + "/"}};
  run["properties"]["coverage"] = coverage_json(what);
  run["invocations"] = {{{"executionSuccessful", !what.was_interrupted && what.failure.empty()}}};
  if (!what.failure.empty()) {
    run["invocations"][0]["toolExecutionNotifications"].push_back(
        {{"level", "error"}, {"message", {{"text", what.failure}}}});
  }
  for (const std::string& note : what.notes) {
    run["invocations"][0]["toolExecutionNotifications"].push_back(
        {{"level", "note"}, {"message", {{"text", note}}}});
  }
  run["results"] = json::array();
  for (const merged_finding& one : what.findings) run["results"].push_back(result(one, what));
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", {std::move(run)}}};
}

}  // namespace heddle_report
