// Reads and writes the words of HEDDLE_CHECK.
#include "settings.hpp"

#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace heddle_checker {
namespace {

std::uint64_t number_in(const std::string& name, const std::string& value) {
  std::uint64_t number = 0;
  const int base = value.starts_with("0x") ? 16 : 10;
  const char* const begin = value.data() + (base == 16 ? 2 : 0);
  const char* const end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(begin, end, number, base);
  if (error != std::errc{} || stopped != end) {
    throw std::invalid_argument("HEDDLE_CHECK: " + name + " needs a number, not '" + value + "'");
  }
  return number;
}

}  // namespace

settings read_settings(const char* text) {
  settings read;
  std::istringstream words(text == nullptr ? "" : text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == word.npos ? "" : word.substr(equals + 1);
    if (name == "schedule") {
      read.schedule = value;
    } else if (name == "seed") {
      read.seed = number_in(name, value);
    } else if (name == "poison") {
      read.poison = number_in(name, value);
    } else if (name == "parting") {
      read.parts_active_lanes = number_in(name, value) != 0;
    } else if (name == "blocks") {
      read.blocks = number_in(name, value);
    } else if (name == "sample") {
      read.samples_launches = number_in(name, value) != 0;
    } else if (name == "budget") {
      read.budget = number_in(name, value);
    } else if (name == "preemptions") {
      read.preemptions = static_cast<unsigned>(number_in(name, value));
    } else if (name == "milliseconds") {
      read.seconds = static_cast<double>(number_in(name, value)) / 1000;
    } else if (name == "turns") {
      read.turns = value;
    } else if (name == "findings") {
      read.findings_file = value;
    } else {
      throw std::invalid_argument("HEDDLE_CHECK: there is no setting '" + name + "'");
    }
  }
  return read;
}

std::string text_of(const settings& what) {
  std::ostringstream text;
  text << "schedule=" << what.schedule << " seed=" << what.seed << " poison=0x" << std::hex
       << what.poison;
  if (!what.parts_active_lanes) text << " parting=0";
  if (what.blocks != 0) text << " blocks=" << std::dec << what.blocks;
  if (what.samples_launches) text << " sample=1";
  if (what.budget != 0) text << " budget=" << std::dec << what.budget;
  if (what.preemptions) text << " preemptions=" << std::dec << *what.preemptions;
  if (what.seconds > 0) text << " milliseconds=" << std::dec << std::llround(what.seconds * 1000);
  if (!what.turns.empty()) text << " turns=" << what.turns;
  if (!what.findings_file.empty()) text << " findings=" << what.findings_file;
  return text.str();
}

}  // namespace heddle_checker
