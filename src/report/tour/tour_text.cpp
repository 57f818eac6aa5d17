// Writes the results of a tour as text for a terminal.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/tour/tour_report.hpp"

namespace heddle_report {
namespace {

// The distinct names, in order of first appearance.
std::vector<std::string> names_in_order(const std::vector<tour_figure>& figures,
                                        std::string tour_figure::*which) {
  std::vector<std::string> names;
  for (const tour_figure& one : figures)
    if (std::find(names.begin(), names.end(), one.*which) == names.end())
      names.push_back(one.*which);
  return names;
}

// Columns that a text takes on a terminal: UTF-8 continuation bytes take none.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > width_of(text) ? width - width_of(text) : 0, ' ');
}
std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width > width_of(text) ? width - width_of(text) : 0, ' ') + text;
}

std::string head_of(const tour_figure& one) {
  return one.unit.empty() ? one.metric : one.metric + ", " + one.unit;
}

// Breaks a column's heading into lines, so the column is hardly wider than its numbers.
std::vector<std::string> lines_of(const std::string& head) {
  constexpr std::size_t most = 10;
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < head.size();) {
    const std::size_t end = std::min(head.find(' ', begin), head.size());
    const std::string word = head.substr(begin, end - begin);
    if (!lines.empty() && lines.back().size() + 1 + word.size() <= most)
      lines.back() += ' ' + word;
    else
      lines.push_back(word);
    begin = end + 1;
  }
  return lines;
}

// A row for each variant, a column for each metric.
std::string table_of(const std::vector<tour_figure>& figures) {
  const auto variants = names_in_order(figures, &tour_figure::variant);
  const auto metrics = names_in_order(figures, &tour_figure::metric);
  std::vector<std::vector<std::string>> heads;
  std::size_t height = 0;
  for (const std::string& metric : metrics) {
    const auto one = std::find_if(figures.begin(), figures.end(), [&](const tour_figure& figure) {
      return figure.metric == metric;
    });
    heads.push_back(lines_of(head_of(*one)));
    height = std::max(height, heads.back().size());
  }
  std::vector<std::vector<std::string>> rows(height, {""});
  for (const auto& words : heads)
    for (std::size_t line = 0; line < height; ++line) {
      const std::size_t empty = height - words.size();
      rows[line].push_back(line < empty ? "" : words[line - empty]);
    }
  for (const std::string& variant : variants) {
    rows.push_back({variant});
    for (const std::string& metric : metrics) {
      const auto one = std::find_if(figures.begin(), figures.end(), [&](const tour_figure& figure) {
        return figure.variant == variant && figure.metric == metric;
      });
      rows.back().push_back(one == figures.end() ? "-" : number_text(one->value));
    }
  }
  std::vector<std::size_t> widths(metrics.size() + 1, 0);
  for (const auto& row : rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], width_of(row[column]));
  std::string text;
  for (const auto& row : rows) {
    text += "    " + padded(row[0], widths[0]);
    for (std::size_t column = 1; column < row.size(); ++column)
      text += "  " + right_aligned(row[column], widths[column]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

// The first finding of a checker's report, which is enough for a terminal.
std::string first_paragraph(const std::string& listing) {
  std::string text;
  const std::string part = listing.substr(0, listing.find("\n\n"));
  for (std::size_t begin = 0; begin < part.size();) {
    const std::size_t end = std::min(part.find('\n', begin), part.size());
    text += "    " + part.substr(begin, end - begin) + '\n';
    begin = end + 1;
  }
  return text;
}

}  // namespace

std::string word_of(tour_state state) {
  switch (state) {
    case tour_state::right:
      return "right";
    case tour_state::wrong:
      return "wrong";
    case tour_state::failed:
      return "failed";
    case tour_state::left_out:
      return "skipped";
  }
  return "";
}

std::string number_text(double value) {
  const double magnitude = std::fabs(value);
  const bool is_whole = value == std::round(value);
  if (!is_whole && magnitude < 1000)
    return fmt::format("{:.{}f}", value, magnitude < 1 ? 3 : magnitude < 10 ? 2 : 1);
  std::string digits = fmt::format("{:.0f}", magnitude);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return (value < 0 ? "-" : "") + digits;
}

bool tour_report::is_all_right() const {
  return std::all_of(stops.begin(), stops.end(), [](const tour_stop& stop) {
    return stop.state == tour_state::right || stop.state == tour_state::left_out;
  });
}

std::string text_of(const tour_stop& stop) {
  std::string text = fmt::format("{}\n  {}\n", stop.title, stop.verdict);
  for (const std::string& note : stop.notes) text += fmt::format("  {}\n", note);
  if (!stop.listing.empty()) text += first_paragraph(stop.listing);
  const auto experiments = names_in_order(stop.figures, &tour_figure::experiment);
  if (!stop.figures.empty()) text += fmt::format("  {}\n", stop.source);
  for (const std::string& experiment : experiments) {
    std::vector<tour_figure> its;
    for (const tour_figure& one : stop.figures)
      if (one.experiment == experiment) its.push_back(one);
    if (experiments.size() > 1) text += fmt::format("   {}\n", experiment);
    text += table_of(its);
  }
  return text + '\n';
}

std::string summary_of(const tour_report& report) {
  std::size_t width = 0;
  for (const tour_stop& stop : report.stops) width = std::max(width, width_of(stop.title));
  std::string text;
  for (const tour_stop& stop : report.stops) {
    text += fmt::format("  {}  {:<8}  {:>5.1f} s\n", padded(stop.title, width), word_of(stop.state),
                        stop.seconds);
  }
  return text + fmt::format("{}\n", report.device);
}

}  // namespace heddle_report
