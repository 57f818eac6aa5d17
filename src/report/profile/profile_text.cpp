// Writes a profile as tables for a terminal.
#include "report/profile/profile_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "report/check/place_words.hpp"

namespace heddle_report {
namespace {

double each(std::uint64_t all, std::uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(all) / static_cast<double>(count);
}
double percent(std::uint64_t part, std::uint64_t whole) { return 100 * each(part, whole); }

std::string shape(const std::array<unsigned, 3>& of) {
  std::string text = std::to_string(of[0]);
  if (of[1] > 1 || of[2] > 1) text += fmt::format("x{}", of[1]);
  if (of[2] > 1) text += fmt::format("x{}", of[2]);
  return text;
}

std::string where(const source_place& at) { return at.file.empty() ? "?" : words_of(at); }

std::string plural(std::uint64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// Wraps text at `width` columns and indents all lines but the first.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (column != 0 && column + 1 + word.size() > width) {
      lines += '\n' + std::string(indent, ' ');
      column = 0;
    }
    lines += (column == 0 ? "" : " ") + word;
    column += word.size() + (column != 0);
    begin = end + 1;
  }
  return lines;
}

std::string clipped(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

void add_lines(std::string& to, const profiled_kernel& kernel, std::size_t lines, const char* label,
               const char* off) {
  std::vector<const profiled_access*> hottest;
  for (const profiled_access& one : kernel.accesses) hottest.push_back(&one);
  std::stable_sort(hottest.begin(), hottest.end(),
                   [](const auto* a, const auto* b) { return a->work() > b->work(); });
  if (hottest.empty() || lines == 0) return;
  std::size_t width = 4;
  const std::size_t shown = std::min(lines, hottest.size());
  for (std::size_t i = 0; i < shown; ++i) {
    width = std::max(width, where(hottest[i]->at).size());
  }
  to += fmt::format("\n  {}{:<{}}  {:<13} {:>9} {:>6} {:>11} {:>6} {:>14}{}\n", label, "line",
                    width, "", "requests", "lanes", "sectors/req", "used", "wavefronts/req", off);
  for (std::size_t i = 0; i < shown; ++i) {
    const profiled_access& one = *hottest[i];
    const access_columns columns = columns_of(one);
    to += fmt::format("  {:<{}}  {:<13} {:>9} {:>6} {:>11} {:>6} {:>14}  {}{}{}\n", where(one.at),
                      width, one.space + " " + one.operation, columns.requests, columns.lanes,
                      columns.sectors, columns.used, columns.wavefronts, label,
                      clipped(one.at.source, 60), off);
  }
  if (shown < hottest.size()) {
    to += fmt::format("  … and {} more, see --lines\n", hottest.size() - shown);
  }
}

}  // namespace

access_columns columns_of(const profiled_access& one) {
  access_columns all{fmt::format("{}", one.requests),
                     fmt::format("{:.1f}", each(one.lanes, one.requests)), "-", "-", "-"};
  if (one.space == "global") {
    all.sectors = fmt::format("{:.1f}", each(one.sectors, one.requests));
    all.used = fmt::format("{:.0f} %", percent(one.used_bytes, one.sectors * 32));
  } else {
    all.wavefronts = fmt::format("{:.1f}", each(one.wavefronts, one.requests));
  }
  return all;
}

std::string title_of(const profiled_kernel& kernel) {
  const std::string blocks = shape(kernel.grid);
  const std::string shapes = fmt::format("{} {} x {} threads", blocks,
                                         blocks == "1" ? "block" : "blocks", shape(kernel.block));
  std::string text = kernel.launches == 1
                         ? "1 launch of " + shapes
                         : fmt::format("{} launches, the first with {}", kernel.launches, shapes);
  text += fmt::format(", {}", plural(kernel.warps, "warp"));
  if (kernel.failures > 0) text += fmt::format("; {} failed", kernel.failures);
  return text;
}

std::vector<summary_row> summary_of(const profiled_kernel& kernel) {
  std::vector<summary_row> rows;
  const profiled_block blocks = kernel.sum_of_blocks();
  rows.push_back({"warp efficiency",
                  fmt::format("{:.1f} %", percent(blocks.lanes, blocks.runs * 32)),
                  "active lanes when a warp runs a block of the source"});
  rows.push_back({"divergent branches", fmt::format("{} of {}", blocks.parted, blocks.branches),
                  "lanes of a warp take different paths"});
  for (const char* operation : {"load", "store", "copy", "atomic", "exchange"}) {
    const profiled_access sum = kernel.sum("global", operation);
    if (sum.requests == 0) continue;
    std::string note =
        fmt::format("{} sectors, {:.2f} per request, {:.1f} % of their bytes used", sum.sectors,
                    each(sum.sectors, sum.requests), percent(sum.used_bytes, sum.sectors * 32));
    if (sum.operation == "atomic" || sum.operation == "exchange") {
      note += fmt::format("; {:.1f} lanes per address, up to {}", each(sum.lanes, sum.addresses),
                          sum.most_on_address);
    }
    rows.push_back(
        {fmt::format("global {}", sum.operation == "copy" ? "copies" : sum.operation + "s"),
         plural(sum.requests, "request"), note});
  }
  for (const char* operation : {"load", "store", "atomic", "exchange"}) {
    const profiled_access sum = kernel.sum("shared", operation);
    if (sum.requests == 0) continue;
    rows.push_back({fmt::format("shared {}s", operation), plural(sum.requests, "request"),
                    fmt::format("{} wavefronts, {} without conflicts, up to {} ways",
                                sum.wavefronts, sum.fewest_wavefronts, sum.most_ways)});
  }
  std::map<std::string, std::uint64_t> meetings;
  for (const profiled_meeting& one : kernel.meetings) meetings[one.kind] += one.times;
  std::string kinds;
  for (const auto& [kind, times] : meetings) {
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", kind, times);
  }
  rows.push_back({"synchronisation", kinds.empty() ? "none" : kinds, "counted per warp"});
  std::uint64_t fences = 0;
  for (const profiled_fence& one : kernel.fences) fences += one.lanes;
  if (fences > 0) rows.push_back({"fences", std::to_string(fences), "counted per lane"});
  rows.push_back({"shared memory", fmt::format("{} bytes", kernel.shared_bytes),
                  "static and dynamic, per block"});
  rows.push_back({"registers", "not known", "no GPU code is generated"});
  return rows;
}

std::string text_of(const profile_report& what, std::size_t lines, bool has_colours) {
  const char* const bold = has_colours ? "\033[1m" : "";
  const char* const label = has_colours ? "\033[2m" : "";
  const char* const off = has_colours ? "\033[0m" : "";
  std::string text;
  for (const profiled_kernel& kernel : what.kernels) {
    text += fmt::format("{}kernel `{}`{}   {}\n", bold, kernel.name, off, title_of(kernel));
    for (const summary_row& row : summary_of(kernel)) {
      text += fmt::format("  {:<19} {:<18} {}{}{}\n", row.name, row.value, label, row.note, off);
    }
    add_lines(text, kernel, lines, label, off);
    for (const advice& one : advice_for(kernel)) {
      text += fmt::format("  {}advice{}  {}\n", bold, off,
                          wrapped(where(one.at) + ": " + one.text, 100, 10));
    }
    text += '\n';
  }
  for (const std::string& note : what.notes) text += fmt::format("heddle: {}\n", note);
  return text;
}

nlohmann::json json_of(const profile_report& what, const std::string& version) {
  nlohmann::json all{{"heddle", version}, {"program", what.program}, {"notes", what.notes}};
  all["kernels"] = nlohmann::json::array();
  for (const profiled_kernel& kernel : what.kernels) {
    nlohmann::json one = kernel;
    const profiled_block blocks = kernel.sum_of_blocks();
    one["warp_efficiency"] = each(blocks.lanes, blocks.runs * 32);
    one["divergent_branches"] = blocks.parted;
    one["branches"] = blocks.branches;
    one["registers"] = nullptr;  // unknown
    for (const auto& [name, value] : metrics_of(kernel)) one["metrics"][name] = value;
    one["advice"] = nlohmann::json::array();
    for (const advice& hint : advice_for(kernel)) {
      one["advice"].push_back(
          {{"file", hint.at.file}, {"line", hint.at.line}, {"text", hint.text}});
    }
    all["kernels"].push_back(std::move(one));
  }
  return all;
}

}  // namespace heddle_report
