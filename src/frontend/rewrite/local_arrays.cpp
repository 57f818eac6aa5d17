// Finds local arrays whose address escapes, statement by statement. Declarations that are not fully
// understood stay unchanged.
#include "frontend/rewrite/local_arrays.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "frontend/rewrite/declaration.hpp"

namespace heddle::frontend {
namespace {

// Statements that may look like declarations: `delete a[3];`.
bool begins_no_declaration(const token& t) {
  constexpr std::array<std::string_view, 16> words{
      "return",   "delete",    "throw", "goto",    "new", "case",     "default",  "else",
      "co_yield", "co_return", "using", "typedef", "do",  "register", "co_await", "sizeof"};
  return is_keyword_before_expression(t.text) ||
         std::find(words.begin(), words.end(), t.text) != words.end();
}

class array_rewriter {
 public:
  array_rewriter(const structure& shape, edits& changes) : shape_(shape), changes_(changes) {}

  void run() {
    for (const scope& one : shape_.scopes()) {
      const bool holds_statements = one.kind == scope_kind::function ||
                                    one.kind == scope_kind::lambda || one.kind == scope_kind::block;
      if (holds_statements && one.is_device && shape_.is_in_user_file(one.open) && may_hold(one))
        visit_statements(one);
    }
  }

 private:
  // The array becomes an object with a destructor, which constant expressions must not contain and
  // jumps must not cross.
  bool may_hold(const scope& around) const {
    const scope* const outermost = shape_.outermost_function_around(around.open + 1);
    if (outermost == nullptr || holds(outermost->open, outermost->close, "goto")) return false;
    for (std::uint32_t i = shape_.scope_index(around.open + 1); i != nowhere;
         i = shape_.scopes()[i].parent) {
      const scope& one = shape_.scopes()[i];
      const bool is_code = one.kind == scope_kind::function || one.kind == scope_kind::lambda;
      if (is_code &&
          (holds(one.head, one.open, "constexpr") || holds(one.head, one.open, "consteval")))
        return false;
    }
    return true;
  }

  bool holds(std::size_t from, std::size_t to, std::string_view word) const {
    for (std::size_t i = from; i < to; ++i)
      if (shape_.is(i, word)) return true;
    return false;
  }

  void visit_statements(const scope& around) {
    bool begins = true;
    for (std::size_t i = around.open + 1; i < around.close;) {
      if (begins) {
        if (const auto array = read_array(i, around)) rewrite(*array);
      }
      begins = shape_.is(i, ";") || shape_.is(i, "{");
      const bool opens = shape_.is(i, "(") || shape_.is(i, "[") || shape_.is(i, "{");
      i = opens ? shape_.after(i) : i + 1;
    }
  }

  std::optional<declaration> read_array(std::size_t start, const scope& around) const {
    if (!shape_.is_name(start) && !shape_.is(start, "::")) return std::nullopt;
    if (begins_no_declaration(shape_.at(start))) return std::nullopt;
    auto read = read_declaration(shape_, start);
    if (!read || read->end >= around.close || !read->storage_words.empty()) return std::nullopt;
    if (read->has_unnamed_type || read->named_type_end || read->declarators.size() != 1)
      return std::nullopt;
    const declarator& one = read->declarators.front();
    const bool is_array =
        is_plain(shape_, one) && shape_.is(one.name + 1, "[") && !shape_.is(one.name + 2, "]");
    const std::string_view name = shape_.at(one.name).text;
    if (!is_array || holds(start, one.start, name) || holds(start, one.start, "auto"))
      return std::nullopt;
    return is_jumped_over(read->end, around) || !is_given_away(one, around) ? std::nullopt : read;
  }

  // A `case` after the declaration, in the same braces.
  bool is_jumped_over(std::size_t from, const scope& around) const {
    for (std::size_t i = from; i < around.close;) {
      if (shape_.is(i, "case") || (shape_.is(i, "default") && shape_.is(i + 1, ":"))) return true;
      i = shape_.is(i, "{") ? shape_.after(i) : i + 1;
    }
    return false;
  }

  // Used as a whole, or as an inner array, or by the address of an element.
  bool is_given_away(const declarator& array, const scope& around) const {
    const std::size_t dimensions = groups_behind(array.name);
    bool is_given = false;
    for (std::size_t i = array.end; i < around.close; ++i) {
      if (!shape_.is_name(i) || shape_.at(i).text != shape_.at(array.name).text) continue;
      if (shape_.is(i - 1, ".") || shape_.is(i - 1, "->") || shape_.is(i - 1, "::")) continue;
      // decltype would yield a reference type.
      if (shape_.is(i - 1, "(") && shape_.is(i - 2, "decltype")) return false;
      const bool is_measured =
          shape_.is(i - 1, "sizeof") || (shape_.is(i - 1, "(") && shape_.is(i - 2, "sizeof"));
      is_given =
          is_given || shape_.is(i - 1, "&") || (!is_measured && groups_behind(i) < dimensions);
    }
    return is_given;
  }

  // Two for `a[i][j]`.
  std::size_t groups_behind(std::size_t name) const {
    std::size_t count = 0;
    for (std::size_t i = name + 1; shape_.is(i, "["); i = shape_.after(i)) ++count;
    return count;
  }

  // `int a[2] = {x, y};` → `typedef int T[2]; using S = array_slot<T>; local_memory<S> m(…); S& s =
  // *::new (m.place()) S{{x, y}}; int (&a)[2] = s.array;` A plain struct would do instead of
  // array_slot, but g++ 12 crashes on one in a generic lambda if the bound is a constant of the
  // enclosing template. Aligned arrays do get a struct, since a typedef cannot align a type.
  void rewrite(const declaration& array) {
    const declarator& one = array.declarators.front();
    const std::string name(shape_.at(one.name).text);
    const scope* const function = shape_.outermost_function_around(one.name);
    const std::string number = std::to_string(numbers_[function]++);
    const std::string slot = "heddle_local_" + number + "_" + name;
    const std::string memory = "heddle_memory_" + number;
    const std::string made = "heddle_made_" + number;
    const bool is_aligned = holds(array.start, one.start, "alignas");
    const std::string type = "heddle_array_" + number;
    if (is_aligned) {
      changes_.insert_before(array.start, "struct " + slot + " { ");
    } else {
      changes_.insert_before(array.start, "typedef ");
      changes_.replace(one.name, type);
    }
    const std::string named =
        is_aligned ? "; };" : "; using " + slot + " = ::heddle_host::array_slot<" + type + ">;";
    const std::string opening = named + " ::heddle_host::local_memory<" + slot + "> " + memory +
                                "(\"" + name + "\", " + place_text(shape_, one.name) + "); " +
                                slot + "& " + made + " = *::new (" + memory + ".place()) " + slot;
    if (one.has_initializer) {
      if (shape_.is(one.shape_end, "=")) changes_.erase(one.shape_end);
      changes_.insert_before(one.shape_end, opening + "{");
      changes_.insert_before(one.end, "}");
    } else {
      changes_.insert_before(one.end, opening);
    }
    changes_.insert_after(array.end, " [[maybe_unused]] " + reference_to(shape_, array, one) +
                                         " = " + made + "." + (is_aligned ? name : "array") + ";");
  }

  const structure& shape_;
  edits& changes_;
  std::map<const scope*, int> numbers_;
};

}  // namespace

void rewrite_local_arrays(const structure& shape, edits& changes) {
  array_rewriter(shape, changes).run();
}

}  // namespace heddle::frontend
