// The figures of the tour: from counters of a profiled run, and from what a program tells.
#pragma once
#include <report/tour_report.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace heddle::cli {

// The begin of a kernel's name, without namespaces that have none; and what it is called on the
// tour.
using variant_names = std::vector<std::pair<std::string, std::string>>;

// Counters of the named kernels, in the order of the names, of what `heddle profile --json` wrote.
// What is 0 for all of them is left out. Empty if the file is none.
[[nodiscard]] std::vector<heddle_report::tour_figure> figures_of_profile(
    const std::filesystem::path& file, const std::string& experiment, const variant_names& names);

struct told_figures {
  std::vector<heddle_report::tour_figure> figures;
  std::vector<std::string> wrong;  // variants whose results are wrong
};

// Of a program that tells a figure with each line, as JSON, or all of them as one array.
[[nodiscard]] told_figures figures_of_output(const std::string& output,
                                             const std::string& experiment);

// Times of the ladder, from its own lines, beside what the GPU's memory can deliver, in GB/s; 0:
// that is not known.
[[nodiscard]] told_figures figures_of_ladder(const std::string& output, double memory_rate);

}  // namespace heddle::cli
