// Combines the texts of a file for host and device into one that has the code of both.
#include "frontend/sides/merge.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "frontend/rewrite/structure.hpp"
#include "frontend/sides/compare.hpp"

namespace heddle::frontend {
namespace {

struct side {
  explicit side(const token_list& tokens) : list(tokens), shape(tokens) {}
  const token_list& list;
  structure shape;
};

bool is_code(const scope& one) {
  return one.kind == scope_kind::function || one.kind == scope_kind::lambda;
}

// Words before a function's name that may differ between the two versions of one function.
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

// The function that has two versions if the range differs: the outermost, but a lambda for the
// device in a function of the host counts by itself. Null outside functions.
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

// What identifies a function: everything before its body, except specifiers.
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

// Drops the tokens that both ranges begin and end with.
difference trimmed(const side& host, const side& device, difference one) {
  const auto equal = [&](std::size_t h, std::size_t d) {
    return host.shape.at(h).text == device.shape.at(d).text;
  };
  while (one.host.from < one.host.to && one.device.from < one.device.to &&
         equal(one.host.from, one.device.from)) {
    ++one.host.from;
    ++one.device.from;
  }
  while (one.host.from < one.host.to && one.device.from < one.device.to &&
         equal(one.host.to - 1, one.device.to - 1)) {
    --one.host.to;
    --one.device.to;
  }
  return one;
}

// Line markers without the flags that say that a file begins or ends: the file may have begun in
// text that is left out.
std::string without_nesting(std::string_view prefix) {
  std::string text;
  for (std::size_t at = 0; at < prefix.size();) {
    const std::size_t end = std::min(prefix.find('\n', at), prefix.size());
    const std::string_view line = prefix.substr(at, end - at);
    const std::size_t quote = line.rfind('"');
    const bool is_marker = line.substr(0, 2) == "# " && quote != std::string_view::npos;
    text += is_marker ? line.substr(0, quote + 1) : line;
    if (is_marker)
      for (const char flag : line.substr(quote + 1))
        if (flag == '3' || flag == '4') text += std::string(" ") + flag;
    if (end < prefix.size()) text += '\n';
    at = end + 1;
  }
  return text;
}

// A declaration at namespace or class scope.
struct item {
  token_range range;
  const scope* body = nullptr;  // of a function
  bool is_namespace = false;
};

// Splits a range into declarations; nothing if it does not consist of whole ones.
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

class merger {
 public:
  merger(const token_list& host, const token_list& device) : host_(host), device_(device) {}

  merged_sides run(const std::vector<difference>& differences) {
    for (const difference& one : differences)
      if (!pair_functions(trimmed(host_, device_, one))) merge_declarations(one);
    write(device_, {0, device_.list.tokens.size()});
    add_declarations(device_.list.tokens.size());
    text_ += device_.list.tail;
    return {std::move(text_), std::move(notes_)};
  }

 private:
  // If the difference lies in the body of one function, notes that it has two versions.
  bool pair_functions(const difference& one) {
    const scope* const h = function_of(host_.shape, one.host);
    const scope* const d = function_of(device_.shape, one.device);
    if (h == nullptr || d == nullptr) return false;
    if (signature_of(host_.shape, *h) != signature_of(device_.shape, *d)) return false;
    add_pair(*h, *d);
    return true;
  }

  void add_pair(const scope& h, const scope& d) {
    host_of_[d.open] = &h;
    device_of_[h.open] = &d;
  }

  // Adds the host's declarations to the device's, and pairs functions that both define.
  void merge_declarations(const difference& one) {
    if (one.host.from == one.host.to) return;  // only the device has it
    const auto host_items = items_in(host_.shape, one.host);
    const auto device_items = items_in(device_.shape, one.device);
    if (!host_items || !device_items) return keep_device(one);
    std::map<std::string, const scope*> bodies;
    for (const item& it : *device_items)
      if (it.body != nullptr) bodies[signature_of(device_.shape, *it.body)] = it.body;
    for (const item& it : *host_items) {
      if (is_for_device_only(it.range)) continue;
      const auto found =
          it.body != nullptr ? bodies.find(signature_of(host_.shape, *it.body)) : bodies.end();
      if (found != bodies.end())
        add_pair(*it.body, *found->second);
      else if (is_declared_by(it, one.device))
        keep_device(one);
      else
        added_[one.device.to].push_back(it.range);
    }
  }

  bool is_for_device_only(token_range range) const {
    const bool is_device = has_word(host_.shape, range, "__heddle_device__") ||
                           has_word(host_.shape, range, "__heddle_global__");
    return is_device && !has_word(host_.shape, range, "__heddle_host__");
  }

  // Whether the device's tokens mention the name that the host's declaration declares, so that both
  // in one text would be an error.
  bool is_declared_by(const item& one, token_range device) const {
    if (device.from == device.to) return false;
    if (one.is_namespace) return true;
    const std::string_view name = declared_name(one.range);
    return name.empty() || has_word(device_.shape, device, name);
  }

  // The last name before the first `(`, `=`, `{`, `[`, `:` or `;`. A typedef's name is found as
  // well.
  std::string_view declared_name(token_range range) const {
    std::string_view name;
    for (std::size_t i = range.from; i < range.to; ++i) {
      const token& t = host_.shape.at(i);
      if (t.is("template") && host_.shape.is(i + 1, "<")) {
        i = host_.shape.after_angles(i + 1) - 1;
      } else if (t.is("(") || t.is("=") || t.is("{") || t.is("[") || t.is(":") || t.is(";")) {
        if (!name.empty()) return name;
      } else if (t.kind == token_kind::identifier && !is_specifier(t)) {
        name = t.text;
      }
    }
    return name;
  }

  void keep_device(const difference& one) {
    const bool has_tokens = one.device.from < one.device.to;
    const side& where = has_tokens ? device_ : host_;
    const std::size_t at = has_tokens ? one.device.from : one.host.from;
    if (!where.shape.is_in_user_file(at)) return;
    notes_.push_back({where.list.location(at),
                      "host and device have different declarations here; the device's are used"});
  }

  // Writes tokens of one side; functions with two versions get both.
  void write(const side& from, token_range range) {
    const bool is_device = &from == &device_;
    const auto& partners = is_device ? host_of_ : device_of_;
    for (std::size_t i = range.from; i < range.to; ++i) {
      const token& t = from.list.tokens[i];
      text_ += is_device ? std::string(t.prefix) : without_nesting(t.prefix);
      if (is_device) add_declarations(i);
      const auto partner = partners.find(i);
      if (partner == partners.end()) {
        text_ += t.text;
        continue;
      }
      const scope& mine = *from.shape.scope_opened_at(i);
      write_versions(is_device ? *partner->second : mine, is_device ? mine : *partner->second);
      i = mine.close;
      mark_line(from.list, i);
    }
  }

  void write_versions(const scope& h, const scope& d) {
    const token_range header{start_of(host_.shape, h), h.open};
    const bool runs_on_device = d.is_device || has_word(host_.shape, header, "constexpr");
    const bool runs_on_host = !d.is_device || d.is_host_too || !h.is_device;
    const bool has_both = runs_on_device && runs_on_host && !d.is_kernel;
    if (has_both) text_ += "{ if (::heddle_host::is_on_host()) ";
    if (has_both || !runs_on_device) write_body(host_, h);
    if (has_both) text_ += " else ";
    if (has_both || runs_on_device) write_body(device_, d);
    if (has_both) text_ += " }";
  }

  void write_body(const side& from, const scope& body) {
    mark_line(from.list, body.open);
    text_ += '{';
    write(from, {body.open + 1, body.close + 1});
  }

  // Writes the host's declarations that belong before a token of the device.
  void add_declarations(std::size_t device_index) {
    const auto found = added_.find(device_index);
    if (found == added_.end()) return;
    for (const token_range& one : found->second) {
      mark_line(host_.list, one.from);
      text_ += host_.list.tokens[one.from].text;
      write(host_, {one.from + 1, one.to});
    }
    if (device_index < device_.list.tokens.size()) mark_line(device_.list, device_index);
  }

  // What follows is on the line of the token.
  void mark_line(const token_list& list, std::size_t index) {
    const token& at = list.tokens[index];
    const source_file& file = list.files[at.file];
    text_ += "\n# " + std::to_string(at.line) + " \"" + file.name + '"' + file.flags + '\n';
  }

  const side host_, device_;
  std::map<std::size_t, const scope*> host_of_;            // by the `{` of the device's version
  std::map<std::size_t, const scope*> device_of_;          // by the `{` of the host's version
  std::map<std::size_t, std::vector<token_range>> added_;  // host's, before a device's token
  std::vector<diagnostic> notes_;
  std::string text_;
};

}  // namespace

merged_sides merge_sides(std::string host, std::string device) {
  const token_list host_tokens(std::move(host)), device_tokens(std::move(device));
  const std::vector<difference> differences = compare(host_tokens, device_tokens);
  if (differences.empty()) return {device_tokens.text, {}};
  return merger(host_tokens, device_tokens).run(differences);
}

}  // namespace heddle::frontend
