// Parses a simple declaration, token by token.
#include "frontend/rewrite/declaration.hpp"

#include <algorithm>
#include <array>

namespace heddle::frontend {
namespace {

bool is_storage(const token& t) {
  constexpr std::array<std::string_view, 11> words{"static",
                                                   "extern",
                                                   "inline",
                                                   "thread_local",
                                                   "__extension__",
                                                   "constexpr",
                                                   "__heddle_shared__",
                                                   "__heddle_device__",
                                                   "__heddle_host__",
                                                   "__heddle_constant__",
                                                   "__heddle_managed__"};
  return t.is_one_of(words);
}

bool is_qualifier(const token& t) {
  constexpr std::array<std::string_view, 7> words{
      "const", "volatile", "__restrict__", "__volatile__", "__const", "__restrict", "restrict"};
  return t.is_one_of(words);
}

bool is_attribute_with_parentheses(const token& t) {
  return t.is("__attribute__") || t.is("__attribute") || t.is("alignas") || t.is("_Alignas");
}

class reader {
 public:
  reader(const structure& shape, std::size_t start) : shape_(shape), at_(start) {
    result_.start = start;
    result_.type = nowhere;
  }

  std::optional<declaration> run() {
    if (!read_specifiers()) return std::nullopt;
    if (result_.type == nowhere) return std::nullopt;
    result_.specifiers_end = at_;
    while (true) {
      const auto one = read_declarator();
      if (!one) return std::nullopt;
      result_.declarators.push_back(*one);
      at_ = one->end + 1;
      if (shape_.is(one->end, ";")) {
        result_.end = one->end;
        return std::move(result_);
      }
    }
  }

 private:
  bool is(std::string_view spelling) const { return shape_.is(at_, spelling); }

  bool skip_attribute() {
    if (at_ >= shape_.size()) return false;
    const std::size_t start = at_;
    if (is_attribute_with_parentheses(shape_.at(at_)) && shape_.is(at_ + 1, "("))
      at_ = shape_.after(at_ + 1);
    else if (is("[") && shape_.is(at_ + 1, "["))
      at_ = shape_.after(at_);
    else
      return false;
    result_.attributes.emplace_back(start, at_);
    return true;
  }

  void note_type() {
    if (result_.type == nowhere) result_.type = at_;
  }

  bool read_specifiers() {
    bool has_type = false;
    while (at_ < shape_.size()) {
      const token& t = shape_.at(at_);
      if (skip_attribute()) continue;
      if (t.kind == token_kind::identifier && is_storage(t)) {
        if (t.is("extern")) result_.is_extern = true;
        result_.storage_words.push_back(at_++);
      } else if (is_qualifier(t)) {
        note_type();
        ++at_;
      } else if (is_built_in(t)) {
        note_type();
        has_type = true;
        ++at_;
      } else if (has_type) {
        return true;
      } else if (t.is("struct") || t.is("class") || t.is("union") || t.is("enum")) {
        note_type();
        if (!read_class()) return false;
        has_type = true;
      } else if (t.is("decltype") || t.is("typeof") || t.is("__typeof__")) {
        note_type();
        ++at_;
        if (!is("(")) return false;
        at_ = shape_.after(at_);
        if (is("::") && !read_name()) return false;
        has_type = true;
      } else if (t.kind == token_kind::identifier || t.is("::")) {
        note_type();
        if (t.is("typename")) ++at_;
        if (!read_name()) return false;
        has_type = true;
      } else {
        return false;
      }
    }
    return false;
  }

  // `a::b<c>::template d<e>`. False if it is an expression: `a < b`.
  bool read_name() {
    if (is("::")) ++at_;
    while (at_ < shape_.size()) {
      if (is("template")) ++at_;
      if (!shape_.is_name(at_)) return true;
      ++at_;
      if (is("<")) {
        if (!shape_.opens_angles(at_)) return false;
        at_ = shape_.after_angles(at_);
      }
      if (!is("::")) return true;
      ++at_;
    }
    return true;
  }

  bool read_class() {
    const std::size_t keyword = at_++;
    if (is("class") || is("struct")) ++at_;  // enum class
    while (skip_attribute()) {
    }
    const std::size_t name = at_;
    if ((shape_.is_name(at_) || is("::")) && !read_name()) return false;
    const std::size_t name_end = at_;
    if (is("final")) ++at_;
    if (is(":"))
      while (at_ < shape_.size() && !is("{") && !is(";")) ++at_;
    if (!is("{")) return true;
    const std::size_t close = shape_.partner(at_);
    at_ = shape_.after(at_);
    result_.has_unnamed_type = name_end == name;
    if (result_.has_unnamed_type) return true;
    result_.named_type_end = close;
    result_.named_type = shape_.at(keyword).text;
    for (std::size_t i = name; i < name_end; ++i)
      result_.named_type += ' ' + std::string(shape_.at(i).text);
    return true;
  }

  std::optional<declarator> read_declarator() {
    declarator one{at_, nowhere, nowhere};
    while (at_ < shape_.size()) {
      if (skip_attribute()) continue;
      const token& t = shape_.at(at_);
      if (t.is(",") || t.is(";")) {
        one.end = at_;
        if (one.shape_end == nowhere) one.shape_end = at_;
        if (one.name == nowhere) return std::nullopt;
        return one;
      }
      if (t.is("}") || t.is(")")) return std::nullopt;
      if (t.is("=") || (t.is("{") && one.name != nowhere)) {
        one.has_initializer = true;
        one.shape_end = at_;
        skip_initializer();
        continue;
      }
      if (t.kind == token_kind::identifier && one.name == nowhere && !is_qualifier(t)) {
        one.name = at_++;
      } else if (t.is("(") || t.is("[")) {
        if (one.name == nowhere) find_name_inside(one, at_);
        at_ = shape_.after(at_);
      } else {
        ++at_;
      }
    }
    return std::nullopt;
  }

  void find_name_inside(declarator& one, std::size_t open) const {
    for (std::size_t i = open + 1; i < shape_.partner(open); ++i)
      if (shape_.is_name(i) && !is_qualifier(shape_.at(i))) {
        one.name = i;
        return;
      }
  }

  void skip_initializer() {
    while (at_ < shape_.size() && !is(",") && !is(";")) {
      if (is("(") || is("[") || is("{"))
        at_ = shape_.after(at_);
      else if (is("<"))
        at_ = shape_.after_angles(at_);  // `= f<1, n>()` has no second variable
      else
        ++at_;
    }
  }

  const structure& shape_;
  std::size_t at_;
  declaration result_;
};

}  // namespace

bool is_built_in(const token& word) {
  constexpr std::array<std::string_view, 21> words{
      "void",    "bool",     "char",     "short",  "int",        "long",       "float",
      "double",  "signed",   "unsigned", "auto",   "char8_t",    "char16_t",   "char32_t",
      "wchar_t", "__int128", "_Float16", "__fp16", "__signed__", "__float128", "_Complex"};
  return word.is_one_of(words);
}

std::optional<declaration> read_declaration(const structure& shape, std::size_t start) {
  return reader(shape, start).run();
}

bool is_plain(const structure& shape, const declarator& one) {
  for (std::size_t i = one.start; i < one.name; ++i)
    if (!shape.is(i, "*") && !is_qualifier(shape.at(i))) return false;
  std::size_t i = one.name + 1;
  while (shape.is(i, "[") && !shape.is(i + 1, "[")) i = shape.after(i);
  return i == one.shape_end;
}

namespace {

std::string without_attributes(const structure& shape, const declaration& all, std::size_t from,
                               std::size_t to) {
  std::string kept;
  for (std::size_t i = from; i < to; ++i) {
    const auto attribute = std::find_if(all.attributes.begin(), all.attributes.end(),
                                        [i](const auto& range) { return range.first == i; });
    const auto& storage = all.storage_words;
    if (attribute != all.attributes.end())
      i = attribute->second - 1;
    else if (std::find(storage.begin(), storage.end(), i) == storage.end())
      kept += ' ' + std::string(shape.at(i).text);
  }
  return kept;
}

}  // namespace

std::string reference_to(const structure& shape, const declaration& all, const declarator& one) {
  const std::string name(shape.at(one.name).text);
  if (all.has_unnamed_type) return "auto& " + name;
  std::string type = all.named_type;
  if (all.named_type_end) {
    type += without_attributes(shape, all, *all.named_type_end + 1, all.specifiers_end);
  } else {
    type = without_attributes(shape, all, all.start, all.specifiers_end);
  }
  const std::string rest = without_attributes(shape, all, one.name + 1, one.shape_end);
  const bool is_array_or_function = rest.rfind(" [", 0) == 0 || rest.rfind(" (", 0) == 0;
  return type + " " + without_attributes(shape, all, one.start, one.name) +
         (is_array_or_function ? "(&" + name + ")" : "&" + name) + rest;
}

std::string specifiers_of(const structure& shape, const declaration& all) {
  std::string text = all.named_type;
  const std::size_t from = all.named_type_end ? *all.named_type_end + 1 : all.start;
  for (std::size_t i = from; i < all.specifiers_end; ++i) {
    const auto& storage = all.storage_words;
    if (std::find(storage.begin(), storage.end(), i) == storage.end())
      text += ' ' + std::string(shape.at(i).text);
  }
  return text;
}

std::string place_text(const structure& shape, std::size_t index) {
  const token& t = shape.at(index);
  return "{\"" + absolute_path(shape.list().files[t.file].name) + "\", " + std::to_string(t.line) +
         "}";
}

}  // namespace heddle::frontend
