// Says what went wrong: one sentence, then who was where.
#include "report/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include <heddle_host/options.hpp>

#include "report/source_lines.hpp"

namespace heddle_report {
namespace {

using heddle_host::activity;
using heddle_host::finding;
using heddle_host::finding_kind;
using heddle_host::lane_place;

std::string sentence(const finding& what, const std::string& kernel) {
  switch (what.kind) {
    case finding_kind::mask:
      return fmt::format("mask: kernel {}: {}", kernel, what.detail);
    case finding_kind::divergent_barrier:
      return fmt::format("divergent-barrier: kernel {}: {}", kernel, what.detail);
    case finding_kind::divergent_collective:
      return fmt::format("divergent-collective: kernel {}: {}", kernel, what.detail);
    case finding_kind::deadlock:
      return fmt::format(
          "deadlock: kernel {} can never end: every thread that is left waits for another", kernel);
    case finding_kind::livelock:
      return fmt::format("livelock: kernel {} does not end: {}", kernel, what.detail);
    case finding_kind::unfinished:
      return fmt::format(
          "not finished: kernel {} was stopped after {:g} seconds in which none of its threads began, "
          "ended or met others\n"
          "  (it may be slow or hang; --timeout or HEDDLE_TIMEOUT sets the limit, 0 means none)",
          kernel, heddle_host::timeout_seconds());
    case finding_kind::race:
      return fmt::format("race: kernel {}: {}", kernel, what.detail);
    case finding_kind::use_after_free:
      return fmt::format("use-after-free: kernel {}: {}", kernel, what.detail);
    case finding_kind::misaligned:
      return fmt::format("misaligned: kernel {}: {}", kernel, what.detail);
    case finding_kind::wrong_space:
      return fmt::format("wrong-space: {}", what.detail);
    case finding_kind::uninitialized:
      return fmt::format("uninitialized: kernel {}: {}", kernel, what.detail);
    case finding_kind::aba:
      return fmt::format("aba: kernel {}: {}", kernel, what.detail);
    case finding_kind::schedule_dependent:
      return fmt::format("schedule-dependent: kernel {}: {}", kernel, what.detail);
    case finding_kind::leak:
      return fmt::format("leak: {}", what.detail);
    case finding_kind::out_of_bounds:
      return fmt::format("out-of-bounds: kernel {} touched memory that is not there ({})", kernel,
                         what.detail);
    case finding_kind::assertion:
      return fmt::format("assert: kernel {}: {}", kernel, what.detail);
    case finding_kind::trap:
      return fmt::format("trap: kernel {} called __trap()", kernel);
    case finding_kind::stack_overflow:
      return fmt::format(
          "stack overflow: kernel {} ran past the {} KiB stack of a thread\n"
          "  (cudaDeviceSetLimit(cudaLimitStackSize, bytes) gives it more)",
          kernel, heddle_host::stack_bytes() / 1024);
    case finding_kind::crash:
      return fmt::format("crash: kernel {}: {}", kernel, what.detail);
    case finding_kind::api_error:
      return fmt::format("api-error: kernel {}: {}", kernel, what.detail);
  }
  return kernel;
}

std::string_view words(activity doing) {
  switch (doing) {
    case activity::running:
      return "runs";
    case activity::exchanging:
      return "waits in a warp operation";
    case activity::at_block_barrier:
      return "waits at the block's barrier";
    case activity::at_named_barrier:
      return "waits at a named barrier";
    case activity::at_tile_barrier:
      return "waits for its tile";
    case activity::at_grid_barrier:
      return "waits for the grid";
    case activity::at_cluster_barrier:
      return "waits for its cluster";
    case activity::gathering_active_lanes:
      return "asks for the active lanes";
    case activity::making_group:
      return "makes a part of a group";
    case activity::spinning:
      return "spins";
    case activity::reading:
      return "reads";
    case activity::writing:
      return "writes";
    case activity::updating:
      return "updates";
    case activity::exiting:
      return "has ended";
    case activity::copying_from:
    case activity::copying_to:
      return "copies";
    case activity::filling:
      return "fills";
    case activity::launching:
      return "launches";
  }
  return "";
}

// 0-3, 7, 9-31
std::string ranges(std::vector<unsigned> lanes) {
  std::sort(lanes.begin(), lanes.end());
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

std::string location_text(const void* code, bool is_return_address) {
  const auto line = find_source_line(code, is_return_address);
  if (!line) return fmt::format("at {}", code);
  const auto slash = line->file.rfind('/');
  const auto name = slash == line->file.npos ? line->file : line->file.substr(slash + 1);
  return line->text.empty() ? fmt::format("{}:{}", name, line->line)
                            : fmt::format("{}:{}   {}", name, line->line, line->text);
}

// Lanes of a warp that do the same at the same place make one line.
std::string place_table(const std::vector<lane_place>& places) {
  using key = std::tuple<unsigned, unsigned, unsigned, unsigned, const void*, activity, unsigned>;
  std::map<key, std::vector<const lane_place*>> together;
  for (const lane_place& place : places) {
    together[{place.block.z, place.block.y, place.block.x, place.warp, place.code, place.doing,
              place.mask}]
        .push_back(&place);
  }
  constexpr std::size_t most_lines = 40;
  std::string text;
  std::size_t lines = 0;
  for (const auto& [where, who] : together) {
    if (++lines > most_lines) {
      text += fmt::format("  … and {} groups of lanes more\n", together.size() - most_lines);
      break;
    }
    const lane_place& first = *who.front();
    std::vector<unsigned> lanes;
    for (const lane_place* place : who) lanes.push_back(place->lane);
    text += fmt::format("  block {}, warp {}, lane {}", index_text(first.block), first.warp,
                        ranges(lanes));
    if (who.size() == 1) text += fmt::format(" = thread {}", index_text(first.thread));
    text += fmt::format(": {}", words(first.doing));
    if (first.doing == activity::exchanging) text += fmt::format(" for mask 0x{:08x}", first.mask);
    text += fmt::format("   {}\n", location_text(first.code, first.is_return_address));
  }
  return text;
}

}  // namespace

std::string index_text(uint3 index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

std::string kernel_name(const std::string& signature) {
  std::string arguments;
  std::string head = signature;
  if (const auto bracket = signature.find(" ["); bracket != signature.npos) {
    arguments = signature.substr(bracket + 2, signature.size() - bracket - 3);
    if (arguments.starts_with("with ")) arguments.erase(0, 5);
    head.resize(bracket);
  }
  int depth = 0;
  std::size_t begin = 0;
  std::size_t end = head.size();
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '<') ++depth;
    if (head[i] == '>') --depth;
    if (depth > 0) continue;
    if (head[i] == ' ') begin = i + 1;
    if (head[i] == '(' && head.compare(i, 11, "(anonymous ") != 0) {
      end = i;
      break;
    }
  }
  const std::string name = head.substr(begin, end - begin);
  return arguments.empty() ? name : fmt::format("{}<{}>", name, arguments);
}

bool is_worth_telling(const finding& what) {
  if (what.kind != finding_kind::divergent_barrier || what.places.size() < 2) return true;
  const auto line_of = [](const lane_place& place) {
    const auto line = find_source_line(place.code, place.is_return_address);
    return line ? fmt::format("{}:{}", line->file, line->line) : std::string();
  };
  const std::string first = line_of(what.places.front());
  return std::any_of(what.places.begin(), what.places.end(),
                     [&](const lane_place& place) { return line_of(place) != first; });
}

std::string describe(const finding& what) {
  return fmt::format("heddle: {}\n{}", sentence(what, kernel_name(what.kernel)),
                     place_table(what.places));
}

}  // namespace heddle_report
