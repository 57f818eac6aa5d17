// Reads, writes and describes the result of exploring all interleavings.
#include "report/check/exploration.hpp"

#include <fmt/core.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "report/outputs.hpp"

namespace heddle_report {

using nlohmann::json;

namespace {

std::string percent(double fraction) {
  const double value = fraction * 100;
  return value >= 1 ? fmt::format("{:.0f} %", std::min(value, 99.0))
                    : fmt::format("{:.2g} %", value);
}

std::string counted(std::uint64_t count) {
  return fmt::format("{} interleaving{}", count, count == 1 ? "" : "s");
}

}  // namespace

exploration exploration_from(const json& from) {
  exploration read;
  read.explored = from.value("explored", std::uint64_t{0});
  read.pruned = from.value("pruned", std::uint64_t{0});
  read.beyond = from.value("beyond", std::uint64_t{0});
  read.fraction = from.value("fraction", 0.0);
  read.seconds = from.value("seconds", 0.0);
  read.is_complete = from.value("complete", false);
  read.has_guessed = from.value("guessed", false);
  read.stopped = from.value("stopped", "");
  read.failure = from.value("failure", "");
  read.results = from.value("results", std::uint64_t{0});
  for (const json& one : from.value("kept_results", json::array())) {
    read.kept_results.push_back({one.value("output", ""), one.value("status", 0),
                                 one.value("interleaving", ""),
                                 one.value("interleavings", std::uint64_t{0})});
  }
  for (const json& one : from.value("findings", json::array())) {
    read.findings.push_back(
        {one.value("times", std::uint64_t{0}), one.value("interleavings", std::uint64_t{0})});
  }
  return read;
}

json to_json(const exploration& what) {
  json all{{"explored", what.explored},        {"pruned", what.pruned},
           {"beyond_bound", what.beyond},      {"fraction", what.fraction},
           {"seconds", what.seconds},          {"complete", what.is_complete},
           {"different_results", what.results}};
  if (!what.stopped.empty()) all["stopped"] = what.stopped;
  return all;
}

std::string words_of(const exploration& what) {
  std::string text = fmt::format("explored {}, pruned {}", counted(what.explored), what.pruned);
  if (!what.failure.empty()) return text + "; cannot explore further";
  if (what.is_complete && what.beyond == 0) return text + "; complete";
  if (what.is_complete) {
    return text + fmt::format("; all within the preemption bound, which excluded {} choice{}",
                              what.beyond, what.beyond == 1 ? "" : "s");
  }
  return text + fmt::format("; stopped at about {}: {}", percent(what.fraction), what.stopped);
}

std::string progress_of(const exploration& what) {
  std::string text = fmt::format("{}, {} pruned", counted(what.explored), what.pruned);
  const auto done = static_cast<double>(what.explored + what.pruned);
  if (what.fraction > 0) {
    text += fmt::format(", about {} of {:.2g}", percent(what.fraction),
                        static_cast<double>(what.explored) / what.fraction);
  }
  if (what.seconds > 0) text += fmt::format(", {:.0f} per second", done / what.seconds);
  if (what.fraction > 0) {
    text += fmt::format(", {:.0f} s left", what.seconds / what.fraction - what.seconds);
  }
  return text;
}

std::vector<std::string> notes_of(const exploration& what) {
  std::vector<std::string> notes;
  const auto& kept = what.kept_results;
  const auto name_of = [](const exploration::result& one) {
    return "exhaustive:" + one.interleaving;
  };
  if (what.results > 1 && kept.size() > 1) {
    const auto other = std::find_if(kept.begin() + 1, kept.end(), [&](const auto& one) {
      return one.output != kept.front().output;
    });
    std::string note;
    if (other != kept.end()) {
      note = difference_of_outputs({name_of(kept.front()), kept.front().output},
                                   {name_of(*other), other->output})
                 .text;
    }
    if (note.empty()) note = "the program does not always give the same result";
    note += fmt::format("\n       {} different results in all:", what.results);
    for (const auto& one : kept) {
      note += fmt::format("\n       {} like {}{}", counted(one.interleavings), name_of(one),
                          one.status == 0 ? "" : fmt::format(", status {}", one.status));
    }
    notes.push_back(std::move(note));
  }
  if (what.has_guessed) {
    notes.push_back(
        "some lanes read the same values 8 times and were treated as waiting, though they may be "
        "counting attempts: what they do after giving up is explored in one order only");
  }
  return notes;
}

}  // namespace heddle_report
