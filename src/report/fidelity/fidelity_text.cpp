// Writes the fidelity report as text.
#include <fmt/core.h>

#include <algorithm>

#include "report/check/place_words.hpp"
#include "report/fidelity/fidelity_report.hpp"

namespace heddle_report {
namespace {

constexpr std::size_t most_lines = 4;    // per operation
constexpr std::size_t most_kernels = 3;  // per operation
constexpr std::size_t most_named = 4;    // operations in line_of()
constexpr std::size_t longest_name = 28;

bool is_inexact(const ran_operation& one) {
  return one.fact != nullptr && one.fact->how_exact != exactness::exact;
}

std::string counted(std::size_t count, const char* one, const char* more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

// `wave.cu:3, 7 in k`
std::string where(const ran_operation& one) {
  std::string text;
  std::string file;
  std::size_t shown = 0;
  for (const auto& [path, line] : one.lines) {
    if (shown++ == most_lines) break;
    const bool is_same = path == file;
    text += fmt::format("{}{}{}",
                        text.empty() ? ""
                        : is_same    ? ", "
                                     : "; ",
                        is_same ? "" : short_path(path) + ':', line);
    file = path;
  }
  if (one.lines.size() > most_lines)
    text += fmt::format(" and {} more", one.lines.size() - most_lines);
  if (one.kernels.empty()) return text;
  text += text.empty() ? "in " : " in ";
  shown = 0;
  for (const std::string& kernel : one.kernels) {
    if (shown == most_kernels) break;
    text += fmt::format("{}`{}`", shown++ == 0 ? "" : ", ", kernel);
  }
  if (one.kernels.size() > most_kernels) {
    text += fmt::format(" and {} more", one.kernels.size() - most_kernels);
  }
  return text;
}

std::vector<const ran_operation*> inexact(const fidelity_report& what) {
  std::vector<const ran_operation*> all;
  for (const ran_operation& one : what.operations) {
    if (is_inexact(one)) all.push_back(&one);
  }
  return all;
}

std::string verdict(const fidelity_report& what) {
  if (!what.is_known) return "heddle: the program recorded nothing, so there is no report\n";
  if (what.kernels.empty()) return "heddle: no kernel ran\n";
  const bool has_stopped =
      std::any_of(what.unsupported.begin(), what.unsupported.end(),
                  [](const unsupported_operation& one) { return one.stopped; });
  const std::string ran = counted(what.kernels.size(), "kernel", "kernels") + " ran";
  if (has_stopped) {
    return fmt::format("heddle: {}; the program stopped at an unsupported operation\n", ran);
  }
  return what.is_exact()
             ? fmt::format("heddle: {}; every operation has a GPU's exact semantics\n", ran)
             : fmt::format("heddle: {}; every operation has a GPU's exact semantics, except:\n",
                           ran);
}

std::string names_of(const fidelity_report& what, bool of_host) {
  std::string text;
  for (const ran_operation& one : what.operations) {
    if (is_inexact(one) || one.ran_on_host != of_host) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", one.name);
  }
  return text;
}

}  // namespace

bool fidelity_report::is_exact() const {
  return inexact(*this).empty() && unsupported.empty() && options.empty();
}

std::string text_of(const fidelity_report& what) {
  std::string text = verdict(what);
  std::size_t width = 0, bound = 0;
  const auto all = inexact(what);
  for (const ran_operation* one : all) {
    width = std::max(width, std::min(one->name.size(), longest_name));
    bound =
        std::max(bound, one->fact->how_exact == exactness::approximate ? one->fact->how.size() : 0);
  }
  for (const ran_operation* one : all) {
    if (one->fact->how_exact != exactness::approximate) continue;
    text += fmt::format("  {:<{}}   {:<{}}   {}\n", one->name, width, one->fact->how, bound,
                        where(*one));
  }
  for (const ran_operation* one : all) {
    if (one->fact->how_exact != exactness::differs) continue;
    text += fmt::format("  {:<{}}   {}\n  {:<{}}   {}\n", one->name, width, one->fact->how, "",
                        width, where(*one));
  }
  for (const std::string& option : what.options) {
    text += fmt::format("  {}: changes a GPU's results; the CPU ignores it\n", option);
  }
  for (const unsupported_operation& one : what.unsupported) {
    const auto& [file, line] = *one.lines.begin();
    text +=
        fmt::format("{}: {}, {}:{}\n", one.stopped ? "stopped at" : "not supported, not reached",
                    one.what, short_path(file), line);
  }
  if (!what.is_known) return text;
  if (const std::string names = names_of(what, false); !names.empty()) {
    text += fmt::format("exact in kernels: {}\n", names);
  }
  if (const std::string names = names_of(what, true); !names.empty()) {
    text += fmt::format("exact on the host: {}\n", names);
  }
  return text + text_of(what.missed);
}

std::string line_of(const fidelity_report& what) {
  std::string text;
  std::size_t count = 0;
  for (const ran_operation* one : inexact(what)) {
    if (one->ran_on_host) continue;
    if (count++ < most_named) text += fmt::format("{}{}", text.empty() ? "" : ", ", one->name);
  }
  if (count == 0) return {};
  if (count > most_named) text += fmt::format(" and {} more", count - most_named);
  return fmt::format("not bit-identical to a GPU: {} (bounds: `heddle run --report`)\n", text);
}

}  // namespace heddle_report
