// Matches tokens. Each namespace in front of a name must be cooperative_groups or an alias of it.
#include "frontend/rewrite/block_groups.hpp"

namespace heddle::frontend {
namespace {

constexpr std::string_view groups = "cooperative_groups";

// Whether a name always stands for cooperative_groups. An alias could have two meanings.
bool is_groups_namespace(const structure& shape, std::size_t name) {
  if (shape.is(name, groups)) return true;
  bool is_alias = false;
  for (std::size_t i = 0; i + 3 < shape.size(); ++i) {
    if (!shape.is(i, "namespace") || !shape.is(i + 1, shape.at(name).text)) continue;
    if (!shape.is(i + 2, "=") || !shape.is(i + 3, groups) || !shape.is(i + 4, ";")) return false;
    is_alias = true;
  }
  return is_alias;
}

bool uses_groups_namespace(const structure& shape) {
  for (std::size_t i = 0; i + 3 < shape.size(); ++i)
    if (shape.is(i, "using") && shape.is(i + 1, "namespace") && shape.is(i + 2, groups) &&
        shape.is(i + 3, ";"))
      return true;
  return false;
}

// The name `word` after its namespace, if it is one of cooperative groups; otherwise `nowhere`.
std::size_t group_name(const structure& shape, std::size_t at, std::string_view word) {
  if (shape.is_name(at) && shape.is(at + 1, "::"))
    return shape.is(at + 2, word) && is_groups_namespace(shape, at) ? at + 2 : nowhere;
  return shape.is(at, word) && uses_groups_namespace(shape) ? at : nowhere;
}

bool is_empty_call(const structure& shape, std::size_t open) {
  return shape.is(open, "(") && shape.is(open + 1, ")");
}

}  // namespace

std::size_t group_of_barrier(const structure& shape, std::size_t at) {
  if (shape.is_name(at) && shape.is(at + 1, ".") && shape.is(at + 2, "sync"))
    return is_empty_call(shape, at + 3) && shape.is(at + 5, ";") ? at : nowhere;
  const std::size_t name = group_name(shape, at, "sync");
  if (name == nowhere || !shape.is(name + 1, "(") || !shape.is_name(name + 2)) return nowhere;
  return shape.is(name + 3, ")") && shape.is(name + 4, ";") ? name + 2 : nowhere;
}

bool is_barrier(const structure& shape, std::size_t at) {
  const bool is_plain =
      shape.is(at, "__syncthreads") && is_empty_call(shape, at + 1) && shape.is(at + 3, ";");
  return is_plain || group_of_barrier(shape, at) != nowhere;
}

std::size_t declared_block_group(const structure& shape, std::size_t at) {
  if (shape.is(at, "const")) ++at;
  const std::size_t type = shape.is(at, "auto") ? at : group_name(shape, at, "thread_block");
  if (type == nowhere || !shape.is_name(type + 1) || !shape.is(type + 2, "=")) return nowhere;
  const std::size_t made = group_name(shape, type + 3, "this_thread_block");
  const bool is_made = made != nowhere && is_empty_call(shape, made + 1) && shape.is(made + 3, ";");
  return is_made ? type + 1 : nowhere;
}

bool names_groups(const structure& shape, std::size_t at) {
  if (shape.is(at, "namespace"))
    return shape.is(at + 2, "=") && shape.is(at + 3, groups) && shape.is(at + 4, ";");
  if (shape.is(at, "using"))
    return shape.is(at + 1, "namespace") && shape.is(at + 2, groups) && shape.is(at + 3, ";");
  return declared_block_group(shape, at) != nowhere;
}

bool asks_for_rank(const structure& shape, std::size_t name) {
  return shape.is(name + 1, ".") && shape.is(name + 2, "thread_rank") &&
         is_empty_call(shape, name + 3);
}

bool asks_for_lane(const structure& shape, std::size_t name) {
  return shape.is(name + 2, "thread_rank") || shape.is(name + 2, "thread_index");
}

bool is_known_question(const structure& shape, std::size_t name) {
  if (!shape.is(name + 1, ".") || !is_empty_call(shape, name + 3)) return false;
  const std::size_t word = name + 2;
  if (shape.is(word, "thread_rank") || shape.is(word, "size") || shape.is(word, "num_threads"))
    return true;
  const bool has_three = shape.is(word, "thread_index") || shape.is(word, "group_index") ||
                         shape.is(word, "group_dim") || shape.is(word, "dim_threads");
  const std::size_t part = name + 6;
  return has_three && shape.is(name + 5, ".") &&
         (shape.is(part, "x") || shape.is(part, "y") || shape.is(part, "z"));
}

}  // namespace heddle::frontend
