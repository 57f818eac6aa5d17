// Walks over the declarations and tests that precede a kernel's real work:
//
//   const int i = blockIdx.x * blockDim.x + threadIdx.x;
//   if (i >= n) return;
#include "frontend/rewrite/lane_tests.hpp"

#include <set>
#include <string>

#include "frontend/rewrite/plain_names.hpp"

namespace heddle::frontend {
namespace {

constexpr int most_indices = 8;  // as in heddle_host/lane_row.hpp

// A type whose values are numbers of at least 32 bits, as text; empty for any other.
std::string integer_type(const structure& shape, std::size_t from, std::size_t to) {
  static const std::set<std::string_view> integers{"int",       "unsigned", "long",      "size_t",
                                                   "ptrdiff_t", "int32_t",  "int64_t",   "uint32_t",
                                                   "uint64_t",  "intptr_t", "uintptr_t", "uint"};
  std::string type;
  for (std::size_t i = from; i < to; ++i) {
    if (shape.is(i, "const")) continue;
    if (integers.count(shape.at(i).text) == 0) return "";
    type += (type.empty() ? "" : " ") + std::string(shape.at(i).text);
  }
  return type;
}

class test_finder {
 public:
  test_finder(const structure& shape, const code_reader& reader, const scope& kernel,
              edits& changes)
      : shape_(shape), reader_(reader), kernel_(kernel), changes_(changes) {}

  void run() {
    std::size_t at = kernel_.open + 1;
    while (at < kernel_.close) {
      const std::size_t next = take(at);
      if (next == at) break;
      at = next;
    }
    if (at >= kernel_.close || takes_last_test(at)) return;
    changes_.insert_before(at, "if (heddle_lane.is_trying()) return; ");
  }

 private:
  // One past the statement if it comes before the real work; `at` otherwise.
  std::size_t take(std::size_t at) {
    if (shape_.is(at, "if")) return take_exit(at);
    if (!reader_.is_type_word(at)) return at;
    std::size_t end = at;
    while (!shape_.is(end, ";")) end = opens(end) ? shape_.after(end) : end + 1;
    if (!reader_.is_repeatable(at, end)) return at;
    mark_indices(at, end);
    return end + 1;
  }

  // `if (i >= n) return;`
  std::size_t take_exit(std::size_t at) {
    if (!shape_.is(at + 1, "(")) return at;
    const std::size_t close = shape_.partner(at + 1);
    std::size_t word = close + 1;
    const bool is_block = shape_.is(word, "{");
    if (is_block) ++word;
    if (!shape_.is(word, "return") || !shape_.is(word + 1, ";")) return at;
    const std::size_t end = is_block ? word + 3 : word + 2;
    if (is_block && !shape_.is(word + 2, "}")) return at;
    if (shape_.is(end, "else") || !reader_.is_repeatable(at + 2, close)) return at;
    mark_test(at + 1, "heddle_lane.leaves(");
    return end;
  }

  // `if (i < n) { … }` at the end of the kernel.
  bool takes_last_test(std::size_t at) {
    if (!shape_.is(at, "if") || !shape_.is(at + 1, "(")) return false;
    const std::size_t close = shape_.partner(at + 1);
    std::size_t end = close + 1;
    while (!shape_.is(end, ";") && !shape_.is(end, "{"))
      end = opens(end) ? shape_.after(end) : end + 1;
    if (shape_.is(end, "{")) end = shape_.partner(end);
    // The body may be another `if`, which continues after its first statement.
    if (shape_.is(close + 1, "if") || end + 1 != kernel_.close) return false;
    if (!reader_.is_repeatable(at + 2, close)) return false;
    mark_test(at + 1, "heddle_lane.enters(");
    return true;
  }

  void mark_test(std::size_t open, const std::string& call) {
    changes_.insert_after(open, call);
    changes_.insert_before(shape_.partner(open), ")");
  }

  // `int x = … + threadIdx.x, y = …;`
  void mark_indices(std::size_t from, std::size_t end) {
    const std::size_t names = reader_.after_type(from);
    const std::string type = integer_type(shape_, from, names);
    for (std::size_t at = names; at < end;) {
      std::size_t next = at;
      while (next < end && !shape_.is(next, ","))
        next = opens(next) ? shape_.after(next) : next + 1;
      const bool is_plain = shape_.is_name(at) && shape_.is(at + 1, "=");
      if (is_plain && !type.empty() && most_indices > indices_ && grows_by_one(at + 2, next)) {
        changes_.insert_after(
            at + 1, " heddle_lane.index<" + type + ">(" + std::to_string(indices_++) + ", ");
        changes_.insert_before(next, ")");
        if (!reader_.changes(shape_.at(at).text)) indexed_.insert(shape_.at(at).text);
      }
      at = next + 1;
    }
  }

  // Whether exactly one term of the sum is `threadIdx.x` or a variable that grows with it. This is
  // only a guess; the runtime compares the values.
  bool grows_by_one(std::size_t from, std::size_t to) const {
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
        if (opens(i)) i = shape_.after(i) - 1;
        if (shape_.at(i).kind == token_kind::punctuation && !is_sum(i)) return false;
        continue;
      }
      const std::size_t after = is_thread(i) ? i + 3 : i + 1;
      const bool is_first = i == from || shape_.is(i - 1, "+");
      const bool is_last = after == to || shape_.is(after, "+") || shape_.is(after, "-");
      if (!is_first || !is_last) return false;
      ++terms;
      i = after - 1;
    }
    return terms == 1;
  }

  bool is_thread(std::size_t i) const { return shape_.is(i, "threadIdx") && shape_.is(i + 2, "x"); }
  bool is_indexed(std::size_t i) const {
    return shape_.is_name(i) && !shape_.is(i - 1, ".") && indexed_.count(shape_.at(i).text) != 0;
  }
  bool is_sum(std::size_t i) const {
    return shape_.is(i, "+") || shape_.is(i, "-") || shape_.is(i, "*") || shape_.is(i, ".") ||
           shape_.is(i, ")");
  }
  bool opens(std::size_t i) const {
    return shape_.is(i, "(") || shape_.is(i, "[") || shape_.is(i, "{");
  }

  const structure& shape_;
  const code_reader& reader_;
  const scope& kernel_;
  edits& changes_;
  int indices_ = 0;
  std::set<std::string_view> indexed_;
};

}  // namespace

void mark_lane_tests(const structure& shape, const code_reader& reader, const scope& kernel,
                     edits& changes) {
  test_finder(shape, reader, kernel, changes).run();
}

}  // namespace heddle::frontend
