// Parses a kernel's declarator: its name, template parameters, parameters and namespaces.
#include "frontend/rewrite/kernel_name.hpp"

#include "frontend/rewrite/declaration.hpp"

namespace heddle::frontend {
namespace {

// One past the last token before a parameter's default.
std::size_t before_default(const structure& shape, const token_range& parameter) {
  for (std::size_t i = parameter.from; i < parameter.to; ++i) {
    if (shape.is(i, "=")) return i;
    if (shape.is(i, "(") || shape.is(i, "[") || shape.is(i, "{")) i = shape.after(i) - 1;
    if (shape.is(i, "<")) i = shape.after_angles(i) - 1;
  }
  return parameter.to;
}

// `<T, n, Rest...>` for `template <typename T, int n, class... Rest, typename = void>`.
std::optional<std::string> template_arguments(const structure& shape, std::size_t open) {
  std::string text;
  bool is_complete = true;
  for (const token_range& parameter : shape.split_at_commas(open, shape.after_angles(open) - 1)) {
    const std::size_t end = before_default(shape, parameter);
    const std::size_t last = end - 1;
    // A lone word, or the end of a qualified one, is a type. Anything else ends in the parameter's
    // name.
    const bool has_name = shape.is_name(last) && last > parameter.from &&
                          !shape.is(last - 1, "::") && !shape.is(last, "class") &&
                          !is_built_in(shape.at(last));
    if (has_name && is_complete) {
      const bool is_pack = shape.is(last - 1, "...");
      text += (text.empty() ? "<" : ", ") + std::string(shape.at(last).text);
      if (is_pack) text += "...";
    } else if (!has_name && end != parameter.to) {
      is_complete = false;  // it and those after it keep their defaults
    } else {
      return std::nullopt;
    }
  }
  return text.empty() ? text : text + ">";
}

// `::a::b::`, or nothing if the kernel is not a direct member of a namespace.
std::optional<std::string> namespaces_around(const structure& shape, const scope& kernel) {
  std::string path = "::";
  for (std::uint32_t i = kernel.parent; i != nowhere; i = shape.scopes()[i].parent) {
    const scope& around = shape.scopes()[i];
    if (around.kind == scope_kind::file || around.kind == scope_kind::linkage) continue;
    if (around.kind != scope_kind::name_space) return std::nullopt;
    std::string names = "::";
    std::size_t word = around.head;
    while (word < around.open && !shape.is(word, "namespace")) ++word;
    for (++word; word < around.open; ++word) {
      const bool is_attribute = shape.is(word, "[") || shape.is(word, "(");
      if (is_attribute)
        word = shape.after(word) - 1;
      else if (shape.is_name(word) && !shape.is(word, "inline") && !shape.is(word, "__attribute__"))
        names += std::string(shape.at(word).text) + "::";
    }
    path = names + path.substr(2);
  }
  return path;
}

}  // namespace

declarator_place find_declarator(const structure& shape, const scope& function) {
  declarator_place found;
  for (std::size_t i = function.head; i < function.open; ++i) {
    if (shape.is(i, "template") && shape.is(i + 1, "<")) {
      ++found.templates;
      found.template_parameters = i + 1;
      i = shape.after_angles(i + 1) - 1;
    } else if (shape.is(i, "requires")) {
      i = shape.after_constraint(i + 1) - 1;
    } else if (shape.is(i, "(") && shape.is_name(i + 1) && shape.is(i + 2, ")") &&
               shape.is(i + 3, "(")) {  // `void (name)(…)`
      found.name = i + 1;
      found.parameters = i + 3;
      return found;
    } else if (shape.is_name(i) && !is_built_in(shape.at(i))) {
      std::size_t next = i + 1;
      if (has_parentheses_after_it(shape.at(i))) {
        if (shape.is(next, "(") && shape.partner(next) != nowhere) i = shape.partner(next);
        continue;
      }
      if (shape.is(next, "<")) next = shape.after_angles(next);
      if (shape.is(next, "(")) {
        found.name = i;
        found.parameters = next;
        return found;
      }
      i = next - 1;
    }
  }
  return found;
}

std::string name_of(const structure& shape, const scope& kernel) {
  const declarator_place found = find_declarator(shape, kernel);
  return found.name == nowhere ? "kernel" : std::string(shape.at(found.name).text);
}

std::optional<std::string> address_of(const structure& shape, const edits& changes,
                                      const scope& kernel) {
  const declarator_place found = find_declarator(shape, kernel);
  if (found.name == nowhere || found.templates > 1 || shape.partner(found.parameters) == nowhere)
    return std::nullopt;
  auto path = namespaces_around(shape, kernel);
  if (!path) return std::nullopt;
  // `void a::b::name(…)` is a definition outside its namespace.
  std::size_t qualified = found.name;
  while (shape.is(qualified - 1, "::") && shape.is_name(qualified - 2)) qualified -= 2;
  if (shape.is(qualified - 1, "::")) return std::nullopt;
  const bool is_specialization =
      found.templates == 1 && shape.is(found.template_parameters + 1, ">");
  std::string name =
      *path + changes.text_of(qualified, is_specialization ? found.parameters : found.name + 1);
  if (found.templates == 1 && !is_specialization) {
    const auto arguments = template_arguments(shape, found.template_parameters);
    if (!arguments) return std::nullopt;
    name += *arguments;
  }
  std::string parameters;
  const std::size_t close = shape.partner(found.parameters);
  for (const token_range& one : shape.split_at_commas(found.parameters, close)) {
    for (std::size_t i = one.from; i < one.to; ++i)
      if (shape.is(i, "auto")) return std::nullopt;  // an abbreviated template
    parameters +=
        (parameters.empty() ? "" : ", ") + changes.text_of(one.from, before_default(shape, one));
  }
  return "static_cast<void (*)(" + parameters + ")>(&" + name + ")";
}

}  // namespace heddle::frontend
