// The sentences of a finding, by its kind.
#include "report/finding_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "report/kinds.hpp"
#include "report/race_words.hpp"

namespace heddle_report {
namespace {

// `bins` from `cudaMalloc(&bins, 64)` or `cudaMalloc((void**)&bins, 64)`.
std::string name_in_call(const std::string& source) {
  std::size_t at = source.find("Malloc");
  if (at == source.npos) at = source.find("HostAlloc");
  if (at == source.npos) return {};
  at = source.find('(', at);
  if (at == source.npos) return {};
  const std::string_view rest = std::string_view(source).substr(at + 1);
  const std::size_t end = rest.find_first_of(",;");
  const std::string_view argument = rest.substr(0, end);
  const std::size_t address = argument.rfind('&');
  if (address == argument.npos) return {};
  std::string name;
  for (const char c : argument.substr(address + 1)) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '[' &&
        c != ']') {
      break;
    }
    name += c;
  }
  return name;
}

std::string in_kernel(const found& what) {
  return what.kernel.empty() ? std::string() : fmt::format("kernel `{}` ", what.kernel);
}

// "kernel `k` reads", "a copy overwrites"
std::string deed_of(const found& what) {
  if (what.places.empty()) return in_kernel(what) + "reads";
  const found_place& first = what.places.front();
  if (first.role == "copies") return first.overwrites ? "a copy overwrites" : "a copy reads";
  if (first.role == "fills") return "a memset overwrites";
  const std::string who = first.is_in_stream ? "a host function "
                          : first.is_on_host ? "the host "
                                             : in_kernel(what);
  return who + (first.role == "writes" || first.role == "updates" ? first.role : "reads");
}

std::string bytes_words(std::uint64_t bytes) {
  return bytes == 1 ? "1 byte" : fmt::format("{} bytes", bytes);
}

// "4 bytes, 0 bytes behind the end of the 64 in `bins`"
std::string bounds_sentence(const found& what) {
  if (what.detail.starts_with("index ")) {
    std::string told = what.detail;
    const std::size_t array = told.find("an array");
    if (what.memory && array != told.npos) told.insert(array, name_of(*what.memory) + ", ");
    return fmt::format("kernel `{}`: {}", what.kernel, told);
  }
  if (!what.memory || what.memory->bytes == 0) {
    return fmt::format("{} memory that is not there{}", deed_of(what),
                       what.detail.empty() ? "" : " (" + what.detail + ")");
  }
  const found_memory& memory = *what.memory;
  const auto size = static_cast<std::int64_t>(memory.bytes);
  const std::string name = name_of(memory).empty() ? "an allocation" : name_of(memory);
  const std::string where =
      memory.offset < 0       ? fmt::format("{} before the begin",
                                            bytes_words(static_cast<std::uint64_t>(-memory.offset)))
      : memory.offset == size ? std::string("right behind the end")
      : memory.offset > size
          ? fmt::format("{} behind the end",
                        bytes_words(static_cast<std::uint64_t>(memory.offset - size)))
          : std::string("across the end");
  return fmt::format("{} {} {} of {}, which has {}", deed_of(what),
                     bytes_words(memory.access_bytes), where, name, bytes_words(memory.bytes));
}

std::string freed_sentence(const found& what) {
  const std::string name = what.memory ? name_of(*what.memory) : "";
  const std::string where = what.memory && what.memory->freed.line != 0
                                ? fmt::format(" at {}", words_of(what.memory->freed))
                                : std::string();
  const bool was_in_time = what.detail.starts_with("nothing orders");
  return fmt::format("{} {}, which {} freed{}{}", deed_of(what), name.empty() ? "memory" : name,
                     was_in_time ? "may already be" : "was", where,
                     was_in_time ? " in another stream; nothing orders the two" : "");
}

std::string unwritten_sentence(const found& what) {
  const std::string name = what.memory ? name_of(*what.memory) : "";
  const bool is_one = what.memory && what.memory->access_bytes == 1;
  const bool are_some = !what.memory || what.memory->access_bytes == 0;
  return fmt::format("{} {}, of which {} nobody has written, and the run depends on {}",
                     deed_of(what), name.empty() ? "memory" : name,
                     are_some ? "some bytes" : bytes_words(what.memory->access_bytes),
                     is_one ? "it" : "them");
}

std::string leak_sentence(const found& what) {
  if (!what.memory) return what.detail.empty() ? "something is never given back" : what.detail;
  const std::string name = name_of(*what.memory);
  return fmt::format("{}{} {} never freed", name.empty() ? "" : name + ": ",
                     bytes_words(what.memory->bytes), what.memory->bytes == 1 ? "is" : "are");
}

std::string active_lanes_sentence(const found& what) {
  return fmt::format("the result of kernel `{}` depends on which lanes happen to be together here",
                     what.kernel);
}

// "kernel `k`: lanes of one mask wait in different operations"
std::string told_sentence(const found& what, const defect_kind* kind) {
  std::string told = what.detail;
  if (told.empty()) told = kind == nullptr ? what.kind : kind->title;
  return what.kernel.empty() ? told : fmt::format("kernel `{}`: {}", what.kernel, told);
}

// A copy can also have a size that is not as it must be.
bool is_about_size(const found& what) { return what.detail.starts_with("the size of "); }

bool is_of_async_copy(const found& what) {
  return !what.places.empty() && what.places.front().is_copy;
}

// "an asynchronous copy of kernel `k` writes shared `tile`, which begins at no multiple of the 16
// bytes that it needs"
std::string misaligned_copy_sentence(const found& what) {
  const bool is_told = what.memory && what.memory->bytes != 0 && !is_about_size(what);
  if (!is_told) return told_sentence(what, find_kind(what.kind));
  const found_memory& memory = *what.memory;
  const std::string name = name_of(memory);
  const bool begins_askew = memory.offset % static_cast<std::int64_t>(memory.access_bytes) == 0;
  return fmt::format(
      "an asynchronous copy of {} {}{} no multiple of the {} bytes that it needs", deed_of(what),
      name.empty() ? "memory" : name,
      begins_askew ? ", which begins at" : fmt::format(" at byte {}, which is", memory.offset),
      memory.access_bytes);
}

// "kernel `k` writes `sums` at byte 260, which is no multiple of 8"
std::string misaligned_sentence(const found& what) {
  if (is_of_async_copy(what)) return misaligned_copy_sentence(what);
  const bool is_told =
      what.memory && what.memory->bytes != 0 && what.memory->access_bytes != 0 &&
      what.memory->offset % static_cast<std::int64_t>(what.memory->access_bytes) != 0;
  if (!is_told) return told_sentence(what, find_kind(what.kind));
  const std::string name = name_of(*what.memory);
  return fmt::format("{} {} at byte {}, which is no multiple of the {} bytes that the type needs",
                     deed_of(what), name.empty() ? "memory" : name, what.memory->offset,
                     what.memory->access_bytes);
}

void tell_of_copy(const found& what, finding_words& words) {
  if (is_about_size(what)) {
    words.why = "a GPU copies more bytes or fewer, or ends the kernel";
    words.fix = "whole multiples, with room for them on both sides, or a copy that needs less";
  } else {
    words.fix =
        "alignas for a variable, rows that begin at such multiples, or a copy that needs less";
  }
}

// Lanes that look at memory wait for what another lane would have to write.
void tell_of_spinning(const found& what, finding_words& words) {
  for (const found_place& place : what.places) {
    if (place.role != "spins") continue;
    words.why = "they look for a value that only one who waits himself, or nobody, would write";
    words.fix =
        "locks: in one order everywhere, never the same one twice, and given back on every way "
        "out; "
        "flags: somebody sets them before he waits himself";
    return;
  }
}

// The runtime's text begins with the place, which stands in a line of its own here.
std::string assert_sentence(const found& what) {
  const std::size_t at = what.detail.find("Assertion ");
  return fmt::format("kernel `{}`: {}", what.kernel,
                     at == what.detail.npos ? what.detail : what.detail.substr(at));
}

}  // namespace

std::string short_path(const std::string& file) {
  if (file.empty() || file[0] != '/') return file;
  std::error_code failure;
  const auto here = std::filesystem::current_path(failure);
  if (failure) return file;
  const std::string relative = std::filesystem::path(file).lexically_relative(here).string();
  return relative.empty() || relative.starts_with("..") ? file : relative;
}

std::string words_of(const source_place& at) {
  return at.file.empty() ? std::string() : fmt::format("{}:{}", short_path(at.file), at.line);
}

std::string index_words(const std::array<unsigned, 3>& index) {
  return index[1] == 0 && index[2] == 0 ? fmt::format("{}", index[0])
                                        : fmt::format("({},{},{})", index[0], index[1], index[2]);
}

std::string words_of_lane(const found_place& place, bool names_kernel) {
  if (place.role == "launches") return fmt::format("kernel `{}`", place.kernel);
  const bool is_errand = place.role == "copies" || place.role == "fills";
  if (place.is_in_stream) return is_errand ? "in a stream" : "a host function in a stream";
  if (place.is_on_host) return "the host";
  return fmt::format("{}block {}, warp {}, lane {} = thread {}",
                     names_kernel ? fmt::format("kernel `{}`, ", place.kernel) : "",
                     index_words(place.block), place.warp, place.lane, index_words(place.thread));
}

std::string name_of(const found_memory& memory) {
  if (!memory.variable.empty()) {
    return fmt::format("{}`{}`", memory.is_shared ? "shared " : "", memory.variable);
  }
  if (memory.is_shared) return "dynamic shared memory";
  const std::string name = name_in_call(memory.allocated.source);
  return name.empty() ? std::string() : fmt::format("`{}`", name);
}

std::string words_of(const found_memory& memory) {
  if (memory.bytes == 0) return {};
  const std::string name = name_of(memory);
  std::string text = fmt::format("byte {} of {}{}", memory.offset, memory.bytes,
                                 name.empty() ? "" : " in " + name);
  if (memory.allocated.line != 0)
    text += fmt::format(", {} at {}", memory.is_declared ? "declared" : "allocated",
                        words_of(memory.allocated));
  if (memory.freed.line != 0) text += fmt::format(", freed at {}", words_of(memory.freed));
  return text;
}

finding_words words_of(const found& what) {
  if (what.kind == "race") return words_of_race(what);
  const defect_kind* const kind = find_kind(what.kind);
  finding_words words;
  if (kind != nullptr) words = {{}, kind->why, kind->fix};
  const auto is_gone = [](const found_place& place) { return place.role == "exits"; };
  const bool is_left_behind = std::any_of(what.places.begin(), what.places.end(), is_gone);
  if (is_left_behind) {
    words.fix =
        what.kind == "mask"
            ? "let all lanes stay until the last warp operation, the idle ones with a value "
              "that changes nothing"
            : "let each thread give back what it holds on every way out";
  }
  if (what.kind == "api-error" && !what.places.empty() && !what.places.front().is_on_host) {
    words.why = "the kernel calls what only another kind of launch gives it";
    words.fix =
        "launch it so: cudaLaunchCooperativeKernel, or cudaLaunchKernelEx with the attribute";
  }
  words.what = what.kind == "out-of-bounds"        ? bounds_sentence(what)
               : what.kind == "use-after-free"     ? freed_sentence(what)
               : what.kind == "uninitialized"      ? unwritten_sentence(what)
               : what.kind == "leak"               ? leak_sentence(what)
               : what.kind == "assert"             ? assert_sentence(what)
               : what.kind == "schedule-dependent" ? active_lanes_sentence(what)
               : what.kind == "misaligned"         ? misaligned_sentence(what)
                                                   : told_sentence(what, kind);
  if (what.kind == "misaligned" && is_of_async_copy(what)) tell_of_copy(what, words);
  if (what.kind == "deadlock" && !is_left_behind) tell_of_spinning(what, words);
  if (what.detail.starts_with("the direction of the copy")) {
    words.fix = "cudaMemcpyDefault, which looks at the pointers, or the direction that suits them";
  }
  return words;
}

}  // namespace heddle_report
