// Walks over the declarations and tests that precede a kernel's real work:
//
//   const int i = blockIdx.x * blockDim.x + threadIdx.x;
//   if (i >= n) return;
#include "frontend/rewrite/lane_tests.hpp"

#include <string>

namespace heddle::frontend {
namespace {

class test_finder {
 public:
  test_finder(const structure& shape, const code_reader& reader, lane_indices& indices,
              std::size_t end, edits& changes)
      : shape_(shape), reader_(reader), indices_(indices), end_(end), changes_(changes) {}

  void run(std::size_t at) {
    while (at < end_) {
      const std::size_t next = take(at);
      if (next == at) break;
      at = next;
    }
    if (at >= end_ || takes_last_test(at)) return;
    changes_.insert_before(at, "if (heddle_lane.is_trying()) return; ");
  }

 private:
  // One past the statement if it comes before the real work; `at` otherwise.
  std::size_t take(std::size_t at) {
    if (shape_.is(at, "if")) return take_exit(at);
    if (!reader_.is_type_word(at) && !changes_.is_erased(at)) return at;
    std::size_t end = at;
    while (!shape_.is(end, ";")) end = opens(end) ? shape_.after(end) : end + 1;
    if (changes_.is_erased(end)) return end + 1;  // the whole statement was removed
    if (!reader_.is_repeatable(at, end)) return at;
    if (!changes_.is_erased(at)) mark_indices(at, end);
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
    if (shape_.is(close + 1, "if") || end + 1 != end_) return false;
    if (!reader_.is_repeatable(at + 2, close)) return false;
    mark_test(at + 1, "heddle_lane.enters(");
    return true;
  }

  void mark_test(std::size_t open, const std::string& call) {
    indices_.add_test({open + 1, shape_.partner(open)}, call == "heddle_lane.leaves(");
    changes_.insert_after(open, call);
    changes_.insert_before(shape_.partner(open), ")");
  }

  // `int x = … + threadIdx.x, y = …;`
  void mark_indices(std::size_t from, std::size_t end) {
    const std::size_t names = reader_.after_type(from);
    for (std::size_t at = names; at < end;) {
      std::size_t next = at;
      while (next < end && !shape_.is(next, ","))
        next = opens(next) ? shape_.after(next) : next + 1;
      const bool is_plain = shape_.is_name(at) && shape_.is(at + 1, "=");
      const std::string marked =
          is_plain ? indices_.mark({from, names}, at, {at + 2, next}) : std::string();
      if (is_plain) indices_.declare(at, {at + 2, next});
      if (!marked.empty()) {
        changes_.insert_after(at + 1, marked);
        changes_.insert_before(next, ")");
      }
      at = next + 1;
    }
  }

  bool opens(std::size_t i) const {
    return shape_.is(i, "(") || shape_.is(i, "[") || shape_.is(i, "{");
  }

  const structure& shape_;
  const code_reader& reader_;
  lane_indices& indices_;
  const std::size_t end_;
  edits& changes_;
};

}  // namespace

void mark_lane_tests(const structure& shape, const code_reader& reader, const token_range& code,
                     lane_indices& indices, edits& changes) {
  test_finder(shape, reader, indices, code.to, changes).run(code.from);
}

}  // namespace heddle::frontend
