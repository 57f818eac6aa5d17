// Finds the shifts among the tokens. A shift that is not recognised keeps its meaning in C++.
#include "frontend/rewrite/shifts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace heddle::frontend {
namespace {

constexpr std::string_view mark = "::heddle_host::as_gpu";
constexpr unsigned least_width = 32;  // of an integer after promotion

class shift_rewriter {
 public:
  shift_rewriter(const structure& shape, edits& changes) : shape_(shape), changes_(changes) {}

  void run() {
    for (std::size_t i = 1; i + 1 < shape_.size(); ++i) {
      if (const std::size_t last = end_of_assigning(i); last != nowhere) {
        visit_assigning(i, last);
        i = last;
        continue;
      }
      const bool is_left = shape_.is(i, "<<");
      const bool is_right = shape_.is(i, ">") && follows_directly(i + 1, ">");
      if (!is_left && !is_right) continue;
      const std::size_t last = is_left ? i : i + 1;
      if (is_shift(i, last)) visit(i, last, is_left);
      i = last;
    }
  }

 private:
  bool follows_directly(std::size_t index, std::string_view spelling) const {
    return shape_.is(index, spelling) && shape_.at(index).prefix.empty();
  }

  // The last token of `<<=` or `>>=`; `nowhere` if there is none.
  std::size_t end_of_assigning(std::size_t index) const {
    if (shape_.is(index, "<<=")) return index;
    return shape_.is(index, ">") && follows_directly(index + 1, ">=") ? index + 1 : nowhere;
  }

  bool is_operation(std::size_t first, std::size_t last) const {
    if (last + 1 >= shape_.size() || !shape_.is_in_device_code(first)) return false;
    if (!shape_.is_in_user_file(first)) return false;
    if (shape_.is(first - 1, "operator") || shape_.is(first - 1, "...")) return false;
    return !shape_.is(last + 1, "...");
  }

  bool is_shift(std::size_t first, std::size_t last) const {
    if (!is_operation(first, last)) return false;
    if (shape_.is(first, "<<")) return !follows_directly(last + 1, "<");  // a launch
    return !follows_directly(last + 1, ">") && !may_close_template(first);
  }

  // Whether a `<` before it, between the same brackets, may still be open.
  bool may_close_template(std::size_t index) const {
    for (std::size_t i = index; i-- > 0;) {
      const token& t = shape_.at(i);
      if (t.is(";") || t.is("{") || t.is("}") || t.is("(") || t.is("[")) return false;
      if ((t.is(")") || t.is("]")) && shape_.partner(i) != nowhere) {
        i = shape_.partner(i);
      } else if (t.is("<") && (!shape_.opens_angles(i) || shape_.after_angles(i) > index)) {
        return true;
      }
    }
    return true;
  }

  // Whether the right operand is just a number: `x << 3`, but not `x << 3 * n`.
  bool is_small_number(std::size_t index) const {
    constexpr std::array<std::string_view, 14> ends{")", "]", "}", ";", ",", "&",  "|",
                                                    "^", ":", "?", "<", ">", "&&", "||"};
    if (index + 1 >= shape_.size() || shape_.at(index).kind != token_kind::number) return false;
    if (std::find(ends.begin(), ends.end(), shape_.at(index + 1).text) == ends.end()) return false;
    std::string_view text = shape_.at(index).text;
    while (!text.empty() && std::string_view("uUlL").find(text.back()) != text.npos)
      text.remove_suffix(1);
    const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (is_hexadecimal) text.remove_prefix(2);
    unsigned distance = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), distance, is_hexadecimal ? 16 : 10);
    return error == std::errc{} && end == text.data() + text.size() && distance < least_width;
  }

  // `std::endl` and the like are function templates, whose type a template operator cannot deduce.
  bool is_template_manipulator(std::size_t index) const {
    while (index + 1 < shape_.size() && (shape_.is(index, "std") || shape_.is(index, "::")))
      ++index;
    return shape_.is(index, "endl") || shape_.is(index, "flush") || shape_.is(index, "ends");
  }

  void visit(std::size_t first, std::size_t last, bool is_left) {
    if (is_small_number(last + 1) || is_template_manipulator(last + 1)) return;
    if (changes_.is_erased(first) || changes_.is_erased(last)) return;
    changes_.insert_after(last, ' ' + std::string(mark) + (is_left ? " <<" : " >>"));
  }

  // `x <<= n` becomes `x <<= as_gpu <<= n`, which assigns from right to left.
  void visit_assigning(std::size_t first, std::size_t last) {
    if (!is_operation(first, last) || shape_.is(last + 1, "{")) return;
    if (is_small_number(last + 1) || may_assign_to_bit_field(first)) return;
    if (changes_.is_erased(first) || changes_.is_erased(last)) return;
    changes_.insert_after(last, ' ' + std::string(mark) + (first == last ? " <<=" : " >>="));
  }

  // Whether the statement up to `index` names something that may be a bit-field. A reference, which
  // our operator takes, cannot bind to one.
  bool may_assign_to_bit_field(std::size_t index) {
    if (!knows_bit_fields_) find_bit_fields();
    for (std::size_t i = index; i-- > 0;) {
      const token& t = shape_.at(i);
      if (t.is(";") || t.is("{") || t.is("}")) return false;
      if (bit_fields_.count(t.text) != 0) return true;
    }
    return false;
  }

  // `unsigned low : 5, high : 27;`
  void find_bit_fields() {
    knows_bit_fields_ = true;
    for (std::size_t i = 1; i + 1 < shape_.size(); ++i) {
      if (!shape_.is(i + 1, ":") || !shape_.is_name(i)) continue;
      if (shape_.is_name(i - 1) || shape_.is(i - 1, ",")) bit_fields_.insert(shape_.at(i).text);
    }
  }

  const structure& shape_;
  edits& changes_;
  bool knows_bit_fields_ = false;
  std::set<std::string_view> bit_fields_;
};

}  // namespace

void rewrite_shifts(const structure& shape, edits& changes) {
  shift_rewriter(shape, changes).run();
}

}  // namespace heddle::frontend
