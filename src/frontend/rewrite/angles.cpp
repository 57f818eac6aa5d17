// Reads template brackets with backtracking. The declared names decide most cases.
#include "frontend/rewrite/angles.hpp"

#include <array>

namespace heddle::frontend {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr std::uint32_t unpaired = 0xffffffff;

// A name after one of these is not the name of a variable.
bool declares_no_value(const token& t) {
  constexpr std::array<std::string_view, 20> words{
      "class",   "struct",   "union",    "enum",   "typename",   "namespace", "using",
      "concept", "template", "operator", "friend", "public",     "private",   "protected",
      "typedef", "requires", "explicit", "not",    "__typeof__", "decltype"};
  return is_keyword_before_expression(t.text) || t.is_one_of(words);
}

bool ends_declared_name(const token& t) {
  constexpr std::array<std::string_view, 7> ends{",", "=", ">", ";", ")", "[", "{"};
  return t.is_one_of(ends);
}

// Words that never occur between template brackets, outside of other brackets.
bool begins_declaration(const token& t) {
  constexpr std::array<std::string_view, 8> words{
      "__heddle_global__", "__heddle_shared__", "inline", "static", "return", "using", "extern",
      "namespace"};
  return t.is_one_of(words);
}

}  // namespace

// A place in the text, and the template brackets that are open there.
struct angle_reader::reading {
  std::size_t at;
  bool is_launch;
  unsigned depth = 0;
  std::uint64_t parameter_lists = 0;  // bit d: the bracket at depth d + 1 holds parameters

  void open(bool holds_parameters) {
    const std::uint64_t bit = std::uint64_t{1} << depth++;
    parameter_lists = holds_parameters ? parameter_lists | bit : parameter_lists & ~bit;
    ++at;
  }
  bool may_hold_equals() const {
    return depth == 0 || (parameter_lists >> (depth - 1) & 1) != 0;  // `class T = int`
  }
};

angle_reader::angle_reader(const token_list& list, const std::vector<std::uint32_t>& partner)
    : list_(list), partner_(partner) {
  collect_values();
  collect_templates();
}

// `int n = …`, `std::size_t n, …`: a name after another name.
void angle_reader::collect_values() {
  for (std::size_t i = 1; i + 1 < size(); ++i) {
    if (at(i).kind != token_kind::identifier || !ends_declared_name(at(i + 1))) continue;
    const token& before = at(i - 1);
    if (before.kind == token_kind::identifier && !declares_no_value(before))
      values_.insert(at(i).text);
  }
}

void angle_reader::collect_templates() {
  for (std::size_t i = 0; i + 1 < size(); ++i)
    if (at(i).is("template") && at(i + 1).is("<"))
      if (const std::size_t close = close_of(i + 1); close != none)
        collect_declared_template(close + 1);
}

// Collects the names that the declaration after `template <…>` may declare. Too many do no harm.
void angle_reader::collect_declared_template(std::size_t from) {
  for (std::size_t i = from; i + 1 < size(); ++i) {
    const token& t = at(i);
    if (has_parentheses_after_it(t) && is(i + 1, "(") && partner_[i + 1] != unpaired) {
      i = partner_[i + 1];
    } else if (t.kind == token_kind::identifier) {
      if (t.is("template") || t.is("operator")) return;
      constexpr std::array<std::string_view, 6> ends{"(", "{", ";", "=", ":", "<"};
      const bool is_template_parameter = at(i - 1).is("class") || at(i - 1).is("typename");
      if (is_template_parameter || at(i + 1).is_one_of(ends)) templates_.insert(t.text);
    } else if (t.is("(") || t.is("{") || t.is(";") || t.is("=") || t.is(":") || t.is(",")) {
      return;
    }
  }
}

angle_reader::meaning angle_reader::meaning_of(std::size_t index) const {
  if (index == 0) return meaning::comparison;
  const token& before = at(index - 1);
  if (before.is("template")) return meaning::parameters;
  if (before.kind != token_kind::identifier || before.is("operator")) return meaning::comparison;
  constexpr std::array<std::string_view, 4> casts{"static_cast", "const_cast", "dynamic_cast",
                                                  "reinterpret_cast"};
  if (before.is_one_of(casts) || (index > 1 && at(index - 2).is("template")))
    return meaning::arguments;
  const bool is_value = values_.count(before.text) != 0 && templates_.count(before.text) == 0;
  return is_value ? meaning::comparison : meaning::either;
}

bool angle_reader::cannot_occur(const reading& now) const {
  const token& t = at(now.at);
  if (t.kind == token_kind::identifier) return begins_declaration(t);
  if (t.kind != token_kind::punctuation) return false;
  if (t.is("=")) return !now.may_hold_equals();
  if (t.is("<<") && is(now.at + 1, "<")) return true;  // a launch
  return t.is(";") || t.is(")") || t.is("]") || t.is("}");
}

bool angle_reader::is_literal(std::size_t index) const {
  if (index >= size()) return false;
  const token_kind kind = at(index).kind;
  return kind == token_kind::number || kind == token_kind::string || kind == token_kind::character;
}

// The first of the last three consecutive `>`, if `(` follows them.
std::size_t angle_reader::launch_end_at(std::size_t index) const {
  std::size_t end = index;
  while (is(end, ">")) ++end;
  return end - index >= 3 && is(end, "(") ? end - 3 : none;
}

std::size_t angle_reader::read(reading now) const {
  std::vector<reading> others;  // to try if this one fails, the last first
  int attempts = 200;
  for (;;) {
    bool fails = now.at >= size() || cannot_occur(now);
    if (!fails) {
      const token& t = at(now.at);
      if (t.kind != token_kind::punctuation) {
        ++now.at;
      } else if (t.is("<")) {
        const meaning what = meaning_of(now.at);
        if (what == meaning::comparison || now.depth > 60) {
          ++now.at;
        } else {
          if (what == meaning::either) {
            others.push_back(now);
            ++others.back().at;
          }
          now.open(what == meaning::parameters);
        }
      } else if (t.is(">")) {
        if (now.depth == 0) {
          if (const std::size_t end = launch_end_at(now.at); end != none) return end;
        } else if (--now.depth == 0 && !now.is_launch) {
          fails = is_literal(now.at + 1);  // `a < b && c > 3`
          if (!fails) return now.at;
        }
        ++now.at;
      } else if (t.is("(") || t.is("[") || t.is("{")) {
        fails = partner_[now.at] == unpaired;
        if (!fails) now.at = partner_[now.at] + 1;
      } else {
        ++now.at;
      }
    }
    if (!fails) continue;
    if (others.empty() || --attempts == 0) return none;
    now = others.back();
    others.pop_back();
  }
}

std::size_t angle_reader::close_of(std::size_t open) const {
  const bool holds_parameters = open > 0 && (at(open - 1).is("template") || at(open - 1).is("]"));
  if (!holds_parameters && meaning_of(open) == meaning::comparison) return none;
  reading now{open, false};
  now.open(holds_parameters);
  return read(now);
}

std::size_t angle_reader::launch_end(std::size_t from) const { return read({from, true}); }

}  // namespace heddle::frontend
