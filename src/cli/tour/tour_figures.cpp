// Collects the figures of the tour from profiles and program output.
#include "cli/tour/tour_figures.hpp"

#include <fmt/core.h>
#include <report/profile/profile_record.hpp>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include <nlohmann/json.hpp>

namespace heddle::cli {
namespace {

using heddle_report::profiled_access;
using heddle_report::profiled_kernel;
using heddle_report::tour_figure;
using nlohmann::json;

double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

// Sums over a kernel's accesses to one kind of memory.
struct memory_use {
  std::uint64_t requests = 0, sectors = 0, wavefronts = 0, atomic_updates = 0;

  memory_use(const profiled_kernel& kernel, const std::string& space) {
    for (const profiled_access& one : kernel.accesses) {
      if (one.space != space) continue;
      requests += one.requests;
      sectors += one.sectors;
      wavefronts += one.wavefronts;
      if (one.operation == "atomic" || one.operation == "exchange") atomic_updates += one.lanes;
    }
  }
};

std::vector<tour_figure> counters_of(const profiled_kernel& kernel, const std::string& experiment,
                                     const std::string& variant) {
  std::vector<tour_figure> figures;
  const auto add = [&](const std::string& metric, const std::string& unit, double value) {
    figures.push_back({experiment, variant, metric, unit, value});
  };
  const memory_use global(kernel, "global"), shared(kernel, "shared");
  const heddle_report::profiled_block blocks = kernel.sum_of_blocks();
  add("global requests", "", static_cast<double>(global.requests));
  add("sectors per request", "", share(global.sectors, global.requests));
  add("global atomic updates", "", static_cast<double>(global.atomic_updates));
  add("shared wavefronts", "", static_cast<double>(shared.wavefronts));
  add("shared atomic updates", "", static_cast<double>(shared.atomic_updates));
  std::uint64_t barriers = 0, exchanges = 0;
  for (const heddle_report::profiled_meeting& one : kernel.meetings)
    (one.kind.ends_with("barrier") ? barriers : exchanges) += one.times;
  add("barriers", "", static_cast<double>(barriers));
  add("warp operations", "", static_cast<double>(exchanges));
  add("divergent branches", "%", 100 * share(blocks.parted, blocks.branches));
  add("warp efficiency", "%", 100 * share(blocks.lanes, 32 * blocks.runs));
  return figures;
}

bool has_name(const profiled_kernel& kernel, const std::string& name) {
  constexpr std::string_view without_name = "{anonymous}::";
  std::string_view own = kernel.name;
  if (own.starts_with(without_name)) own.remove_prefix(without_name.size());
  return own.starts_with(name);
}

void drop_metrics_of_nothing(std::vector<tour_figure>& figures) {
  std::erase_if(figures, [all = figures](const tour_figure& figure) {
    return std::none_of(all.begin(), all.end(), [&](const tour_figure& other) {
      return other.metric == figure.metric && other.value != 0;
    });
  });
}

}  // namespace

std::vector<tour_figure> figures_of_profile(const std::filesystem::path& file,
                                            const std::string& experiment,
                                            const variant_names& names) {
  std::ifstream opened(file);
  const json report = json::parse(opened, nullptr, false);
  std::vector<tour_figure> figures;
  if (!report.is_object()) return figures;
  for (const auto& [name, variant] : names) {
    for (const json& one : report.value("kernels", json::array())) {
      const auto kernel = one.get<profiled_kernel>();
      if (!has_name(kernel, name)) continue;
      const std::vector<tour_figure> its = counters_of(kernel, experiment, variant);
      figures.insert(figures.end(), its.begin(), its.end());
      break;
    }
  }
  drop_metrics_of_nothing(figures);
  return figures;
}

parsed_figures figures_of_output(const std::string& output, const std::string& experiment) {
  parsed_figures parsed;
  const auto take = [&](const json& one) {
    if (!one.is_object()) return;
    if (one.contains("wrong")) parsed.wrong.push_back(one.value("wrong", ""));
    if (!one.contains("value") || !one["value"].is_number()) return;
    parsed.figures.push_back({one.value("experiment", experiment), one.value("variant", ""),
                              one.value("metric", ""), one.value("unit", ""),
                              one["value"].get<double>()});
  };
  if (const json all = json::parse(output, nullptr, false); all.is_array()) {
    for (const json& one : all) take(one);
    return parsed;
  }
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) take(json::parse(line, nullptr, false));
  return parsed;
}

parsed_figures figures_of_ladder(const std::string& output, double memory_rate) {
  static const std::regex step(
      R"(^  (.+?) +(right|WRONG)(?: +([0-9.]+) us +([0-9.]+) GB/s +([0-9.]+) times the first)?$)");
  parsed_figures parsed;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::smatch parts;
    if (!std::regex_match(line, parts, step)) continue;
    if (parts[2] == "WRONG") parsed.wrong.push_back(parts[1]);
    if (!parts[3].matched) continue;
    const auto add = [&](const char* metric, const char* unit, double value) {
      parsed.figures.push_back({"ladder", parts[1], metric, unit, value});
    };
    const double rate = std::stod(parts[4]);
    add("time", "us", std::stod(parts[3]));
    add("throughput", "GB/s", rate);
    if (memory_rate > 0) add("share of peak bandwidth", "%", 100 * rate / memory_rate);
    add("speed-up", "times", std::stod(parts[5]));
  }
  return parsed;
}

}  // namespace heddle::cli
