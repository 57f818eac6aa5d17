// Writes the sentences of a race, which depend on how far apart its two sides are.
#include "report/check/race_words.hpp"

#include <fmt/core.h>

#include "report/check/atomic_advice.hpp"
#include "report/check/causes.hpp"
#include "report/check/kinds.hpp"
#include "report/check/place_words.hpp"

namespace heddle_report {
namespace {

enum class distance { warp, block, grid, grids, streams, host };

distance distance_between(const found_place& a, const found_place& b) {
  const auto is_host = [](const found_place& place) {
    return place.is_on_host && !place.is_in_stream;
  };
  if (is_host(a) || is_host(b)) return distance::host;
  if (a.is_in_stream || b.is_in_stream) return distance::streams;
  if (a.kernel != b.kernel) return distance::grids;
  if (a.block != b.block) return distance::grid;
  // A thread does not race with itself, so this one belongs to another launch.
  if (a.thread == b.thread) return distance::grids;
  return a.warp == b.warp ? distance::warp : distance::block;
}

std::string done(const found_place& place) {
  if (place.role == "copies") return place.overwrites ? "overwritten" : "read";
  if (place.role == "fills") return "overwritten";
  if (place.role == "updates") return "updated atomically";
  return place.role == "reads" ? "read" : place.role == "writes" ? "written" : "accessed";
}

std::string actor_of(const found_place& place) {
  if (place.role == "copies") return "a copy";
  if (place.role == "fills") return "a memset";
  if (place.is_in_stream) return "a host function";
  if (place.is_on_host) return "the host";
  return fmt::format("kernel `{}`", place.kernel);
}

bool is_atomic(const found_place& place) { return place.role == "updates"; }

// "by one warp and read by another"
std::string sides(const found_place& a, const found_place& b, distance far) {
  const std::string first = done(a);
  const std::string second = a.role == b.role ? "" : done(b) + " ";
  switch (far) {
    case distance::warp:
      return fmt::format("{} by one lane and {}by another of the same warp", first, second);
    case distance::block:
      return fmt::format("{} by one warp and {}by another", first, second);
    case distance::grid:
      return fmt::format("{} by one block and {}by another", first, second);
    case distance::grids:
      if (a.kernel == b.kernel) {
        return fmt::format("{} in one launch of `{}` and {}in another", first, a.kernel, second);
      }
      [[fallthrough]];
    case distance::streams:
    case distance::host:
      break;
  }
  return fmt::format("{} by {} and {} by {}", first, actor_of(a), done(b), actor_of(b));
}

// Says which side may come too early: `b`, since `a` should come first.
std::string why_in_grid(const found_place& a, const found_place& b, distance far,
                        bool is_order_known) {
  const auto name = [&](const found_place& place) {
    return far == distance::warp    ? fmt::format("lane {}", place.lane)
           : far == distance::block ? fmt::format("warp {}", place.warp)
                                    : fmt::format("block {}", index_words(place.block));
  };
  const std::string rule = far == distance::warp ? "the lanes of a warp run independently: "
                           : far == distance::block
                               ? ""
                               : "blocks run in any order or at the same time: ";
  if (a.at.line == b.at.line && a.at.file == b.at.file) {
    return fmt::format("{}{} and {} may execute line {} at the same time", rule, name(a), name(b),
                       a.at.line);
  }
  if (!is_order_known) {
    return fmt::format(
        "{}nothing makes {} wait before line {} until {} has passed line {}, or vice versa", rule,
        name(b), b.at.line, name(a), a.at.line);
  }
  return fmt::format("{}{} may reach line {} before {} has passed line {}", rule, name(b),
                     b.at.line, name(a), a.at.line);
}

std::string fix_in_grid(const found_place& a, const found_place& b, distance far,
                        const std::string& variable) {
  if (a.at.line == b.at.line && a.at.file == b.at.file) {
    const std::string atomic = atomic_operation_for(a.at.source, variable);
    if (!atomic.empty()) {
      return fmt::format("replace the load and the store with one atomic operation: {}", atomic);
    }
  }
  const auto initialises_barrier = [](const found_place& place) {
    return place.role == "writes" && place.at.source.find("init(") != std::string::npos;
  };
  if (initialises_barrier(a) || initialises_barrier(b)) {
    return "call __syncthreads() between the initialisation and the first use by other threads";
  }
  if (is_atomic(a) != is_atomic(b)) {
    return "make the other access atomic as well (cuda::atomic_ref, or atomicExch to store and "
           "atomicAdd of 0 to load), or order the two accesses";
  }
  switch (far) {
    case distance::warp:
      return "call __syncwarp() between them (shuffles and votes do not order memory)";
    case distance::block:
      return "call __syncthreads() between them";
    default:
      return "move the second part to another kernel launch, call grid.sync() in a cooperative "
             "launch, or use a flag that is stored with release and loaded with acquire at device "
             "scope";
  }
}

// A copy or fill in the default stream, which cudaStreamNonBlocking streams do not wait for.
bool is_in_default_stream(const found_place& place) {
  const bool is_copy_or_fill = place.role == "copies" || place.role == "fills";
  return is_copy_or_fill && place.at.source.find("Async") == place.at.source.npos &&
         place.at.source.find("cudaMem") != place.at.source.npos;
}

void put_words_for_streams(const found_place& a, const found_place& b, finding_words& words) {
  if (is_in_default_stream(a) || is_in_default_stream(b)) {
    words.why =
        "a call without a stream argument uses the default stream, and streams created with "
        "cudaStreamNonBlocking do not synchronise with it";
    words.fix =
        "call cudaStreamSynchronize() on the other stream first, or use the Async variant of the "
        "call in that stream";
    return;
  }
  words.why = "work in different streams runs in any order or at the same time";
  words.fix =
      "use one stream for both, or call cudaEventRecord after the first and cudaStreamWaitEvent "
      "before the second";
}

void put_words_for_host(const found_place& a, const found_place& b, finding_words& words) {
  const found_place& other = a.is_on_host && !a.is_in_stream ? b : a;
  const std::string what = other.role == "copies"  ? "the call returns before the copy is done"
                           : other.role == "fills" ? "the call returns before the memset is done"
                           : other.is_in_stream ? "the stream calls the function at some later time"
                                                : "a launch returns before its kernel has run";
  words.why = what + ": the host does not wait automatically";
  words.fix = "call cudaDeviceSynchronize() or cudaStreamSynchronize() before the host accesses it";
}

// At least one side is an asynchronous copy that was not waited for.
finding_words words_of_copy(const found_place& a, const found_place& b, const std::string& name) {
  const auto who = [](const found_place& place) {
    return place.is_copy ? "an asynchronous copy" : "a thread";
  };
  const found_place& copy = a.is_copy ? a : b;
  const found_place& other = a.is_copy ? b : a;
  finding_words words;
  words.what = fmt::format("{} is {} by {} and {} by {}; nothing orders them",
                           name.empty() ? "memory" : name, done(a), who(a), done(b),
                           a.is_copy && b.is_copy ? "another one" : who(b));
  words.why = fmt::format(
      "the copy that lane {} of warp {} starts in line {} may still be in flight when lane {} of "
      "warp {} reaches line {}",
      copy.lane, copy.warp, copy.at.line, other.lane, other.warp, other.at.line);
  words.fix =
      "let the thread that started the copy wait for it (__pipeline_wait_prior, consumer_wait, "
      "cooperative_groups::wait), then call __syncthreads() for the other threads; or let all "
      "threads wait at the barrier that the copy was given";
  return words;
}

}  // namespace

finding_words words_of_race(const found& what) {
  const defect_kind& kind = find_kind(finding_kind::race);
  const defect_cause& cause =
      cause_of(what.cause == finding_cause::none ? finding_cause::unordered : what.cause);
  finding_words words{kind.title, kind.why, kind.fix};
  if (what.places.size() < 2) return words;
  // `a` is the side that should come first or, if that is unknown, the one that did.
  const found_place& a = what.places[1];
  const found_place& b = what.places[0];
  const distance far = distance_between(a, b);
  const std::string name = what.memory ? name_of(*what.memory) : "";
  if ((a.is_copy || b.is_copy) && far <= distance::grids && a.kernel == b.kernel) {
    words = words_of_copy(a, b, name);
    words.what = fmt::format("in kernel `{}`, {}", what.kernel, words.what);
    return words;
  }
  words.what =
      fmt::format("{} is {}; {}", name.empty() ? "memory" : name, sides(a, b, far), cause.sentence);
  if (!what.kernel.empty() && far <= distance::grid) {
    words.what = fmt::format("in kernel `{}`, {}", what.kernel, words.what);
  }
  if (far <= distance::grid) {
    words.why = why_in_grid(a, b, far, fact_of<heddle_host::unknown_order>(what) == nullptr);
    words.fix = fix_in_grid(a, b, far, what.memory ? what.memory->variable : "");
  } else if (far == distance::host) {
    put_words_for_host(a, b, words);
  } else {
    put_words_for_streams(a, b, words);
  }
  if (what.cause == finding_cause::scope && far == distance::host) {
    words.why = "an operation at block or device scope is atomic only among threads of the device";
    words.fix =
        "use system scope: atomicAdd_system instead of atomicAdd, or cuda::thread_scope_system";
  } else {
    if (*cause.why != '\0') words.why = cause.why;
    if (*cause.fix != '\0') words.fix = cause.fix;
  }
  return words;
}

}  // namespace heddle_report
