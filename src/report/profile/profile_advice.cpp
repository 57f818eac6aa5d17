// Derives advice on making a kernel faster from its counters.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "report/profile/profile_text.hpp"

namespace heddle_report {
namespace {

double each(std::uint64_t all, std::uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(all) / static_cast<double>(count);
}

// 4, 4.5
std::string number(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string sectors_text(const profiled_access& what) {
  return fmt::format("{} sectors per request instead of {}",
                     number(each(what.sectors, what.requests)),
                     number(each(what.fewest_sectors, what.requests)));
}

std::string about_global(const profiled_access& what) {
  const bool wastes = what.sectors * 4 > what.fewest_sectors * 5 ||
                      (what.misaligned_requests > 0 && what.sectors > what.fewest_sectors);
  if (!wastes || what.sectors <= what.requests) return {};
  const double used = 100.0 * each(what.used_bytes, what.sectors * 32);
  if (what.misaligned_requests * 2 > what.requests) {
    return fmt::format(
        "the warp's accesses do not start at a 32-byte sector boundary: {}. Align them to 32 "
        "bytes, or better 128: pad rows, or peel the first elements off the loop",
        sectors_text(what));
  }
  if (what.stride && *what.stride != 0 && what.bytes_per_lane != 0) {
    const std::int64_t stride = std::abs(*what.stride);
    // The active lanes are dense. The inactive ones waste the bytes, so the branch is at fault.
    if (stride == static_cast<std::int64_t>(what.bytes_per_lane)) return {};
    return fmt::format(
        "neighbouring lanes are {} bytes apart ({} elements of {} bytes): {}, {:.0f} % of the "
        "fetched bytes are used. Let neighbouring lanes access neighbouring elements, or transpose "
        "the data in shared memory",
        stride, number(static_cast<double>(stride) / static_cast<double>(what.bytes_per_lane)),
        what.bytes_per_lane, sectors_text(what), used);
  }
  return fmt::format(
      "the lanes' addresses are scattered: {}, {:.0f} % of the fetched bytes are used. Sort or "
      "group the indices, or gather once into shared memory",
      sectors_text(what), used);
}

std::string about_shared(const profiled_access& what) {
  if (what.wavefronts <= what.fewest_wavefronts) return {};
  std::string text = fmt::format(
      "bank conflicts: {} wavefronts per request instead of {}, up to {} different words in one "
      "bank",
      number(each(what.wavefronts, what.requests)),
      number(each(what.fewest_wavefronts, what.requests)), what.most_ways);
  if (what.stride && *what.stride != 0) {
    text += fmt::format(
        "; neighbouring lanes are {} bytes apart. Pad each row by {} bytes, or "
        "swizzle the index",
        std::abs(*what.stride), std::max<std::uint64_t>(what.bytes_per_lane, 4));
  } else {
    text += ". Pad rows by one element, or swizzle the index";
  }
  return text;
}

std::string about_atomics(const profiled_access& what) {
  if (what.lanes < what.addresses * 2) return {};
  return fmt::format(
      "{} lanes of a warp update the same address at once, up to {}: their updates are serialised. "
      "Let one lane add for all lanes with the same address (heddle::warp::aggregated_add), or "
      "reduce within the warp first",
      number(each(what.lanes, what.addresses)), what.most_on_address);
}

std::string about_exchanges(const profiled_access& what) {
  if (what.lanes < what.addresses * 2) return {};
  return fmt::format(
      "{} lanes of a warp try to exchange the same word at once, up to {}: at most one of them "
      "gets what "
      "it wants. Let one lane of the warp do it for all",
      number(each(what.lanes, what.addresses)), what.most_on_address);
}

// A few lanes that do something on behalf of all are normal.
std::string about_branches(const profiled_block& what) {
  constexpr std::uint64_t few = 4;
  if (what.parted * 4 < what.branches || what.parted == 0) return {};
  if (what.fewer < few * what.parted) return {};
  return fmt::format(
      "warps diverge in {} of {} branches, with {} lanes on the smaller side on average: both "
      "sides run one after the other. Make the condition uniform across each warp, or sort the "
      "work",
      what.parted, what.branches, number(each(what.fewer, what.parted)));
}

std::string about_fence(const profiled_fence& what, const profiled_kernel& kernel) {
  const bool reaches_far = what.reach == "device" || what.reach == "system";
  const bool has_several_blocks = kernel.blocks > kernel.launches;
  if (!reaches_far || kernel.blocks_share || !has_several_blocks) return {};
  return fmt::format(
      "the fence has {} scope, but in this run no block accessed what another block wrote: "
      "__threadfence_block() would be enough, or no fence at all next to a block barrier",
      what.reach);
}

}  // namespace

std::vector<advice> advice_for(const profiled_kernel& kernel) {
  std::vector<advice> all;
  const auto add = [&](const source_place& at, std::string text, std::uint64_t weight) {
    if (!text.empty()) all.push_back({at, std::move(text), weight});
  };
  for (const profiled_access& one : kernel.accesses) {
    if (one.operation == "atomic") {
      add(one.at, about_atomics(one), one.lanes - one.addresses);
    } else if (one.operation == "exchange") {
      add(one.at, about_exchanges(one), one.lanes - one.addresses);
    } else if (one.space == "global") {
      add(one.at, about_global(one), one.sectors - one.fewest_sectors);
    } else {
      add(one.at, about_shared(one), one.wavefronts - one.fewest_wavefronts);
    }
  }
  for (const profiled_block& one : kernel.source_blocks)
    add(one.at, about_branches(one), one.parted);
  for (const profiled_fence& one : kernel.fences) add(one.at, about_fence(one, kernel), 1);
  std::stable_sort(all.begin(), all.end(),
                   [](const advice& a, const advice& b) { return a.weight > b.weight; });
  return all;
}

}  // namespace heddle_report
