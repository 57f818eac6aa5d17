// Finds the read-modify-write statement in a single source line, if the line is simple enough.
#include "report/check/atomic_advice.hpp"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle_report {
namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string without_blanks(std::string_view text) {
  std::string packed;
  for (const char c : text) {
    if (c != ' ' && c != '\t') packed += c;
  }
  return packed;
}

// Index after the bracket that closes the one at `open`; npos if the line ends first.
std::size_t after_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if ((text[i] == ')' || text[i] == ']') && --depth == 0) return i + 1;
  }
  return text.npos;
}

// `if (is_mine) bins[i]++` becomes `bins[i]++`.
std::string_view without_heads(std::string_view statement) {
  for (;;) {
    statement = trimmed(statement);
    bool is_head = false;
    for (const std::string_view word : {"if", "for", "while", "else"}) {
      if (!statement.starts_with(word)) continue;
      const std::string_view rest = trimmed(statement.substr(word.size()));
      if (word == "else" && statement.size() > word.size() && !is_of_name(statement[word.size()])) {
        statement = rest;
        is_head = true;
      } else if (rest.starts_with('(')) {
        const std::size_t after = after_bracket(rest, 0);
        if (after == rest.npos) return {};
        statement = rest.substr(after);
        is_head = true;
      }
      if (is_head) break;
    }
    if (!is_head) return statement;
  }
}

std::vector<std::string_view> statements_of(std::string_view line) {
  line = line.substr(0, line.find("//"));
  std::vector<std::string_view> all;
  std::size_t begin = 0;
  int depth = 0;
  // A statement that continues on the next line is ignored.
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth != 0 || (c != ';' && c != '{' && c != '}')) continue;
    if (const std::string_view one = without_heads(line.substr(begin, i - begin)); !one.empty()) {
      all.push_back(one);
    }
    begin = i + 1;
  }
  return all;
}

// A name with members and indices, or a dereferenced pointer. Empty for any other expression.
struct location {
  std::string text;
  std::string array;  // reading another element would mention this name
};
location location_of(std::string_view expression, const std::string& variable) {
  const std::string packed = without_blanks(expression);
  std::string_view rest = packed;
  const bool is_pointee = rest.starts_with('*');
  if (is_pointee) rest.remove_prefix(1);
  std::size_t i = 0;
  while (i < rest.size() && is_of_name(rest[i])) ++i;
  if (i == 0 || std::isdigit(static_cast<unsigned char>(rest[0])) != 0) return {};
  const std::string name(rest.substr(0, i));
  bool has_index = false;
  while (i < rest.size()) {
    if (rest[i] == '[') {
      i = after_bracket(rest, i);
      if (i == rest.npos) return {};
      has_index = true;
    } else if (rest[i] == '.' || rest.substr(i).starts_with("->")) {
      i += rest[i] == '.' ? 1 : 2;
      while (i < rest.size() && is_of_name(rest[i])) ++i;
      has_index = true;
    } else {
      return {};
    }
  }
  if (!is_pointee && !has_index && name != variable) return {};
  return {packed, name};
}

bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != text.npos; ++at) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_of_name(text[at - 1]);
    if (begins && (end == text.size() || !is_of_name(text[end]))) return true;
  }
  return false;
}

using operation = std::pair<std::string_view, const char*>;

// The atomic that does the same as `left = right`; empty if that does not update `left`.
std::string update_by_assignment(const location& left, std::string_view right) {
  constexpr std::array<operation, 2> functions{{{"min", "atomicMin"}, {"max", "atomicMax"}}};
  constexpr std::array<operation, 5> operators{{{"+", "atomicAdd"},
                                                {"-", "atomicSub"},
                                                {"|", "atomicOr"},
                                                {"&", "atomicAnd"},
                                                {"^", "atomicXor"}}};
  const std::string packed = without_blanks(right);
  for (const auto& [name, atomic] : functions) {
    for (const std::string& call : {std::string(name) + "(", "std::" + std::string(name) + "("}) {
      if (!packed.starts_with(call) || after_bracket(packed, call.size() - 1) != packed.size()) {
        continue;
      }
      const std::string inside = packed.substr(call.size(), packed.size() - call.size() - 1);
      const bool is_first = inside.starts_with(left.text + ",");
      if (!is_first && !inside.ends_with("," + left.text)) return {};
      const std::string other = is_first ? inside.substr(left.text.size() + 1)
                                         : inside.substr(0, inside.size() - left.text.size() - 1);
      return mentions(other, left.array) ? std::string() : atomic;
    }
  }
  for (const auto& [sign, atomic] : operators) {
    const std::string before = left.text + std::string(sign);
    if (!packed.starts_with(before)) continue;
    const std::string other = packed.substr(before.size());
    // `a = a - b + c` is not `a -= b + c`, so only a single operand is accepted.
    const bool is_simple = other.find_first_of("+-|&^?<>=*/%!~") == other.npos;
    return is_simple && !mentions(other, left.array) ? atomic : "";
  }
  return {};
}

std::string atomic_for(std::string_view statement, const std::string& variable) {
  constexpr std::array<operation, 2> steps{{{"++", "atomicAdd"}, {"--", "atomicSub"}}};
  constexpr std::array<operation, 5> updates{{{"+=", "atomicAdd"},
                                              {"-=", "atomicSub"},
                                              {"|=", "atomicOr"},
                                              {"&=", "atomicAnd"},
                                              {"^=", "atomicXor"}}};
  for (const auto& [sign, atomic] : steps) {
    const bool is_before = statement.starts_with(sign);
    if (!is_before && !statement.ends_with(sign)) continue;
    const location at = location_of(
        is_before ? statement.substr(2) : statement.substr(0, statement.size() - 2), variable);
    if (!at.text.empty()) return fmt::format("{}(&{}, 1)", atomic, at.text);
  }
  const auto call = [](const std::string& atomic, const location& at) {
    const bool is_pointee = at.text.starts_with('*');
    return fmt::format("{}({}{}, …)", atomic, is_pointee ? "" : "&",
                       is_pointee ? at.text.substr(1) : at.text);
  };
  for (const auto& [sign, atomic] : updates) {
    const std::size_t middle = statement.find(sign);
    if (middle == statement.npos) continue;
    const location at = location_of(statement.substr(0, middle), variable);
    if (at.text.empty() || mentions(statement.substr(middle + 2), at.array)) return {};
    return call(atomic, at);
  }
  const std::size_t middle = statement.find('=');
  if (middle == statement.npos || statement.substr(middle).starts_with("==")) return {};
  const location at = location_of(statement.substr(0, middle), variable);
  if (at.text.empty()) return {};
  const std::string atomic = update_by_assignment(at, statement.substr(middle + 1));
  return atomic.empty() ? std::string() : call(atomic, at);
}

}  // namespace

std::string atomic_operation_for(const std::string& line, const std::string& variable) {
  std::string only;
  for (const std::string_view statement : statements_of(line)) {
    const std::string atomic = atomic_for(statement, variable);
    if (atomic.empty()) continue;
    if (!only.empty()) return {};
    only = atomic;
  }
  return only;
}

}  // namespace heddle_report
