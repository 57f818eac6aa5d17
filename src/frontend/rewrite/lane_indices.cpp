// Guesses from the text which variables grow by one. The runtime compares the values.
#include "frontend/rewrite/lane_indices.hpp"

#include "frontend/rewrite/block_groups.hpp"

namespace heddle::frontend {
namespace {

constexpr int most_indices = 8;  // as in heddle_host/lane_row.hpp

// A type whose values are numbers of at least 32 bits, as text; empty for any other.
std::string integer_type(const structure& shape, const token_range& range) {
  static const std::set<std::string_view> integers{"int",       "unsigned", "long",      "size_t",
                                                   "ptrdiff_t", "int32_t",  "int64_t",   "uint32_t",
                                                   "uint64_t",  "intptr_t", "uintptr_t", "uint"};
  std::string type;
  for (std::size_t i = range.from; i < range.to; ++i) {
    if (shape.is(i, "const")) continue;
    if (integers.count(shape.at(i).text) == 0) return "";
    type += (type.empty() ? "" : " ") + std::string(shape.at(i).text);
  }
  return type;
}

bool opens(const structure& shape, std::size_t i) {
  return shape.is(i, "(") || shape.is(i, "[") || shape.is(i, "{");
}

}  // namespace

std::string lane_indices::mark(const token_range& type, std::size_t name,
                               const token_range& value) {
  const std::string integer = integer_type(shape_, type);
  if (integer.empty() || count_ == most_indices || !grows_by_one(value)) return "";
  std::size_t term = value.from;
  while (!is_thread(term) && !is_indexed(term)) ++term;
  do_ends_suffice_ &= is_alike_in_row(value, term);
  if (!reader_.changes(shape_.at(name).text)) indexed_.insert(shape_.at(name).text);
  return next(integer);
}

std::string lane_indices::mark_stored(const token_range& type, std::size_t name) {
  const std::string integer = integer_type(shape_, type);
  if (integer.empty() || count_ == most_indices) return "";
  do_ends_suffice_ = false;
  indexed_.insert(shape_.at(name).text);
  return next(integer);
}

std::string lane_indices::next(const std::string& type) {
  return " heddle_lane.index<" + type + ">(" + std::to_string(count_++) + ", ";
}

void lane_indices::declare(std::size_t name, const token_range& value) {
  const std::string_view text = shape_.at(name).text;
  if (is_alike_in_row(value) && !reader_.changes(text)) alike_.insert(text);
}

// Lanes that pass `i < n && j < m` are neighbours: each comparison holds up to a lane or from a
// lane on, and so does the opposite of each comparison in `i >= n || j >= m`.
void lane_indices::add_test(const token_range& condition, bool leaves) {
  const std::string_view connective = leaves ? "||" : "&&";
  std::size_t from = condition.from;
  for (std::size_t i = from; i <= condition.to; ++i) {
    if (i < condition.to && opens(shape_, i)) i = shape_.after(i) - 1;
    if (i != condition.to && !shape_.is(i, connective)) continue;
    do_ends_suffice_ &= is_monotonic({from, i});
    from = i + 1;
  }
}

// `i < n - 1`, or what does not depend on the lane.
bool lane_indices::is_monotonic(token_range test) const {
  while (shape_.is(test.from, "(") && shape_.after(test.from) == test.to)
    test = {test.from + 1, test.to - 1};
  if (is_alike_in_row(test)) return true;
  for (const std::string_view comparison : {"<", "<=", ">", ">="}) {
    const bool begins = is_indexed(test.from) && shape_.is(test.from + 1, comparison);
    const bool ends = is_indexed(test.to - 1) && shape_.is(test.to - 2, comparison);
    if (begins && is_alike_in_row({test.from + 2, test.to})) return true;
    if (ends && is_alike_in_row({test.from, test.to - 2})) return true;
  }
  return false;
}

// Whether an expression, without one of its terms, has the same value in all lanes of a row.
bool lane_indices::is_alike_in_row(const token_range& range, std::size_t except) const {
  for (std::size_t i = range.from; i < range.to; ++i) {
    if (i == except || !shape_.is_name(i) || shape_.is(i - 1, ".")) continue;
    const auto use = reader_.uses().find(i);
    const std::string_view name = shape_.at(i).text;
    const bool is_parameter = use != reader_.uses().end() && reader_.is_parameter(use->second);
    const bool is_known = is_thread(i)                  ? false
                          : use == reader_.uses().end() ? true
                          : is_parameter                ? !reader_.changes(name)
                                                        : alike_.count(name) != 0;
    if (!is_known) return false;
  }
  return true;
}

// Whether exactly one term of the sum is `threadIdx.x` or a variable that grows with it.
bool lane_indices::grows_by_one(token_range value) const {
  auto& [from, to] = value;
  for (bool is_inner = true; is_inner;) {  // `(…)`, `int(…)`, `(int)(…)`, `static_cast<int>(…)`
    std::size_t open = from;
    if (shape_.is(from, "static_cast") && shape_.is(from + 1, "<"))
      open = shape_.after_angles(from + 1);
    else if (reader_.is_type_word(from))
      open = from + 1;
    else if (shape_.is(from, "(") && shape_.is(shape_.after(from), "(") &&
             reader_.after_type(from + 1) + 1 == shape_.after(from))
      open = shape_.after(from);
    is_inner = shape_.is(open, "(") && shape_.after(open) == to;
    if (is_inner) {
      from = open + 1;
      to = to - 1;
    }
  }
  unsigned terms = 0;
  for (std::size_t i = from; i < to; ++i) {
    const bool is_index = is_thread(i) || is_indexed(i);
    if (!is_index) {
      if (opens(shape_, i)) i = shape_.after(i) - 1;
      if (shape_.at(i).kind == token_kind::punctuation && !is_sum(i)) return false;
      continue;
    }
    const std::size_t after = is_thread(i) ? after_thread(i) : i + 1;
    const bool is_first = i == from || shape_.is(i - 1, "+");
    const bool is_last = after == to || shape_.is(after, "+") || shape_.is(after, "-");
    if (!is_first || !is_last) return false;
    ++terms;
    i = after - 1;
  }
  return terms == 1;
}

// One past `threadIdx.x` or `block.thread_rank()`.
std::size_t lane_indices::after_thread(std::size_t i) const {
  if (shape_.is(i, "threadIdx") && shape_.is(i + 2, "x")) return i + 3;
  const bool is_rank = reader_.group_uses().count(i) != 0 && asks_for_rank(shape_, i);
  return is_rank ? i + 5 : i;
}

bool lane_indices::is_indexed(std::size_t i) const {
  return shape_.is_name(i) && !shape_.is(i - 1, ".") && indexed_.count(shape_.at(i).text) != 0;
}

bool lane_indices::is_sum(std::size_t i) const {
  return shape_.is(i, "+") || shape_.is(i, "-") || shape_.is(i, "*") || shape_.is(i, ".") ||
         shape_.is(i, ")");
}

}  // namespace heddle::frontend
