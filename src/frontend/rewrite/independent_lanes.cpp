// Collects the program's device functions, judges kernels and rewrites their bodies.
#include "frontend/rewrite/independent_lanes.hpp"

#include "frontend/rewrite/block_loops.hpp"
#include "frontend/rewrite/kernel_name.hpp"
#include "frontend/rewrite/lane_tests.hpp"
#include "frontend/rewrite/plain_names.hpp"

namespace heddle::frontend {
namespace {

// A device function, or one that lanes can call because it is constexpr.
bool may_run_in_lanes(const structure& shape, const scope& function) {
  if (function.is_device) return true;
  for (std::size_t i = function.head; i < function.open; ++i)
    if (shape.is(i, "constexpr")) return true;
  return false;
}

bool is_within_namespaces(const structure& shape, const scope& function) {
  const scope_kind around = shape.scopes()[function.parent].kind;
  return around == scope_kind::file || around == scope_kind::name_space ||
         around == scope_kind::linkage;
}

// What may precede a function's name, besides its type.
bool is_specifier(const token& word) {
  return word.is("static") || word.is("inline") || word.is("__inline__") || word.is("__inline") ||
         word.is("extern") || word.is("__heddle_device__") || word.is("__heddle_global__") ||
         word.is("__heddle_host__") || word.kind == token_kind::string || word.is("*");
}

// One past `__attribute__((…))` or `__launch_bounds__(…)`; `at` if there is none.
std::size_t after_attribute(const structure& shape, std::size_t at) {
  const bool has_one = shape.is(at, "__attribute__") || shape.is(at, "__heddle_launch_bounds__");
  return has_one && shape.is(at + 1, "(") ? shape.after(at + 1) : at;
}

}  // namespace

independent_lanes::independent_lanes(const structure& shape, std::set<std::size_t>& strides,
                                     bool is_relocatable)
    : shape_(shape), strides_(strides), is_relocatable_(is_relocatable) {
  for (const scope& one : shape.scopes()) {
    if (one.kind != scope_kind::function || !shape.is_in_user_file(one.open)) continue;
    if (!may_run_in_lanes(shape, one)) continue;
    for (std::size_t i = one.head; i < one.open; ++i)
      has_operators_ |= shape.is(i, "operator") && is_within_namespaces(shape, one);
    const declarator_place place = find_declarator(shape, one);
    if (place.name != nowhere) functions_.emplace(shape.at(place.name).text, &one);
  }
}

bool independent_lanes::strides(const scope& function) const {
  const auto next = strides_.upper_bound(function.open);
  return next != strides_.end() && *next < function.close;
}

// Adds what the head declares to the reader; false if something in it is not plain.
bool independent_lanes::has_plain_head(const scope& function, code_reader& reader,
                                       std::vector<std::string>* types) const {
  const declarator_place place = find_declarator(shape_, function);
  if (place.name == nowhere || place.templates > 1) return false;
  if (!is_within_namespaces(shape_, function)) return false;
  std::size_t at = function.head;
  if (place.templates == 1) {
    const std::size_t open = place.template_parameters;
    for (const token_range& one : shape_.split_at_commas(open, shape_.after_angles(open) - 1)) {
      std::size_t name = one.from;
      const bool is_type = shape_.is(name, "typename") || shape_.is(name, "class");
      name = is_type ? name + 1 : reader.after_type(name);
      if (name == one.from || name >= one.to || !shape_.is_name(name)) return false;
      if (name + 1 < one.to && !shape_.is(name + 1, "=")) return false;
      if (!is_type) {
        reader.add_constant(shape_.at(name).text);
        continue;
      }
      reader.add_type(shape_.at(name).text);
      if (types != nullptr) types->emplace_back(shape_.at(name).text);
    }
    at = shape_.after_angles(open);
  }
  while (at < place.name) {
    const std::size_t next = after_attribute(shape_, at);
    const bool is_known = reader.is_type_word(at) || is_specifier(shape_.at(at));
    if (next == at && !is_known && !reader.learn_alias(at)) return false;
    at = next == at ? at + 1 : next;
  }
  if (!reader.add_parameters(place.parameters)) return false;
  // Only `noexcept` may follow.
  const std::size_t end = shape_.after(place.parameters);
  return end == function.open || (shape_.is(end, "noexcept") && end + 1 == function.open);
}

code_verdict independent_lanes::judge_function(const scope& function) {
  code_reader reader(shape_, [this](std::string_view name) { return judge_functions(name); });
  reader.treat_parameters_as_loaded();
  if (function.is_kernel || strides(function)) return {};
  if (!has_plain_head(function, reader, nullptr)) return {};
  return reader.read(function.open, function.close);
}

std::optional<code_verdict> independent_lanes::judge_functions(std::string_view name) {
  const auto [first, last] = functions_.equal_range(name);
  if (first == last) return std::nullopt;
  if (const auto known = judged_.find(name); known != judged_.end()) return known->second;
  judged_[name] = {};  // what a recursive call gets
  if (is_relocatable_) return code_verdict{};
  code_verdict all{true, true, true, false, {}};
  for (auto one = first; one != last; ++one) {
    const code_verdict own = judge_function(*one->second);
    all.is_independent &= own.is_independent;
    all.is_predictable &= own.is_predictable;
    all.is_pure &= own.is_pure;
    all.names_vectors |= own.names_vectors;
    all.changed_arguments.insert(own.changed_arguments.begin(), own.changed_arguments.end());
  }
  return judged_[name] = all;
}

// Nullopt if the lanes of the kernel may need each other in ways that the reader does not allow.
std::optional<code_verdict> independent_lanes::judge_kernel(const scope& kernel,
                                                            code_reader& reader,
                                                            std::vector<std::string>& types) const {
  reader.allow_built_in_variables();
  if (!has_plain_head(kernel, reader, &types) || reader.has_references()) return std::nullopt;
  const code_verdict verdict = reader.read(kernel.open, kernel.close);
  // An operator that the program defines may do anything.
  if (!verdict.is_independent || (has_operators_ && verdict.names_vectors)) return std::nullopt;
  return verdict;
}

std::string independent_lanes::plain_types(const code_reader& reader,
                                           const std::vector<std::string>& types) const {
  std::string all = has_operators_ ? "true" : "false";
  for (const std::string_view name : reader.used_parameters())  // `decltype` would count as a use
    all += ", decltype(" + std::string(name) + ")";
  for (const std::string& type : types) all += ", " + type;
  return all;
}

std::optional<independent_lanes::known_lanes> independent_lanes::rewrite(const scope& kernel,
                                                                         edits& changes) {
  if (!shape_.is_in_user_file(kernel.open)) return std::nullopt;
  const auto judge = [this](std::string_view name) { return judge_functions(name); };
  std::vector<std::string> types;
  if (!strides(kernel)) {
    code_reader reader(shape_, judge);
    if (const auto verdict = judge_kernel(kernel, reader, types)) {
      for (const std::size_t use : reader.built_ins()) changes.insert_before(use, "heddle_lane.");
      lane_indices indices(shape_, reader);
      if (verdict->is_predictable)
        mark_lane_tests(shape_, reader, {kernel.open + 1, kernel.close}, indices, changes);
      const std::string mode = !verdict->is_predictable    ? "one_by_one"
                               : indices.do_ends_suffice() ? "test_ends"
                                                           : "test_each";
      return known_lanes{"::heddle_host::independent_lanes<::heddle_host::row_mode::" + mode +
                             ", " + plain_types(reader, types) + ">{}",
                         "::heddle_host::lane_in_row heddle_lane"};
    }
    types.clear();
  }
  code_reader reader(shape_, judge);
  reader.allow_barriers();
  if (!judge_kernel(kernel, reader, types)) return std::nullopt;
  if (!rewrite_block_loops(shape_, reader, kernel, strides_, changes)) return std::nullopt;
  return known_lanes{"::heddle_host::lanes_between_barriers<" + plain_types(reader, types) + ">{}",
                     "::heddle_host::block_of_lanes& heddle_block"};
}

}  // namespace heddle::frontend
