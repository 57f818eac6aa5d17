// Collects the figures of the tour from profiles and program output.
#pragma once
#include <report/tour/tour_report.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace heddle::cli {

// The beginning of a kernel's name, without anonymous namespaces; and the name that the tour gives
// it.
using variant_names = std::vector<std::pair<std::string, std::string>>;

// The counters of the named kernels, in that order, from the output of `heddle profile --json`.
// Leaves out counters that are 0 for all of them. Empty if the file cannot be read.
[[nodiscard]] std::vector<heddle_report::tour_figure> figures_of_profile(
    const std::filesystem::path& file, const std::string& experiment, const variant_names& names);

struct parsed_figures {
  std::vector<heddle_report::tour_figure> figures;
  std::vector<std::string> wrong;  // variants whose results are wrong
};

// From a program that prints one figure per line as JSON, or all of them as one array.
[[nodiscard]] parsed_figures figures_of_output(const std::string& output,
                                               const std::string& experiment);

// Times from the ladder's own output, next to the GPU's peak memory bandwidth in GB/s (0: unknown).
[[nodiscard]] parsed_figures figures_of_ladder(const std::string& output, double memory_rate);

}  // namespace heddle::cli
