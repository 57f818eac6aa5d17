// Reads statements; expressions are in code_reader_expressions.cpp.
#include "frontend/rewrite/code_reader.hpp"

#include <algorithm>

#include "frontend/rewrite/block_groups.hpp"
#include "frontend/rewrite/declaration.hpp"
#include "frontend/rewrite/plain_names.hpp"

namespace heddle::frontend {

bool declares_shared(const structure& shape, std::size_t at) {
  for (const marker& word : shape.shared_markers())
    if (word.head == at) return true;
  return false;
}

code_verdict code_reader::read(std::size_t open, std::size_t close) {
  // A loop may use a variable before it stores a loaded value in it, so read until nothing changes.
  for (std::size_t before = nowhere; before != loaded_.size();) {
    before = loaded_.size();
    if (!read_once(open, close)) return {};
  }
  return {true, is_predictable_, is_pure_, names_vectors_, changed_parameters_};
}

bool code_reader::read_once(std::size_t open, std::size_t close) {
  variables_ = parameters_;
  if (!changed_parameters_.empty()) is_pure_ = false;
  if (parameters_are_loaded_)
    for (const variable& one : parameters_) loaded_.insert(one.declared);
  conditions_.clear();
  loops_.clear();
  for (std::size_t at = open + 1; at < close && is_independent_;) at = read_statement(at);
  return is_independent_;
}

std::size_t code_reader::fail() {
  is_independent_ = false;
  return shape_.size();
}

void code_reader::note_loop() {
  is_predictable_ = is_pure_ = false;
  loops_.push_back({conditions_.size()});
}

void code_reader::note_decision(std::size_t at) {
  is_predictable_ = false;
  decisions_.insert(at);
}

bool code_reader::is_type_word(std::size_t index) const {
  if (!shape_.is_name(index)) return false;
  const std::string_view word = shape_.at(index).text;
  return is_arithmetic_word(word) || is_vector_type(word) || types_.count(word) != 0;
}

std::size_t code_reader::after_type(std::size_t index) const {
  while (is_type_word(index)) ++index;
  return index;
}

// `real`, if the program has `using real = float;`.
bool code_reader::learn_alias(std::size_t at) {
  if (!shape_.is_name(at) || find(shape_.at(at).text) != nullptr) return false;
  const known_variable meaning = find_known_variable(shape_, shape_.at(at).text);
  const bool is_structure = meaning == known_variable::structure;
  if (is_structure) structures_.insert(shape_.at(at).text);
  names_vectors_ |= meaning == known_variable::vector || is_structure;
  if (meaning != known_variable::type && meaning != known_variable::vector && !is_structure)
    return false;
  add_type(shape_.at(at).text);
  return true;
}

// The same as after_type() at the beginning of a declaration, which may name an alias.
std::size_t code_reader::learn_type(std::size_t at) {
  for (;; ++at) {
    if (is_type_word(at)) continue;
    const bool may_be_type =
        shape_.is_name(at + 1) || shape_.is(at + 1, "*") || shape_.is(at + 1, "&");
    if (!may_be_type || !learn_alias(at)) return at;
  }
}

bool code_reader::add_parameters(std::size_t open) {
  if (shape_.partner(open) == nowhere) return false;
  std::size_t number = 0;
  for (const token_range& one : shape_.split_at_commas(open, shape_.partner(open))) {
    const std::size_t place = number++;
    std::size_t at = learn_type(one.from);
    if (at == one.from) return false;
    bool is_memory = false;
    for (; at < one.to && (shape_.is(at, "*") || is_type_word(at) ||
                           shape_.at(at).text.substr(0, 10) == "__restrict");
         ++at)
      is_memory |= shape_.is(at, "*");
    if (shape_.is(at, "&")) {
      // What it refers to cannot be changed if a `const` stands before it, and no `*` after that.
      std::size_t word = at - 1;
      while (word > one.from && !shape_.is(word, "const") && !shape_.is(word, "*")) --word;
      has_references_ = true;
      if (!shape_.is(word, "const")) changed_parameters_.insert(place);
      ++at;
      while (shape_.at(at).text.substr(0, 10) == "__restrict") ++at;
    }
    if (at == one.to) continue;  // it has no name
    if (!shape_.is_name(at)) return false;
    for (std::size_t i = at + 1; i < one.to && !shape_.is(i, "="); ++i) {
      if (!shape_.is(i, "[")) return false;
      is_memory = true;
      i = shape_.after(i) - 1;
    }
    parameters_.push_back({shape_.at(at).text, at, is_memory, 0});
    for (std::size_t i = one.from; i < at; ++i)
      parameters_.back().is_structure |= structures_.count(shape_.at(i).text) != 0;
  }
  return true;
}

std::vector<std::string_view> code_reader::used_parameters() const {
  std::vector<std::string_view> names;
  for (const variable& one : parameters_)
    if (!one.is_structure && std::any_of(uses_.begin(), uses_.end(), [&](const auto& use) {
          return use.second == one.declared;
        }))
      names.push_back(one.name);
  return names;
}

bool code_reader::is_parameter(std::size_t declared) const {
  return std::any_of(parameters_.begin(), parameters_.end(),
                     [declared](const variable& one) { return one.declared == declared; });
}

std::size_t code_reader::statement_end(std::size_t at) const {
  for (std::size_t i = at; i < shape_.size(); ++i) {
    if (shape_.is(i, ";")) return i;
    if (shape_.is(i, ")") || shape_.is(i, "]") || shape_.is(i, "}")) return nowhere;
    if (shape_.is(i, "(") || shape_.is(i, "[") || shape_.is(i, "{")) i = shape_.after(i) - 1;
  }
  return nowhere;
}

std::size_t code_reader::read_statement(std::size_t at) {
  if (at >= shape_.size()) return fail();
  const token& first = shape_.at(at);
  if (first.is(";")) return at + 1;
  if (first.is("{")) {
    const std::size_t variables = variables_.size();
    const std::size_t close = shape_.partner(at);
    for (++at; at < close && is_independent_;) at = read_statement(at);
    variables_.resize(std::min(variables, variables_.size()));
    return is_independent_ ? close + 1 : fail();
  }
  if (first.is("if")) return read_if(at);
  if (first.is("for")) return read_for(at);
  if (first.is("while")) return read_while(at);
  if (first.is("do")) return read_do(at);
  if (first.is("return") || first.is("break") || first.is("continue")) return read_jump(at);
  const std::size_t end = statement_end(at);
  if (end == nowhere) return fail();
  if (allows_barriers_ && is_block_barrier(at)) return end + 1;
  if (allows_barriers_ && names_groups(shape_, at)) return read_group(at, end);
  if (allows_barriers_ && declares_shared(shape_, at)) return read_shared(at, end);
  if (is_atomic_function(first.text) && shape_.is(at + 1, "(") && shape_.after(at + 1) == end &&
      !judge_(first.text))
    return read_atomic(at, end);
  if (learn_type(at) != at) return read_declaration(at, end);
  read_expression(at, end);
  return end + 1;
}

std::size_t code_reader::read_body(std::size_t at, bool condition_is_loaded) {
  conditions_.push_back(condition_is_loaded);
  const std::size_t variables = variables_.size();
  const std::size_t end = read_statement(at);
  variables_.resize(std::min(variables, variables_.size()));
  conditions_.pop_back();
  return end;
}

std::size_t code_reader::read_if(std::size_t at) {
  std::size_t open = at + 1;
  if (shape_.is(open, "constexpr")) ++open;
  if (!shape_.is(open, "(") || shape_.partner(open) == nowhere) return fail();
  const bool is_loaded = read_expression(open + 1, shape_.partner(open));
  if (is_loaded) note_decision(at);
  std::size_t end = read_body(shape_.after(open), is_loaded);
  if (shape_.is(end, "else")) end = read_body(end + 1, is_loaded);
  return end;
}

// A loop must not depend on what it loads, because it could be waiting for another lane.
std::size_t code_reader::read_for(std::size_t at) {
  const std::size_t open = at + 1;
  if (!shape_.is(open, "(") || shape_.partner(open) == nowhere) return fail();
  const std::size_t close = shape_.partner(open);
  const std::size_t first = statement_end(open + 1);
  const std::size_t second = first == nowhere ? nowhere : statement_end(first + 1);
  if (second == nowhere || second >= close) return fail();  // `for (auto& one : all)`
  const std::size_t variables = variables_.size();
  if (first > open + 1) read_statement(open + 1);
  note_loop();
  if (read_expression(first + 1, second)) return fail();
  read_expression(second + 1, close);
  const std::size_t end = read_body(close + 1, false);
  loops_.pop_back();
  variables_.resize(std::min(variables, variables_.size()));
  return end;
}

std::size_t code_reader::read_while(std::size_t at) {
  const std::size_t open = at + 1;
  if (!shape_.is(open, "(") || shape_.partner(open) == nowhere) return fail();
  note_loop();
  if (read_expression(open + 1, shape_.partner(open))) return fail();
  const std::size_t end = read_body(shape_.after(open), false);
  loops_.pop_back();
  return end;
}

std::size_t code_reader::read_do(std::size_t at) {
  note_loop();
  const std::size_t end = read_body(at + 1, false);
  loops_.pop_back();
  if (!shape_.is(end, "while") || !shape_.is(end + 1, "(")) return fail();
  if (shape_.partner(end + 1) == nowhere) return fail();
  if (read_expression(end + 2, shape_.partner(end + 1))) return fail();
  return shape_.is(shape_.after(end + 1), ";") ? shape_.after(end + 1) + 1 : fail();
}

// Nor must leaving a loop early depend on a load.
std::size_t code_reader::read_jump(std::size_t at) {
  const std::size_t end = statement_end(at);
  if (end == nowhere) return fail();
  read_expression(at + 1, end);
  if (!loops_.empty()) {
    const bool leaves_all = shape_.is(at, "return");
    const loop& left = leaves_all ? loops_.front() : loops_.back();
    for (std::size_t i = left.conditions; i < conditions_.size(); ++i)
      if (conditions_[i]) return fail();
  }
  return end + 1;
}

std::size_t code_reader::read_declaration(std::size_t at, std::size_t end) {
  const std::size_t type = at;
  bool is_deduced = false;
  at = after_type(at);
  for (std::size_t i = type; i < at; ++i) {
    is_deduced |= shape_.is(i, "auto");
    names_vectors_ |= is_vector_type(shape_.at(i).text);
  }
  while (at < end) {
    bool is_memory = false, is_array = false;
    for (; shape_.is(at, "*") || shape_.is(at, "const") ||
           shape_.at(at).text.substr(0, 10) == "__restrict";
         ++at)
      is_memory |= shape_.is(at, "*");
    const std::size_t name = at++;
    if (!shape_.is_name(name) || is_type_word(name)) return fail();
    for (; shape_.is(at, "["); at = shape_.after(at)) {
      is_array = !is_memory || is_array;
      is_memory = true;
      read_expression(at + 1, shape_.partner(at));
    }
    std::size_t next = at;
    while (next < end && !shape_.is(next, ",")) {
      const bool opens = shape_.is(next, "(") || shape_.is(next, "[") || shape_.is(next, "{");
      next = opens ? shape_.after(next) : next + 1;
    }
    if (next > end) return fail();
    if (at < next && !shape_.is(at, "=") && !shape_.is(at, "(") && !shape_.is(at, "{"))
      return fail();
    const std::size_t value = shape_.is(at, "=") ? at + 1 : at;
    const bool is_loaded = read_expression(value, next);
    if (is_deduced)
      for (std::size_t i = value; i < next; ++i) {
        const variable* const used = shape_.is_name(i) ? find(shape_.at(i).text) : nullptr;
        is_memory |= used != nullptr && used->is_memory;
      }
    variables_.push_back(
        {shape_.at(name).text, name, is_memory, conditions_.size(), false, is_array});
    if (is_loaded) loaded_.insert(name);
    at = next + 1;
  }
  return end + 1;
}

// `__shared__ float tile[16][16], total;` A scalar counts as loaded: other lanes may change it.
std::size_t code_reader::read_shared(std::size_t at, std::size_t end) {
  const auto read = frontend::read_declaration(shape_, at);
  if (!read || read->end != end || read->type >= read->specifiers_end) return fail();
  for (std::size_t i = read->type; i < read->specifiers_end; ++i) {
    if (!is_type_word(i)) learn_alias(i);
    const bool is_marker = std::find(read->storage_words.begin(), read->storage_words.end(), i) !=
                           read->storage_words.end();
    if (!is_type_word(i) && !is_marker) return fail();
    names_vectors_ |= is_vector_type(shape_.at(i).text);
  }
  for (const declarator& one : read->declarators) {
    if (one.start != one.name || one.has_initializer) return fail();
    for (std::size_t open = one.name + 1; open < one.end; open = shape_.after(open)) {
      if (!shape_.is(open, "[")) return fail();
      read_expression(open + 1, shape_.partner(open));
    }
    const bool is_array = shape_.is(one.name + 1, "[");
    variables_.push_back(
        {shape_.at(one.name).text, one.name, true, conditions_.size(), true, is_array});
    if (!is_array) loaded_.insert(one.name);
  }
  return end + 1;
}

// A barrier for the whole block. The program may have a function or a class with these names.
bool code_reader::is_block_barrier(std::size_t at) const {
  if (!is_barrier(shape_, at)) return false;
  const std::size_t name = group_of_barrier(shape_, at);
  if (name == nowhere) return true;
  const variable* const group = find(shape_.at(name).text);
  return group != nullptr && group->is_group && !judge_("sync");
}

// `cg::thread_block block = cg::this_thread_block();`
std::size_t code_reader::read_group(std::size_t at, std::size_t end) {
  const std::size_t name = declared_block_group(shape_, at);
  if (name == nowhere) return end + 1;
  if (judge_("this_thread_block")) return fail();
  variable group{shape_.at(name).text, name, false, conditions_.size()};
  group.is_group = true;
  variables_.push_back(group);
  return end + 1;
}

// `atomicAdd(&sums[i], x);` Nobody waits for an atomic operation whose result is not used.
std::size_t code_reader::read_atomic(std::size_t at, std::size_t end) {
  std::size_t first = at + 2;
  if (shape_.is(first, "&")) ++first;  // only the operation changes what is there
  const variable* const target = shape_.is_name(first) ? find(shape_.at(first).text) : nullptr;
  if (target != nullptr && !target->is_memory) return fail();
  if (target != nullptr && target->is_shared) shared_atomics_.insert(at);
  is_pure_ = false;
  note_decision(at);
  read_expression(first, end - 1);
  return end + 1;
}

const code_reader::variable* code_reader::find(std::string_view name) const {
  for (std::size_t i = variables_.size(); i-- > 0;)
    if (variables_[i].name == name) return &variables_[i];
  return nullptr;
}

}  // namespace heddle::frontend
