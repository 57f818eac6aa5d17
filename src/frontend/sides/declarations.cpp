// Reads the functions and declarations of one side of a file.
#include "frontend/sides/declarations.hpp"

#include <algorithm>
#include <array>

namespace heddle::frontend {
namespace {

bool is_code(const scope& one) {
  return one.kind == scope_kind::function || one.kind == scope_kind::lambda;
}

// Words before a function's name in which its two versions may differ.
bool is_specifier(const token& t) {
  constexpr std::array<std::string_view, 8> words{"__heddle_device__", "__heddle_host__", "inline",
                                                  "__inline__",        "__inline",        "static",
                                                  "constexpr",         "__extension__"};
  return std::find(words.begin(), words.end(), t.text) != words.end();
}

// The innermost scope that contains the range.
std::uint32_t scope_around(const structure& shape, token_range range) {
  std::uint32_t found = 0;
  if (range.from < range.to) {
    found = shape.scope_index(range.from);
  } else if (range.from > 0) {
    const std::size_t before = range.from - 1;
    found = shape.scope_index(before);
    if (const scope* const opened = shape.scope_opened_at(before))
      found = static_cast<std::uint32_t>(opened - shape.scopes().data());
  }
  const auto holds_range = [&](const scope& one) {
    return one.open == nowhere || (one.open < range.from && range.to <= one.close);
  };
  while (!holds_range(shape.scopes()[found])) found = shape.scopes()[found].parent;
  return found;
}

}  // namespace

const scope* function_of(const structure& shape, token_range range) {
  const scope* outermost = nullptr;
  const scope* outermost_on_device = nullptr;
  for (std::uint32_t i = scope_around(shape, range); i != nowhere; i = shape.scopes()[i].parent) {
    const scope& one = shape.scopes()[i];
    if (!is_code(one)) continue;
    outermost = &one;
    if (one.is_device) outermost_on_device = &one;
  }
  return outermost_on_device != nullptr ? outermost_on_device : outermost;
}

std::size_t start_of(const structure& shape, const scope& function) {
  if (function.kind == scope_kind::lambda)
    for (const lambda_expression& one : shape.lambdas())
      if (one.body == function.open) return one.introducer;
  return function.head;
}

std::string signature_of(const structure& shape, const scope& function) {
  std::string text;
  for (std::size_t i = start_of(shape, function); i < function.open; ++i)
    if (!is_specifier(shape.at(i))) text += std::string(shape.at(i).text) + ' ';
  return text;
}

bool has_word(const structure& shape, token_range range, std::string_view word) {
  for (std::size_t i = range.from; i < range.to; ++i)
    if (shape.is(i, word)) return true;
  return false;
}

std::optional<std::vector<item>> items_in(const structure& shape, token_range range) {
  std::vector<item> items;
  std::size_t start = range.from;
  for (std::size_t i = range.from; i < range.to; ++i) {
    const bool opens = shape.is(i, "(") || shape.is(i, "[") || shape.is(i, "{");
    if (opens) {
      const std::size_t close = shape.partner(i);
      if (close == nowhere || close >= range.to) return std::nullopt;
      if (const scope* const opened = shape.scope_opened_at(i)) {
        const bool is_function = opened->kind == scope_kind::function;
        const bool is_namespace =
            opened->kind == scope_kind::name_space || opened->kind == scope_kind::linkage;
        if (is_function || is_namespace) {
          items.push_back({{start, close + 1}, is_function ? opened : nullptr, is_namespace});
          start = close + 1;
        }
      }
      i = close;
    } else if (shape.is(i, ";")) {
      items.push_back({{start, i + 1}});
      start = i + 1;
    } else if (shape.is(i, "}") || shape.is(i, ")") || shape.is(i, "]")) {
      return std::nullopt;
    }
  }
  if (start != range.to) return std::nullopt;
  return items;
}

std::string_view declared_name(const structure& shape, token_range range) {
  std::string_view name;
  for (std::size_t i = range.from; i < range.to; ++i) {
    const token& t = shape.at(i);
    if (t.is("template") && shape.is(i + 1, "<")) {
      i = shape.after_angles(i + 1) - 1;
    } else if (t.is("[") && shape.is(i + 1, "[")) {
      i = shape.partner(i);
    } else if (has_parentheses_after_it(t) && shape.is(i + 1, "(")) {
      i = shape.partner(i + 1);
    } else if (t.is("(") || t.is("=") || t.is("{") || t.is("[") || t.is(":") || t.is(";")) {
      if (!name.empty()) return name;
    } else if (t.kind == token_kind::identifier && !is_specifier(t)) {
      name = t.text;
    }
  }
  return name;
}

bool takes_nothing(const structure& shape, token_range header) {
  const std::string_view name = declared_name(shape, header);
  for (std::size_t i = header.from; i + 2 < header.to; ++i)
    if (shape.at(i).text.data() == name.data()) return shape.is(i + 1, "(") && shape.is(i + 2, ")");
  return false;
}

bool is_type(const structure& shape, const item& one) {
  if (one.body != nullptr || one.is_namespace) return false;
  std::size_t first = one.range.from;
  if (shape.is(first, "template") && shape.is(first + 1, "<"))
    first = shape.after_angles(first + 1);
  constexpr std::array<std::string_view, 6> words{"struct", "class", "union",
                                                  "enum",   "using", "typedef"};
  if (std::find(words.begin(), words.end(), shape.at(first).text) == words.end()) return false;
  // `struct a b;` and `struct a f();` declare no type; `using a::b;` declares no new one.
  const std::string_view name = declared_name(shape, one.range);
  if (shape.is(first, "using")) return shape.is(first + 1, name) && shape.is(first + 2, "=");
  if (shape.is(first, "typedef")) return true;
  for (std::size_t i = first + 1; i + 1 < one.range.to; ++i)
    if (shape.is(i, name))
      return shape.is(i + 1, ";") || shape.is(i + 1, "{") || shape.is(i + 1, ":");
  return false;
}

std::string qualified_name(const structure& shape, const item& one) {
  std::string text;
  for (std::uint32_t i = scope_around(shape, one.range); i != nowhere;
       i = shape.scopes()[i].parent) {
    const scope& around = shape.scopes()[i];
    if (around.open == nowhere) continue;
    std::string head;
    for (std::size_t k = around.head; k < around.open; ++k)
      head += std::string(shape.at(k).text) + ' ';
    text = head + "{ " + text;
  }
  return text + std::string(declared_name(shape, one.range));
}

}  // namespace heddle::frontend
