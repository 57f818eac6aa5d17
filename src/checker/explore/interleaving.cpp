// Text that a person can copy for an interleaving: which lane runs after each switch.
#include "checker/explore/interleaving.hpp"

#include <charconv>
#include <stdexcept>

namespace heddle_checker {

std::string text_of(const interleaving& what) {
  std::string text;
  for (const turn& one : what) {
    if (!text.empty()) text += '-';
    text += std::to_string(one.step) + '.' + std::to_string(one.lane);
  }
  return text.empty() ? "0.0" : text;
}

interleaving read_interleaving(const std::string& text) {
  interleaving read;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](std::uint64_t& into, char behind) {
    const auto [stopped, error] = std::from_chars(at, end, into);
    const bool is_last = stopped == end;
    const bool ends_early = !is_last && stopped + 1 == end;
    if (ends_early || error != std::errc{} || (is_last ? behind == '.' : *stopped != behind)) {
      throw std::invalid_argument("expected an interleaving such as 0.0-7.32, not '" + text + "'");
    }
    at = is_last ? end : stopped + 1;
  };
  do {
    turn one;
    number(one.step, '.');
    number(one.lane, '-');
    if (!read.empty() && one.step <= read.back().step) {
      throw std::invalid_argument("the steps of an interleaving must ascend; those of '" + text +
                                  "' do not");
    }
    read.push_back(one);
  } while (at != end);
  return read;
}

}  // namespace heddle_checker
