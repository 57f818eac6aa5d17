// Writes the report for a terminal.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "report/check/causes.hpp"
#include "report/check/check_report.hpp"
#include "report/check/finding_words.hpp"
#include "report/check/kinds.hpp"
#include "report/check/place_words.hpp"

namespace heddle_report {
namespace {

struct palette {
  const char* kind = "";
  const char* label = "";
  const char* good = "";
  const char* off = "";
};
constexpr palette colours{"\033[1;31m", "\033[2m", "\033[32m", "\033[0m"};

constexpr std::size_t most_rows = 12;
// A missing barrier can cause dozens of races: this many similar ones are printed in full, the rest
// in one line each.
constexpr std::size_t most_alike = 3;

struct row {
  std::string label, who, where, source;
};

// 0-3, 7, 9-31
std::string ranges(std::vector<unsigned> lanes) {
  std::sort(lanes.begin(), lanes.end());
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  std::string text;
  for (std::size_t i = 0; i < lanes.size();) {
    std::size_t last = i;
    while (last + 1 < lanes.size() && lanes[last + 1] == lanes[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", lanes[i]);
    if (last > i) text += fmt::format("-{}", lanes[last]);
    i = last + 1;
  }
  return text;
}

// For a file of a library: the function name already shows the folder.
std::string file_and_line(const source_place& at) {
  return fmt::format("{}:{}", std::filesystem::path(at.file).filename().string(), at.line);
}

// Lanes of a warp that do the same at the same place share a row.
std::vector<row> rows_of(const found& what) {
  using key = std::tuple<std::string, std::array<unsigned, 3>, unsigned, std::string, int,
                         std::string, std::uint32_t, bool>;
  std::vector<std::pair<key, std::vector<const found_place*>>> together;
  std::map<key, std::size_t> known;
  std::vector<const found_place*> places;
  for (const found_place& place : what.places) places.push_back(&place);
  // Rows are in time order. A race lists the side that should come first second, and an ABA lists
  // the swap that should have failed first.
  if (what.kind == finding_kind::race && places.size() > 1) std::swap(places[0], places[1]);
  if (what.kind == finding_kind::aba && !places.empty()) {
    std::rotate(places.begin(), places.begin() + 1, places.end());
  }
  bool names_kernel = false;
  for (const found_place* place : places) {
    const key one{place->kernel,  place->block, place->warp, place->at.file,
                  place->at.line, place->role,  place->mask, place->is_on_host};
    const auto [at, is_new] = known.try_emplace(one, together.size());
    if (is_new || what.kind == finding_kind::aba) {
      at->second = together.size();
      together.push_back({one, {}});
    }
    together[at->second].second.push_back(place);
    names_kernel |= !place->is_on_host && place->kernel != places.front()->kernel;
  }
  std::vector<row> rows;
  for (const auto& [same, who] : together) {
    const found_place& first = *who.front();
    std::string lanes = words_of_lane(first, names_kernel);
    if (who.size() > 1 && !first.is_on_host) {
      std::vector<unsigned> numbers;
      for (const found_place* place : who) numbers.push_back(place->lane);
      lanes = fmt::format("block {}, warp {}, lanes {}", index_words(first.block), first.warp,
                          ranges(numbers));
    }
    if (first.mask != 0) lanes += fmt::format(", mask 0x{:08x}", first.mask);
    const bool is_allocation = first.role == "allocates";
    if (is_allocation) lanes.clear();
    const std::string label = is_allocation              ? "from"
                              : first.role == "launches" ? "launch"
                                                         : first.role;
    rows.push_back({label, lanes, words_of(first.at), first.at.source});
    for (const found_frame& frame : first.frames) {
      rows.push_back({"", "  in " + (frame.function.empty() ? "a function" : frame.function),
                      file_and_line(frame.at), frame.at.source});
    }
  }
  return rows;
}

std::string times(std::uint64_t count) {
  return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

class writer {
 public:
  writer(const check_report& in, const palette& with) : in_(in), with_(with) {}

  // Prints what is wrong, the places involved, why, and the fix.
  void defect(const found& what) {
    const finding_words words = words_of(what);
    const bool is_note = cause_of(what.cause).is_note && !in_.is_strict;
    text_ += fmt::format("{}{}{}{}   {}\n", is_note ? with_.label : with_.kind,
                         is_note ? "note: " : "", name_of(what.kind), with_.off, words.what);
    place_rows(what);
    if (what.memory && what.kind != finding_kind::leak) line("memory", words_of(*what.memory));
    line("why", words.why);
    line("fix", words.fix);
  }

  void finding(const merged_finding& one) {
    defect(one.first);
    if (one.kernels.size() > 1) {
      std::string others;
      for (auto kernel = one.kernels.begin() + 1; kernel != one.kernels.end(); ++kernel)
        others += (others.empty() ? "in " : ", ") + *kernel;
      line("also", others);
    }
    const std::string where =
        in_.explored
            ? fmt::format("{} of {} interleavings", one.interleavings, in_.explored->explored)
            : fmt::format("{} of {} schedule{}", one.schedules.size(), in_.schedules.size(),
                          in_.schedules.size() == 1 ? "" : "s");
    line("seen", fmt::format("{} in {}    more: heddle explain {}", times(one.count), where,
                             name_of(one.first.kind)));
    if (!in_.replay_before.empty()) line("replay", in_.replay_line(one));
  }

  void page_of(finding_kind kind) { line("more", fmt::format("heddle explain {}", name_of(kind))); }

  // Prints findings that are similar to those already printed.
  void others(const std::vector<const merged_finding*>& alike) {
    const found& first = alike.front()->first;
    text_ += fmt::format("{}{}{}   {} more on {}{}:\n", with_.kind, name_of(first.kind), with_.off,
                         alike.size(), name_of(*first.memory),
                         first.kernel.empty() ? "" : " in kernel `" + first.kernel + "`");
    for (const merged_finding* one : alike) {
      std::string places;
      for (const row& place : rows_of(one->first)) {
        if (place.label.empty()) continue;
        places += fmt::format("{}{} {}", places.empty() ? "" : ", ", place.label, place.where);
      }
      line("", fmt::format("{}; replay {}", places,
                           one->schedules.empty() ? "" : one->schedules.front()));
    }
  }

  void summary() {
    std::size_t defects = 0, leaks = 0, notes = 0;
    for (const merged_finding& one : in_.findings) {
      if (!one.silenced_by.empty()) continue;
      ++(!in_.is_note(one) ? defects : one.first.kind == finding_kind::leak ? leaks : notes);
    }
    // Without a single completed run there is nothing to sum up; the reason is printed elsewhere.
    const bool is_whole = in_.failure.empty() && !in_.was_interrupted;
    if (!in_.failure.empty() && in_.begun == 0) return;
    std::string schedules =
        in_.planned > in_.schedules.size()
            ? fmt::format("{} of {} schedules", in_.schedules.size(), in_.planned)
            : fmt::format("{} schedule{}", in_.schedules.size(),
                          in_.schedules.size() == 1 ? "" : "s");
    if (in_.explored) schedules = words_of(*in_.explored);
    text_ += fmt::format("{}heddle: {}{}{} {}, {:.1f} s{}",
                         defects == 0 && is_whole ? with_.good : with_.kind,
                         defects == 0   ? without_findings(is_whole)
                         : defects == 1 ? "1 finding"
                                        : fmt::format("{} findings", defects),
                         with_.off, in_.explored ? ";" : " in", schedules, in_.seconds,
                         in_.was_interrupted ? ", interrupted" : "");
    if (const std::size_t silenced = in_.count_silenced(); silenced != 0) {
      text_ += fmt::format("; {} suppressed", silenced);
    }
    if (leaks != 0) text_ += fmt::format("; {} leak{}", leaks, leaks == 1 ? "" : "s");
    if (notes != 0) text_ += fmt::format("; {} note{}", notes, notes == 1 ? "" : "s");
    if (defects != 0 && !in_.fails()) text_ += "; none of a kind listed in --fail-on";
    text_ += '\n';
    if (!in_.explored) covered();
    if (!in_.schedules.empty()) text_ += text_of(in_.missed) + in_.fidelity_line;
  }

  void note(const std::string& words) {
    text_ += fmt::format("{}note{}   {}\n", with_.label, with_.off, words);
  }
  void gap() { text_ += '\n'; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  [[nodiscard]] const char* without_findings(bool is_whole) const {
    if (is_whole) return "no findings";
    const bool has_no_kernels = in_.begun == in_.schedules.size() && in_.covered.launches == 0;
    return has_no_kernels ? "nothing was checked" : "not finished; nothing found so far";
  }

  void covered() {
    if (in_.schedules.empty()) {  // the first run reports its coverage when it finishes
      text_ +=
          fmt::format("covered: 0 of {} completed\n", counted(in_.begun, "schedule", "schedules"));
      return;
    }
    text_ += covered_line(in_.covered, in_.schedules.size(), in_.begun);
  }

  void line(const std::string& label, const std::string& words) {
    if (!words.empty()) {
      text_ += fmt::format("  {}{:<7}{} {}\n", with_.label, label, with_.off, words);
    }
  }

  void place_rows(const found& what) {
    const std::vector<row> rows = rows_of(what);
    const std::size_t shown = std::min(rows.size(), most_rows);
    std::size_t who = 0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < shown; ++i) {
      who = std::max(who, rows[i].who.size());
      where = std::max(where, rows[i].where.size());
    }
    for (std::size_t i = 0; i < shown; ++i) {
      std::string words = who == 0 ? "" : fmt::format("{:<{}}   ", rows[i].who, who);
      words += fmt::format("{:<{}}   {}", rows[i].where, where, rows[i].source);
      words.erase(words.find_last_not_of(' ') + 1);
      line(rows[i].label, words);
    }
    if (rows.size() > shown)
      line("", fmt::format("… and {} more groups of lanes", rows.size() - shown));
  }

  const check_report& in_;
  const palette& with_;
  std::string text_;
};

}  // namespace

std::string covered_line(const heddle_checker::coverage& what, std::size_t completed,
                         std::size_t begun) {
  return fmt::format("covered: {} of {}, {}, {}; {} of {} completed\n",
                     counted(what.launches, "launch", "launches"),
                     counted(what.kernels.size(), "kernel", "kernels"),
                     counted(what.blocks, "block", "blocks"),
                     counted(what.accesses, "access", "accesses"), completed,
                     counted(begun, "schedule", "schedules"));
}

namespace {

// Findings of one kind about the same memory in one kernel, in report order.
using group = std::vector<const merged_finding*>;
std::vector<group> groups_of(const std::vector<merged_finding>& findings) {
  std::vector<group> groups;
  std::map<std::tuple<finding_kind, std::string, std::string>, std::size_t> known;
  for (const merged_finding& one : findings) {
    if (!one.silenced_by.empty()) continue;
    if (!one.first.memory) {
      groups.push_back({&one});
      continue;
    }
    const auto [at, is_new] = known.try_emplace(
        {one.first.kind, one.first.kernel, name_of(*one.first.memory)}, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&one);
  }
  return groups;
}

}  // namespace

std::string text_of(const check_report& what, bool has_colour) {
  const palette none;
  writer words(what, has_colour ? colours : none);
  for (const group& alike : groups_of(what.findings)) {
    // A heading for a single remaining finding would be as long as the finding.
    const std::size_t in_full = alike.size() <= most_alike + 1 ? alike.size() : most_alike;
    for (std::size_t i = 0; i < in_full; ++i) {
      words.finding(*alike[i]);
      words.gap();
    }
    if (alike.size() > in_full) {
      words.others({alike.begin() + static_cast<std::ptrdiff_t>(in_full), alike.end()});
      words.gap();
    }
  }
  for (const std::string& note : what.notes) words.note(note);
  words.summary();
  return words.take();
}

std::string text_of(const found& what) {
  const palette none;
  const check_report alone;
  writer words(alone, none);
  words.defect(what);
  words.page_of(what.kind);
  return words.take();
}

std::string text_of(const merged_finding& one, const check_report& in) {
  const palette none;
  writer words(in, none);
  words.finding(one);
  return words.take();
}

}  // namespace heddle_report
