// Reads and writes HEDDLE_CHECK.
#include "checker/settings.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

namespace heddle_checker {
namespace {

using nlohmann::json;

template <typename T>
constexpr bool fits(const json& value) {
  if constexpr (std::is_same_v<T, bool>) return value.is_boolean();
  if constexpr (std::is_same_v<T, std::string>) return value.is_string();
  if constexpr (std::is_same_v<T, double>) return value.is_number();
  return value.is_number_unsigned();
}

template <typename T>
T value_of(const std::string& name, const json& value) {
  if (!fits<T>(value)) {
    throw std::invalid_argument("HEDDLE_CHECK: " + name + " cannot be " + value.dump());
  }
  return value.get<T>();
}

}  // namespace

settings read_settings(const char* text) {
  settings read;
  if (text == nullptr || *text == '\0') return read;
  const json all = json::parse(text, nullptr, false);
  if (!all.is_object()) {
    throw std::invalid_argument(
        R"(HEDDLE_CHECK must be a JSON object such as {"schedule": "random", "seed": 3}, not )" +
        std::string(text));
  }
  for (const auto& [name, value] : all.items()) {
    if (name == "schedule") {
      read.schedule = value_of<std::string>(name, value);
    } else if (name == "seed") {
      read.seed = value_of<std::uint64_t>(name, value);
    } else if (name == "parts_active_lanes") {
      read.parts_active_lanes = value_of<bool>(name, value);
    } else if (name == "threads_by_number") {
      read.threads_by_number = value_of<bool>(name, value);
    } else if (name == "blocks") {
      read.blocks = value_of<std::uint64_t>(name, value);
    } else if (name == "samples_launches") {
      read.samples_launches = value_of<bool>(name, value);
    } else if (name == "budget") {
      read.budget = value_of<std::uint64_t>(name, value);
    } else if (name == "keeps_all_readers") {
      read.keeps_all_readers = value_of<bool>(name, value);
    } else if (name == "slows_clocks") {
      read.slows_clocks = value_of<bool>(name, value);
    } else if (name == "preemptions") {
      read.preemptions = static_cast<unsigned>(value_of<std::uint64_t>(name, value));
    } else if (name == "seconds") {
      read.seconds = value_of<double>(name, value);
    } else if (name == "turns") {
      read.turns = value_of<std::string>(name, value);
    } else if (name == "findings_file") {
      read.findings_file = value_of<std::string>(name, value);
    } else if (name == "ran_code_folder") {
      read.ran_code_folder = value_of<std::string>(name, value);
    } else {
      throw std::invalid_argument("HEDDLE_CHECK: unknown setting '" + name + "'");
    }
  }
  return read;
}

std::string text_of(const settings& what) {
  json all{{"schedule", what.schedule}, {"seed", what.seed}};
  if (!what.parts_active_lanes) all["parts_active_lanes"] = false;
  if (what.threads_by_number) all["threads_by_number"] = true;
  if (what.blocks != 0) all["blocks"] = what.blocks;
  if (what.samples_launches) all["samples_launches"] = true;
  if (what.budget != 0) all["budget"] = what.budget;
  if (what.keeps_all_readers) all["keeps_all_readers"] = true;
  if (what.slows_clocks) all["slows_clocks"] = true;
  if (what.preemptions) all["preemptions"] = *what.preemptions;
  if (what.seconds > 0) all["seconds"] = what.seconds;
  if (!what.turns.empty()) all["turns"] = what.turns;
  if (!what.findings_file.empty()) all["findings_file"] = what.findings_file;
  if (!what.ran_code_folder.empty()) all["ran_code_folder"] = what.ran_code_folder;
  return all.dump();
}

}  // namespace heddle_checker
