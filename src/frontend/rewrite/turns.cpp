// Finds `i += stride` in loops of device code.
#include "frontend/rewrite/turns.hpp"

#include <algorithm>
#include <string_view>

#include "frontend/rewrite/plain_names.hpp"

namespace heddle::frontend {
namespace {

// The function or lambda that contains a token, if only lanes run it.
const scope* lane_code_around(const structure& shape, std::size_t at) {
  const scope* const around = shape.function_around(at);
  if (around == nullptr || !around->is_device || around->is_host_too) return nullptr;
  for (std::size_t i = around->head; i < around->open; ++i)
    if (shape.is(i, "constexpr") || shape.is(i, "consteval")) return nullptr;
  return around;
}

bool names_shape(const structure& shape, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i)
    if (shape.is(i, "blockDim") || shape.is(i, "gridDim")) return true;
  return false;
}

// One past the expression that begins at `from`.
std::size_t expression_end(const structure& shape, std::size_t from) {
  std::size_t i = from;
  while (i < shape.size() && !shape.is(i, ";") && !shape.is(i, ",") && !shape.is(i, ")") &&
         !shape.is(i, "}"))
    i = shape.is(i, "(") || shape.is(i, "[") || shape.is(i, "{") ? shape.after(i) : i + 1;
  return i;
}

// Whether the name is a variable that the function computes from the launch's shape:
// `const int stride = blockDim.x * gridDim.x;`
bool is_stride(const structure& shape, const scope& function, std::size_t name) {
  for (std::size_t i = function.open + 1; i < name; ++i) {
    if (shape.at(i).text != shape.at(name).text || !shape.is(i + 1, "=")) continue;
    if (names_shape(shape, i + 2, expression_end(shape, i + 2))) return true;
  }
  return false;
}

bool is_number(const structure& shape, std::size_t at) {
  return shape.at(at).kind == token_kind::number ||
         find_known_variable(shape, shape.at(at).text) == known_variable::constant;
}

bool begins_statement(const structure& shape, std::size_t at) {
  for (const std::string_view before : {";", "{", "}", ")", "else", "do"})
    if (at > 0 && shape.is(at - 1, before)) return true;
  return false;
}

// Whether the `;` or `)` at `end` follows the `i += n` of a `for`.
bool is_step_of_loop(const structure& shape, std::size_t end) {
  return shape.is(end, ")") && shape.partner(end) != nowhere && shape.partner(end) > 0 &&
         shape.is(shape.partner(end) - 1, "for");
}

}  // namespace

std::set<std::size_t> find_strides(const structure& shape) {
  std::set<std::size_t> found;
  for (std::size_t i = 1; i + 1 < shape.size(); ++i) {
    if (!shape.is(i, "+=") || !shape.is_name(i - 1) || !shape.is_in_user_file(i)) continue;
    const scope* const around = lane_code_around(shape, i);
    if (around == nullptr) continue;
    std::size_t end = expression_end(shape, i + 1);
    const bool is_of_shape =
        names_shape(shape, i + 1, end) || (end == i + 2 && is_stride(shape, *around, i + 1));
    const bool is_constant = end == i + 2 && is_number(shape, i + 1);
    while (shape.is(end, ",")) end = expression_end(shape, end + 1);
    if (is_step_of_loop(shape, end)) {
      if (!is_constant) found.insert(end);
    } else if (is_of_shape && shape.is(end, ";") && begins_statement(shape, i - 1)) {
      found.insert(end);
    }
  }
  return found;
}

void count_iterations(const structure& shape, const std::set<std::size_t>& strides,
                      edits& changes) {
  std::set<std::size_t> counting;  // the `{` of functions that already have a counter
  for (const std::size_t end : strides) {
    changes.insert_before(end, ", ::heddle_host::end_iteration(heddle_turn)");
    const std::size_t open = shape.function_around(end)->open;
    if (counting.insert(open).second)
      changes.insert_after(open, " unsigned heddle_turn = ::heddle_host::iterations_per_turn;");
  }
}

}  // namespace heddle::frontend
