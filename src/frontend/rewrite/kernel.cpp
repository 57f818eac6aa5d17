// Wraps the body of each `__global__` function and turns its attributes into values.
#include "frontend/rewrite/kernel.hpp"

#include <algorithm>
#include <array>

#include "frontend/rewrite/kernel_name.hpp"

namespace heddle::frontend {
namespace {

std::string attributes_of(const structure& shape, const edits& changes, const scope& kernel) {
  std::array<std::string, 6> fields;
  const auto take = [&](std::size_t open, std::size_t first, std::size_t count) {
    if (!shape.is(open, "(") || shape.partner(open) == nowhere) return;
    const auto given = shape.split_at_commas(open, shape.partner(open));
    for (std::size_t k = 0; k < count && k < given.size(); ++k)
      fields[first + k] = "::heddle_host::constant<static_cast<unsigned>(" +
                          changes.text_of(given[k].from, given[k].to) + ")>";
    // `__cluster_dims__(2)` means 2 × 1 × 1.
    if (first == 3)
      for (std::size_t k = given.size(); k < count; ++k) fields[first + k] = '1';
  };
  for (std::size_t i = kernel.head; i < kernel.open; ++i) {
    if (shape.is(i, "__heddle_launch_bounds__")) take(i + 1, 0, 3);
    if (shape.is(i, "__heddle_cluster_dims__")) take(i + 1, 3, 3);
  }
  std::size_t used = 6;
  while (used > 0 && fields[used - 1].empty()) --used;
  std::string text = "::heddle_host::kernel_attributes{";
  for (std::size_t k = 0; k < used; ++k)
    text += (k ? ", " : "") + (fields[k].empty() ? "0" : fields[k]);
  return text + "}";
}

// Inside the closure, `__func__` and its relatives would name the closure's operator.
void keep_function_names(const structure& shape, edits& changes, const scope& kernel) {
  const std::string name = '"' + name_of(shape, kernel) + '"';
  bool needs_signature = false;
  for (std::size_t i = kernel.open + 1; i < kernel.close; ++i) {
    const token& word = shape.at(i);
    if (word.kind != token_kind::identifier || word.text.substr(0, 2) != "__") continue;
    if (word.is("__func__") || word.is("__FUNCTION__")) {
      changes.replace(i, name);
    } else if (word.is("__PRETTY_FUNCTION__")) {
      changes.replace(i, "heddle_signature");
      needs_signature = true;
    }
  }
  if (needs_signature)
    changes.insert_after(kernel.open,
                         " static constexpr auto& heddle_signature = __PRETTY_FUNCTION__;");
}

// Calls the checker where a lane exits.
void mark_returns(const structure& shape, edits& changes, const scope& kernel) {
  constexpr const char* call = " ::heddle_host::lane_returns()";
  for (std::size_t i = kernel.open + 1; i + 1 < kernel.close; ++i) {
    if (!shape.is(i, "return") || !shape.is(i + 1, ";")) continue;
    const scope* const around = shape.function_around(i);
    if (around != nullptr && around->open == kernel.open) changes.insert_after(i, call);
  }
  changes.insert_before(kernel.close, " ::heddle_host::lane_comes_to_end(); }); ");
}

// `requires { … }`, `requires(T x) { … }`
bool is_requirement(const structure& shape, std::size_t brace) {
  std::size_t word = brace - 1;
  if (shape.is(word, ")") && shape.partner(word) != nowhere) word = shape.partner(word) - 1;
  return shape.is(word, "requires");
}

// Whether the declaration that continues at `from` ends in a body.
bool has_body(const structure& shape, std::size_t from) {
  for (std::size_t i = from; i < shape.size(); ++i) {
    if (shape.is(i, ";") || shape.is(i, "}")) return false;
    if (shape.is(i, "{") && !is_requirement(shape, i)) return true;
    if (shape.is(i, "(") || shape.is(i, "[") || shape.is(i, "{")) i = shape.after(i) - 1;
  }
  return false;
}

}  // namespace

void refuse_unread_kernels(const structure& shape, edits& changes) {
  std::vector<token_range> heads;
  for (const scope& one : shape.scopes())
    if (one.is_kernel && one.kind == scope_kind::function) heads.push_back({one.head, one.open});
  for (const marker& word : shape.function_markers()) {
    if (!shape.at(word.at).is("__heddle_global__")) continue;
    const bool is_read = std::any_of(heads.begin(), heads.end(), [&](const token_range& head) {
      return head.from <= word.at && word.at < head.to;
    });
    if (!is_read && has_body(shape, word.at))
      changes.add_diagnostic(word.at,
                             "cannot parse the declaration of this `__global__` function: put each "
                             "comparison in it, such as `n < 4`, in parentheses");
  }
}

void rewrite_kernels(const structure& shape, edits& changes, independent_lanes* lanes) {
  for (const scope& kernel : shape.scopes()) {
    if (!kernel.is_kernel || kernel.kind != scope_kind::function) continue;
    keep_function_names(shape, changes, kernel);
    if (const auto address = address_of(shape, changes, kernel))
      changes.insert_after(kernel.open, " (void)&::heddle_host::is_known<" + *address + ">;");
    const auto known = lanes == nullptr ? std::nullopt : lanes->rewrite(kernel, changes);
    const std::string closure = known ? known->traits +
                                            ", [=] [[gnu::always_inline]] ([[maybe_unused]] " +
                                            known->parameter + ")"
                                      : "[=]()";
    changes.insert_after(kernel.open, " ::heddle_host::enter_kernel(__PRETTY_FUNCTION__, " +
                                          attributes_of(shape, changes, kernel) + ", " + closure +
                                          " mutable -> void {");
    mark_returns(shape, changes, kernel);
  }
}

void remove_function_markers(const structure& shape, edits& changes) {
  for (const marker& word : shape.function_markers()) {
    changes.erase(word.at);
    const bool has_arguments = shape.at(word.at).is("__heddle_launch_bounds__") ||
                               shape.at(word.at).is("__heddle_cluster_dims__");
    if (has_arguments && shape.is(word.at + 1, "(") && shape.partner(word.at + 1) != nowhere)
      changes.erase(word.at + 1, shape.partner(word.at + 1) + 1);
  }
}

}  // namespace heddle::frontend
