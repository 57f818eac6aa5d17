// Finds the shifts among the tokens. A shift that is not recognised keeps its meaning in C++.
#include "frontend/rewrite/shifts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace heddle::frontend {
namespace {

constexpr std::string_view mark = "::heddle_host::as_gpu";
constexpr unsigned least_width = 32;  // of an integer after promotion

class shift_rewriter {
 public:
  shift_rewriter(const structure& shape, edits& changes) : shape_(shape), changes_(changes) {}

  void run() {
    for (std::size_t i = 1; i + 1 < shape_.size(); ++i) {
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

  bool is_shift(std::size_t first, std::size_t last) const {
    if (last + 1 >= shape_.size() || !shape_.is_in_device_code(first)) return false;
    if (!shape_.is_in_user_file(first)) return false;
    if (shape_.is(first - 1, "operator") || shape_.is(first - 1, "...")) return false;
    if (shape_.is(last + 1, "...") || shape_.is(last + 1, "=")) return false;
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

  const structure& shape_;
  edits& changes_;
};

}  // namespace

void rewrite_shifts(const structure& shape, edits& changes) {
  shift_rewriter(shape, changes).run();
}

}  // namespace heddle::frontend
