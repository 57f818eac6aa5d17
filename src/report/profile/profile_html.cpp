// Writes the page that shows the source with the counters in the margin.
#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "markup/escaped.hpp"
#include "report/check/place_words.hpp"
#include "report/profile/profile_text.hpp"

namespace heddle_report {
namespace {

using heddle::markup::escaped;

constexpr const char* style = R"(
:root { color-scheme: light dark; --paper: #fdfdfc; --ink: #1c1c1a; --soft: #6b6b66; --rule: #dcdcd6;
  --panel: #f3f3ef; --heat: 214, 92, 46; --hint: #8a4a00; --hint-paper: #fff4e2; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #161718; --ink: #e6e6e2; --soft: #9a9a94; --rule: #34363a; --panel: #1f2123;
    --heat: 240, 120, 70; --hint: #ffc078; --hint-paper: #2b2216; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 90rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .1rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; } code, .source { font-family: ui-monospace, monospace; }
p { margin: .2rem 0; } .soft { color: var(--soft); }
nav a { margin-right: 1rem; } a { color: inherit; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: .5rem;
  margin: .8rem 0; }
dl div { background: var(--panel); border-radius: 6px; padding: .45rem .7rem; }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; font-weight: 600; }
dd small { display: block; font-weight: 400; color: var(--soft); }
.scroll { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th { text-align: right; font-weight: 500; color: var(--soft); padding: .3rem .6rem;
  border-bottom: 1px solid var(--rule); white-space: nowrap; }
th:last-child { text-align: left; } td { padding: 0 .6rem; text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
td.number { color: var(--soft); border-right: 1px solid var(--rule); }
td.source { text-align: left; white-space: pre; width: 100%; }
tr.hint td { text-align: left; white-space: normal; background: var(--hint-paper); color: var(--hint);
  padding: .25rem .6rem; }
tr.hint div { position: sticky; left: .6rem; width: min(84rem, calc(100vw - 6rem)); } tr.gap td { text-align: left; color: var(--soft); background: var(--panel); }
details { margin: .8rem 0; } summary { cursor: pointer; } details table { width: auto; }
details td:first-child { text-align: left; font-family: ui-monospace, monospace; }
)";

constexpr int lines_around = 6;
constexpr const char* heads =
    "<tr><th>requests</th><th>lanes</th><th>sectors / request</th><th>used</th>"
    "<th>wavefronts / "
    "request</th><th>divergent</th><th>synchronisation</th><th>line</th><th>source</th></tr>";

// Everything known about a line.
struct line_counters {
  std::vector<const profiled_access*> accesses;
  std::uint64_t branches = 0, parted = 0, meetings = 0;
  std::vector<std::string> hints;
  std::string text;

  [[nodiscard]] std::uint64_t work() const {
    std::uint64_t all = 0;
    for (const profiled_access* one : accesses) all += one->work();
    return all;
  }
};
using lines_of_file = std::map<int, line_counters>;

std::map<std::string, lines_of_file> by_file(const profiled_kernel& kernel) {
  std::map<std::string, lines_of_file> files;
  const auto line_at = [&](const source_place& at) -> line_counters& {
    line_counters& line = files[at.file][at.line];
    line.text = at.source;
    return line;
  };
  for (const profiled_access& one : kernel.accesses) line_at(one.at).accesses.push_back(&one);
  for (const profiled_block& one : kernel.source_blocks) {
    if (one.branches == 0) continue;
    line_at(one.at).branches += one.branches;
    line_at(one.at).parted += one.parted;
  }
  for (const profiled_meeting& one : kernel.meetings) line_at(one.at).meetings += one.times;
  for (const advice& one : advice_for(kernel)) line_at(one.at).hints.push_back(one.text);
  files.erase("");
  return files;
}

// The cells of one column, with a row for each access of the line, as in the terminal.
std::string cell(const line_counters& line, std::string access_columns::*column) {
  std::string text;
  for (const profiled_access* one : line.accesses) {
    const std::string value = columns_of(*one).*column;
    text += (text.empty() ? "" : "<br>") + (value == "-" ? "&nbsp;" : value);
  }
  return "<td>" + text + "</td>";
}

std::string cell_of_requests(const line_counters& line) {
  std::string text;
  for (const profiled_access* one : line.accesses) {
    text += fmt::format("{}<span class=\"soft\">{} {}</span> {}", text.empty() ? "" : "<br>",
                        one->space, one->operation, columns_of(*one).requests);
  }
  return "<td>" + text + "</td>";
}

std::string row(int number, const std::string& text, const line_counters* line,
                std::uint64_t hottest) {
  std::string html;
  if (line == nullptr) {
    html = "<tr><td></td><td></td><td></td><td></td><td></td><td></td><td></td>";
  } else {
    const double heat =
        hottest == 0 ? 0 : static_cast<double>(line->work()) / static_cast<double>(hottest);
    html = fmt::format("<tr style=\"background:rgba(var(--heat),{:.2f})\">", heat * 0.35);
    html += cell_of_requests(*line);
    for (const auto column : {&access_columns::lanes, &access_columns::sectors,
                              &access_columns::used, &access_columns::wavefronts}) {
      html += cell(*line, column);
    }
    html += line->branches == 0 ? "<td></td>"
                                : fmt::format("<td>{} of {}</td>", line->parted, line->branches);
    html += line->meetings == 0 ? "<td></td>" : fmt::format("<td>{}</td>", line->meetings);
  }
  html += fmt::format("<td class=\"number\">{}</td><td class=\"source\">{}</td></tr>\n", number,
                      escaped(text));
  if (line != nullptr) {
    for (const std::string& hint : line->hints) {
      html += fmt::format("<tr class=\"hint\"><td colspan=\"9\"><div>{}</div></td></tr>\n",
                          escaped(hint));
    }
  }
  return html;
}

std::vector<std::string> text_of_file(const std::string& name) {
  std::ifstream file(name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string listing(const std::string& name, const lines_of_file& lines, std::uint64_t hottest) {
  std::vector<std::string> text = text_of_file(name);
  std::set<int> shown;
  for (const auto& [number, line] : lines) {
    const int last = text.empty() ? number : static_cast<int>(text.size());
    const int reach = text.empty() ? 0 : lines_around;
    for (int i = std::max(1, number - reach); i <= std::min(last, number + reach); ++i) {
      shown.insert(i);
    }
  }
  std::string html = fmt::format("<h3>{}</h3>\n<div class=\"scroll\"><table>{}\n",
                                 escaped(short_path(name)), heads);
  int before = 0;
  for (const int number : shown) {
    if (before != 0 && number != before + 1) {
      html += "<tr class=\"gap\"><td colspan=\"9\">&#8942;</td></tr>\n";
    }
    before = number;
    const auto found = lines.find(number);
    const line_counters* const line = found == lines.end() ? nullptr : &found->second;
    const auto index = static_cast<std::size_t>(number - 1);
    html +=
        row(number, index < text.size() ? text[index] : (line ? line->text : ""), line, hottest);
  }
  return html + "</table></div>\n";
}

std::string section(const profiled_kernel& kernel, std::size_t number) {
  std::string html = fmt::format(
      "<section id=\"kernel{}\"><h2>kernel <code>{}</code></h2>\n<p class=\"soft\">{}</p>\n<dl>",
      number, escaped(kernel.name), escaped(title_of(kernel)));
  for (const summary_row& one : summary_of(kernel)) {
    html += fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", escaped(one.name),
                        escaped(one.value), escaped(one.note));
  }
  html += "</dl>\n";
  const auto files = by_file(kernel);
  std::uint64_t hottest = 0;
  for (const auto& [name, lines] : files) {
    for (const auto& [line, counters] : lines) hottest = std::max(hottest, counters.work());
  }
  for (const auto& [name, lines] : files) html += listing(name, lines, hottest);
  html += "<details><summary>Counters by Nsight Compute's names</summary><table>\n";
  for (const auto& [name, value] : metrics_of(kernel)) {
    html += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(name), value);
  }
  return html + "</table></details></section>\n";
}

}  // namespace

std::string html_of(const profile_report& what, const std::string& version) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<link rel=\"icon\" href=\"data:,\"><title>profile of {0}</title>\n<style>{1}</style></head>"
      "<body>\n<h1>Profile of {0}</h1>\n<p class=\"soft\">heddle {2}: counters from a run on a "
      "CPU, per warp; not times. The redder a line, the more sectors and wavefronts it "
      "costs.</p>\n<nav>",
      escaped(what.program), style, escaped(version));
  for (std::size_t i = 0; i < what.kernels.size(); ++i) {
    html +=
        fmt::format("<a href=\"#kernel{}\"><code>{}</code></a> ", i, escaped(what.kernels[i].name));
  }
  html += "</nav>\n";
  for (const std::string& note : what.notes) html += fmt::format("<p>{}</p>\n", escaped(note));
  for (std::size_t i = 0; i < what.kernels.size(); ++i) html += section(what.kernels[i], i);
  return html + "</body></html>\n";
}

}  // namespace heddle_report
