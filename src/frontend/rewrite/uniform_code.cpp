// Assumes that everything is alike, and removes what is not until nothing changes.
#include "frontend/rewrite/uniform_code.hpp"

#include <algorithm>

#include "frontend/rewrite/block_groups.hpp"

namespace heddle::frontend {
namespace {

bool is_empty(const token_range& range) { return range.from >= range.to; }

token_range all_of(const statement& one) { return {one.from, one.to}; }

bool is_loop(const statement& one) {
  return one.kind == statement_kind::for_loop || one.kind == statement_kind::while_loop ||
         one.kind == statement_kind::do_loop;
}

}  // namespace

std::vector<std::size_t> declared_names(const structure& shape, const code_reader& reader,
                                        const token_range& range) {
  std::vector<std::size_t> names;
  const bool is_shared = is_empty(range) || declares_shared(shape, range.from);
  if (is_shared || !reader.is_type_word(range.from)) return names;
  for (std::size_t at = reader.after_type(range.from); at < range.to;) {
    while (at < range.to && (!shape.is_name(at) || shape.is(at, "const") ||
                             shape.at(at).text.substr(0, 10) == "__restrict"))
      ++at;
    if (at < range.to) names.push_back(at);
    while (at < range.to && !shape.is(at, ",")) {
      const bool opens = shape.is(at, "(") || shape.is(at, "[") || shape.is(at, "{");
      at = opens ? shape.after(at) : at + 1;
    }
  }
  return names;
}

uniform_code::uniform_code(const structure& shape, const code_reader& reader,
                           const std::set<std::size_t>& strides, const statement& body)
    : shape_(shape), reader_(reader), strides_(strides) {
  for (std::size_t before = nowhere; before != varying_.size();) {
    before = varying_.size();
    walk(body, true);
  }
}

bool uniform_code::is_uniform(const token_range& range) const {
  if (reader_.holds_load(range.from, range.to)) return false;
  for (std::size_t i = range.from; i < range.to; ++i) {
    if (shape_.is(i, "threadIdx")) return false;
    if (reader_.group_uses().count(i) != 0 && asks_for_lane(shape_, i)) return false;
    const auto used = reader_.uses().find(i);
    if (used == reader_.uses().end()) continue;
    if (varies(used->second) || reader_.is_loaded(used->second)) return false;
  }
  return true;
}

bool uniform_code::changes_variable(const token_range& range) const {
  const auto change = reader_.variable_changes().lower_bound(range.from);
  return change != reader_.variable_changes().end() && change->first < range.to;
}

bool uniform_code::has_decision(std::size_t from, std::size_t to) const {
  const auto decision = reader_.decisions().lower_bound(from);
  return decision != reader_.decisions().end() && *decision < to;
}

bool uniform_code::is_predictable(const statement& one) const {
  if (has_decision(one.from, one.to)) return false;
  return std::all_of(one.parts.begin(), one.parts.end(), [this](const statement& part) {
    return (!is_loop(part) || is_common(part)) && is_predictable(part);
  });
}

bool uniform_code::is_common(const statement& one) const {
  switch (one.kind) {
    case statement_kind::simple: {
      if (!is_uniform(all_of(one))) return false;
      const auto names = declared_names(shape_, reader_, all_of(one));
      if (names.empty()) return changes_variable(all_of(one));
      return std::none_of(names.begin(), names.end(),
                          [this](std::size_t name) { return varies(name); });
    }
    case statement_kind::branch:
      return is_uniform(one.condition);
    case statement_kind::for_loop:
    case statement_kind::while_loop:
      return is_common_loop(one);
    case statement_kind::do_loop:
      return false;
    default:
      return true;
  }
}

// A loop without barriers is worth splitting only if the compiler can then vectorise its body.
bool uniform_code::is_common_loop(const statement& loop) const {
  if (!is_uniform(loop.first) || !is_uniform(loop.condition) || !is_uniform(loop.step))
    return false;
  for (const std::size_t name : declared_names(shape_, reader_, loop.first))
    if (varies(name)) return false;
  const statement& body = loop.parts.front();
  if (leaves_unevenly(body, true, false)) return false;
  return holds(body, statement_kind::barrier) || strides(loop) ||
         (!has_decision(body.from, body.to) && is_predictable(body));
}

// Whether a lane may leave the loop, or an iteration of it, without the others.
bool uniform_code::leaves_unevenly(const statement& one, bool is_even, bool is_nested) const {
  if (one.kind == statement_kind::jump)
    return !is_even && (!is_nested || shape_.is(one.from, "return"));
  if (is_loop(one)) {
    is_even = is_even && is_common(one);
    is_nested = true;
  } else if (one.kind == statement_kind::branch) {
    is_even = is_even && is_common(one);
  }
  return std::any_of(one.parts.begin(), one.parts.end(), [&](const statement& part) {
    return leaves_unevenly(part, is_even, is_nested);
  });
}

void uniform_code::note(const token_range& range, bool is_uniform) {
  if (is_uniform) return;
  for (const std::size_t name : declared_names(shape_, reader_, range)) varying_.insert(name);
  const auto& changes = reader_.variable_changes();
  for (auto change = changes.lower_bound(range.from);
       change != changes.end() && change->first < range.to; ++change)
    varying_.insert(change->second);
}

void uniform_code::walk(const statement& one, bool is_common_around) {
  if (one.kind == statement_kind::simple) {
    // Variables that are declared together live in the same place.
    const auto names = declared_names(shape_, reader_, all_of(one));
    const bool is_divided =
        std::any_of(names.begin(), names.end(), [this](std::size_t name) { return varies(name); });
    note(all_of(one), is_common_around && !is_divided && is_uniform(all_of(one)));
    return;
  }
  const bool is_common_here = is_common_around && is_common(one);
  for (const token_range& head : {one.first, one.condition, one.step}) note(head, is_common_here);
  for (const statement& part : one.parts) walk(part, is_common_here);
}

}  // namespace heddle::frontend
