// Writes the sentences of a finding, by kind.
#include "report/check/finding_words.hpp"

#include <fmt/core.h>

#include "report/check/causes.hpp"
#include "report/check/kinds.hpp"
#include "report/check/launch_limits.hpp"
#include "report/check/place_words.hpp"
#include "report/check/race_words.hpp"

namespace heddle_report {
namespace {

std::string in_kernel(const found& what) {
  return what.kernel.empty() ? std::string() : fmt::format("kernel `{}` ", what.kernel);
}

// "kernel `k` reads", "a copy overwrites"
std::string action_of(const found& what) {
  if (what.places.empty()) return in_kernel(what) + "reads";
  const found_place& first = what.places.front();
  if (first.role == "copies") return first.overwrites ? "a copy overwrites" : "a copy reads";
  if (first.role == "fills") return "a memset overwrites";
  const std::string who = first.is_in_stream ? "a host function "
                          : first.is_on_host ? "the host "
                                             : in_kernel(what);
  const bool is_specific =
      first.role == "reads" || first.role == "writes" || first.role == "updates";
  return who + (is_specific ? first.role : "accesses");
}

std::string bytes_words(std::uint64_t bytes) {
  return bytes == 1 ? "1 byte" : fmt::format("{} bytes", bytes);
}

std::string name_or(const found& what, const char* unknown) {
  const std::string name = what.memory ? name_of(*what.memory) : "";
  return name.empty() ? unknown : name;
}

// "kernel `k`: lanes named in one mask wait in different operations"
std::string with_kernel(const found& what, const std::string& sentence) {
  return what.kernel.empty() ? sentence : fmt::format("kernel `{}`: {}", what.kernel, sentence);
}

std::string with_kernel(const found& what) {
  const std::string sentence = cause_of(what.cause).sentence;
  return with_kernel(what, sentence.empty() ? find_kind(what.kind).title : sentence);
}

std::string index_sentence(const found& what, const heddle_host::array_index& left) {
  const std::string name = what.memory ? name_of(*what.memory) : "";
  return with_kernel(what, fmt::format("index {} is out of bounds for {}an array of type {}",
                                       left.index, name.empty() ? "" : name + ", ", left.array));
}

// "kernel `k` reads 4 bytes just past the end of `bins`, which has 64 bytes"
std::string bounds_sentence(const found& what) {
  if (const auto* const left = fact_of<heddle_host::array_index>(what)) {
    return index_sentence(what, *left);
  }
  if (const auto* const fault = fact_of<heddle_host::raised_signal>(what)) {
    return fmt::format("{}accesses unmapped memory at address 0x{:x}", in_kernel(what),
                       fault->address);
  }
  if (!what.memory || what.memory->bytes == 0) {
    return fmt::format("{} memory that is not allocated", action_of(what));
  }
  const found_memory& memory = *what.memory;
  const auto size = static_cast<std::int64_t>(memory.bytes);
  const std::string where =
      memory.offset < 0       ? fmt::format(", {} before the start",
                                            bytes_words(static_cast<std::uint64_t>(-memory.offset)))
      : memory.offset == size ? std::string(" just past the end")
      : memory.offset > size
          ? fmt::format(", {} past the end",
                        bytes_words(static_cast<std::uint64_t>(memory.offset - size)))
          : std::string(" across the end");
  return fmt::format("{} {}{} of {}, which has {}", action_of(what),
                     bytes_words(memory.access_bytes), where, name_or(what, "an allocation"),
                     bytes_words(memory.bytes));
}

std::string freed_sentence(const found& what) {
  if (what.cause == finding_cause::ended_scope) {
    return fmt::format("{} {} after the end of its scope", action_of(what),
                       name_or(what, "a local array"));
  }
  if (what.cause == finding_cause::exited_block) {
    return fmt::format("{} {} of another block of its cluster after that block has exited",
                       action_of(what), name_or(what, "shared memory"));
  }
  const std::string where = what.memory && what.memory->freed.line != 0
                                ? fmt::format(" at {}", words_of(what.memory->freed))
                                : std::string();
  if (what.cause == finding_cause::unordered) {
    return fmt::format(
        "{} {}, which may already be freed{} in another stream; nothing orders the two",
        action_of(what), name_or(what, "memory"), where);
  }
  return fmt::format(
      "{} {}, which was freed{}",
      what.cause == finding_cause::freed_twice ? in_kernel(what) + "frees" : action_of(what),
      name_or(what, "memory"), where);
}

// A program started directly runs only once, so nothing has judged its candidates.
std::string unwritten_sentence(const found& what) {
  const std::uint64_t bytes = what.memory ? what.memory->access_bytes : 0;  // 0: unknown
  return fmt::format("{} {} of {} that {} never written{}", action_of(what),
                     bytes == 0 ? "bytes" : bytes_words(bytes), name_or(what, "memory"),
                     bytes == 1 ? "was" : "were",
                     what.is_candidate ? ""
                     : bytes == 1      ? ", and the result depends on it"
                                       : ", and the result depends on them");
}

std::string leak_sentence(const found& what) {
  if (!what.memory || what.memory->bytes == 0) return with_kernel(what);
  const std::string name = name_of(*what.memory);
  return fmt::format("{}{} {} never freed", name.empty() ? "" : name + ": ",
                     bytes_words(what.memory->bytes), what.memory->bytes == 1 ? "is" : "are");
}

// "an asynchronous copy of kernel `k` writes shared `tile` at byte 4, but the copy needs 16-byte
// alignment"
std::string misaligned_copy_sentence(const found& what, const heddle_host::alignment_rule& rule) {
  if (what.cause == finding_cause::copy_size) {
    return with_kernel(
        what,
        fmt::format("the size of an asynchronous copy is {} bytes; it must be {}", rule.size,
                    rule.multiple_of == 0 ? std::string("4, 8 or 16")
                                          : fmt::format("a multiple of {}", rule.multiple_of)));
  }
  const std::string needs = fmt::format("the copy needs {}-byte alignment", rule.multiple_of);
  if (!what.memory || what.memory->bytes == 0) {
    return with_kernel(
        what,
        fmt::format("the address that an asynchronous copy {} is misaligned: {}",
                    what.cause == finding_cause::copy_source ? "reads from" : "writes to", needs));
  }
  const bool starts_misaligned =
      rule.multiple_of != 0 &&
      what.memory->offset % static_cast<std::int64_t>(rule.multiple_of) == 0;
  return fmt::format("an asynchronous copy of {} {}{} {}", action_of(what), name_or(what, "memory"),
                     starts_misaligned ? ", which is misaligned:"
                                       : fmt::format(" at byte {}, but", what.memory->offset),
                     needs);
}

// "kernel `k` writes `sums` at byte 260, but the type needs 8-byte alignment"
std::string misaligned_sentence(const found& what) {
  const auto* const rule = fact_of<heddle_host::alignment_rule>(what);
  if (rule == nullptr) return with_kernel(what);
  if (what.cause != finding_cause::type_alignment &&
      what.cause != finding_cause::atomic_alignment) {
    return misaligned_copy_sentence(what, *rule);
  }
  const std::string needs = fmt::format(
      "the {} needs {}-byte alignment",
      what.cause == finding_cause::type_alignment ? "type" : "atomic operation", rule->multiple_of);
  const bool shows_offset = what.memory && what.memory->bytes != 0 && rule->multiple_of != 0 &&
                            what.memory->offset % static_cast<std::int64_t>(rule->multiple_of) != 0;
  if (!shows_offset) return with_kernel(what, "the address is misaligned: " + needs);
  return fmt::format("{} {} at byte {}, but {}", action_of(what), name_or(what, "memory"),
                     what.memory->offset, needs);
}

std::string unfinished_sentence(const found& what) {
  const auto* const limit = fact_of<heddle_host::time_limit>(what);
  if (limit == nullptr) return with_kernel(what);
  return fmt::format(
      "{}was stopped after {:g} second{} without progress: none of its threads started, finished "
      "or reached a barrier or warp operation",
      in_kernel(what), limit->seconds, limit->seconds == 1 ? "" : "s");
}

std::string stack_sentence(const found& what) {
  const auto* const limit = fact_of<heddle_host::stack_limit>(what);
  if (limit == nullptr) return with_kernel(what);
  return fmt::format("{}needs more than the {} KiB stack of a thread", in_kernel(what),
                     limit->bytes / 1024);
}

std::string call_sentence(const found& what) {
  const auto* const error = fact_of<heddle_host::cuda_error>(what);
  if (error == nullptr) return with_kernel(what);
  return with_kernel(what, fmt::format("a call fails with {}: {}", error->name, error->text));
}

std::string assert_sentence(const found& what) {
  const auto* const failed = fact_of<heddle_host::failed_assertion>(what);
  if (failed == nullptr) return with_kernel(what);
  return with_kernel(what, fmt::format("Assertion `{}` failed.", failed->condition));
}

std::string aba_sentence(const found& what) {
  return with_kernel(what,
                     "the compare-and-swap succeeds although the location changed and changed back "
                     "after the lane read it");
}

std::string shift_sentence(const found& what) {
  const auto* const shift = fact_of<heddle_host::shift_distance>(what);
  if (shift == nullptr) return with_kernel(what);
  return fmt::format("{}shifts a value of {} bits by {}", in_kernel(what), shift->width,
                     shift->distance);
}

std::string active_lanes_sentence(const found& what) {
  return fmt::format("the result{} {} on which lanes happen to be converged here",
                     what.kernel.empty() ? "" : fmt::format(" of kernel `{}`", what.kernel),
                     what.is_candidate ? "may depend" : "depends");
}

std::string sentence_of(const found& what) {
  switch (what.kind) {
    case finding_kind::out_of_bounds:
      return bounds_sentence(what);
    case finding_kind::use_after_free:
      return freed_sentence(what);
    case finding_kind::uninitialized:
      return unwritten_sentence(what);
    case finding_kind::leak:
      return leak_sentence(what);
    case finding_kind::assertion:
      return assert_sentence(what);
    case finding_kind::schedule_dependent:
      return what.cause == finding_cause::different_results ? with_kernel(what)
                                                            : active_lanes_sentence(what);
    case finding_kind::misaligned:
      return misaligned_sentence(what);
    case finding_kind::unfinished:
      return unfinished_sentence(what);
    case finding_kind::stack_overflow:
      return stack_sentence(what);
    case finding_kind::api_error:
      return call_sentence(what);
    case finding_kind::aba:
      return aba_sentence(what);
    case finding_kind::wide_shift:
      return shift_sentence(what);
    default:  // the tables of kinds and causes have the complete sentence
      return with_kernel(what);
  }
}

}  // namespace

finding_words words_of(const found& what) {
  if (what.kind == finding_kind::race) return words_of_race(what);
  const defect_kind& kind = find_kind(what.kind);
  const defect_cause& cause = cause_of(what.cause);
  finding_words words{sentence_of(what), *cause.why != '\0' ? cause.why : kind.why,
                      *cause.fix != '\0' ? cause.fix : kind.fix};
  const auto* const refused = fact_of<heddle_host::cuda_error>(what);
  if (refused != nullptr && refused->limit.which != heddle_host::launch_limit::none) {
    const auto [why, fix] = words_of(refused->limit);
    words.why = why;
    words.fix = fix;
  }
  // Lanes that poll memory wait for a write by another lane.
  if (what.kind == finding_kind::deadlock && what.cause == finding_cause::standstill) {
    words.why =
        "they poll for a value that only a waiting thread, or no thread at all, would write";
    words.fix =
        "locks: acquire them in the same order everywhere, never the same one twice, and release "
        "them on every exit path; flags: set them before waiting";
  }
  return words;
}

}  // namespace heddle_report
