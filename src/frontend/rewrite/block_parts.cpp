// A part ends where the block executes something once: a barrier, a uniform loop or branch, or a
// statement with the same effect in each lane.
#include "frontend/rewrite/block_parts.hpp"

#include <algorithm>

namespace heddle::frontend {
namespace {

bool returns(const structure& shape, const statement& one) {
  if (one.kind == statement_kind::jump) return shape.is(one.from, "return");
  return std::any_of(one.parts.begin(), one.parts.end(),
                     [&](const statement& part) { return returns(shape, part); });
}

// How many pairs of square brackets follow.
std::size_t subscripts_at(const structure& shape, std::size_t at) {
  std::size_t count = 0;
  for (; shape.is(at, "["); at = shape.after(at)) ++count;
  return count;
}

bool has_loop(const statement& one) {
  return holds(one, statement_kind::for_loop) || holds(one, statement_kind::while_loop) ||
         holds(one, statement_kind::do_loop);
}

bool is_within(std::size_t at, std::size_t from, std::size_t to) { return from <= at && at < to; }

}  // namespace

block_parts::block_parts(const structure& shape, const code_reader& reader,
                         const std::set<std::size_t>& strides, const statement& body)
    : shape_(shape), reader_(reader), strides_(strides), uniform_(shape, reader, strides, body) {
  visit(body);
  if (!is_possible_ && has_returned_) {
    parts_.clear();
    variables_.clear();
    removed_.clear();
    barriers_.clear();
    shared_.clear();
    found_strides_.clear();
    is_possible_ = lanes_leave_ = true;
    has_returned_ = false;
    loops_ = 0;
    begin_part();
    visit(body);
  }
  if (is_possible_) keep_variables();
}

bool block_parts::may_have_left(const block_part& part) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const block_part& one) { return one.leaves && one.to <= part.from; });
}

// One that the block executes once.
void block_parts::visit(const statement& one) {
  if (!is_possible_) return;
  if (one.kind == statement_kind::group) {
    removed_.push_back({one.from, one.to});
    return;
  }
  if (one.kind == statement_kind::simple && repeat(one)) return;
  if (!uniform_.is_common(one)) {
    if (!add_stride(one)) add_lanes(one);
    return;
  }
  if (has_returned_) return fail();
  begin_part();
  const bool is_loop =
      one.kind == statement_kind::for_loop || one.kind == statement_kind::while_loop;
  if (is_loop && uniform_.strides(one)) found_strides_.insert(one.step.to);
  if (one.kind == statement_kind::simple && strides_.count(one.to - 1) != 0)
    found_strides_.insert(one.to - 1);
  if (one.kind == statement_kind::barrier) barriers_.push_back(one.from);
  if (one.kind == statement_kind::shared) shared_.push_back({one.from, one.to});
  loops_ += is_loop;
  for (const statement& part : one.parts) {
    visit(part);
    if (one.kind != statement_kind::compound) begin_part();
  }
  loops_ -= is_loop;
  begin_part();
}

void block_parts::add_lanes(const statement& one) {
  const auto stride = strides_.lower_bound(one.from);
  const bool strides = stride != strides_.end() && *stride < one.to;
  if (strides || holds(one, statement_kind::barrier) || holds(one, statement_kind::shared))
    return fail();
  if (has_returned_ && !is_part_open_) return fail();
  const bool leaves = returns(shape_, one);
  if (leaves && loops_ != 0) return fail();
  add_variables({one.from, one.to});
  if (leaves && lanes_leave_) {
    parts_.push_back({one.from, one.to, false, true});
    return begin_part();
  }
  has_returned_ |= leaves;
  const bool is_predictable = !uniform_.has_decision(one.from, one.to) && !has_loop(one);
  if (is_part_open_) {
    parts_.back().to = one.to;
    parts_.back().is_predictable &= is_predictable;
  } else {
    parts_.push_back({one.from, one.to, is_predictable});
    is_part_open_ = true;
  }
}

// The variable and the step of `for (int i = …; i < n; i += stride) …`, or of
// `while (i < n) { … i += stride; }`.
std::optional<block_part> block_parts::find_stride(const statement& loop) const {
  block_part made{loop.condition.from, loop.to, false, false, &loop};
  if (loop.kind == statement_kind::for_loop) {
    const auto names = declared_names(shape_, reader_, loop.first);
    const bool has_one = names.size() == 1 && shape_.is(names[0] + 1, "=") &&
                         reader_.after_type(loop.first.from) == names[0];
    if (!has_one || is_deduced({loop.first.from, names[0]})) return std::nullopt;
    made.index = names[0];
    made.step = loop.step;
  } else if (loop.kind == statement_kind::while_loop && !loop.parts.front().parts.empty()) {
    const statement& last = loop.parts.front().parts.back();
    const auto change = reader_.variable_changes().find(last.from);
    if (change == reader_.variable_changes().end()) return std::nullopt;
    const auto variable = variables_.find(change->second);
    if (variable == variables_.end()) return std::nullopt;
    if (variable->second.one.start != variable->first) return std::nullopt;  // a pointer
    made.index = variable->first;
    made.step = {last.from, last.to - 1};
  } else {
    return std::nullopt;
  }
  const auto change = reader_.variable_changes().find(made.step.from);
  const bool changes_index =
      change != reader_.variable_changes().end() && change->second == made.index;
  const bool is_step = changes_index && shape_.is(made.step.from + 1, "+=");
  return is_step && strides_.count(made.step.to) != 0 ? std::optional(made) : std::nullopt;
}

// A block goes through such a loop once, with all lanes at each step.
bool block_parts::add_stride(const statement& loop) {
  std::optional<block_part> part = find_stride(loop);
  if (!part || has_returned_) return false;
  const token_range distance{part->step.from + 2, part->step.to};
  for (std::size_t i = distance.from; i < distance.to; ++i) {
    if (shape_.is(i, ",")) return false;
    if (shape_.is(i, "(")) i = shape_.after(i) - 1;
  }
  const auto& changes = reader_.variable_changes();
  for (auto one = changes.lower_bound(part->from); one != changes.end() && one->first < part->to;
       ++one)
    if (one->second == part->index && one->first != part->step.from) return false;
  const statement& body = loop.parts.front();
  for (const std::size_t inner : strides_)
    if (is_within(inner, body.from, body.to) && inner != part->step.to) return false;
  const bool is_plain = uniform_.is_uniform(distance) && !holds(body, statement_kind::barrier) &&
                        !holds(body, statement_kind::shared) &&
                        !holds(body, statement_kind::jump) &&
                        reader_.is_repeatable(loop.condition.from, loop.condition.to) &&
                        reader_.is_repeatable(distance.from, distance.to);
  if (!is_plain) return false;
  found_strides_.insert(part->step.to);
  begin_part();
  if (loop.kind == statement_kind::for_loop) {
    add_variables(loop.first);
    parts_.push_back({part->index + 2, loop.first.to, false});
  }
  add_variables({body.from, body.to});
  part->is_predictable = !uniform_.has_decision(body.from, body.to) && !has_loop(body);
  parts_.push_back(*part);
  return true;
}

// What a range of statements declares.
void block_parts::add_variables(const token_range& range) {
  for (std::size_t i = range.from; i < range.to; ++i) {
    const bool begins = i == range.from || shape_.is(i - 1, ";") || shape_.is(i - 1, "{") ||
                        shape_.is(i - 1, "}") || shape_.is(i - 1, "(") || shape_.is(i - 1, ")") ||
                        shape_.is(i - 1, "else");
    if (!begins || !reader_.is_type_word(i)) continue;
    const auto read = read_declaration(shape_, i);
    if (!read) continue;
    for (const declarator& one : read->declarators) variables_.insert({one.name, {*read, one}});
  }
}

// `const int x = blockIdx.x * 16 + threadIdx.x;`
bool block_parts::repeat(const statement& one) {
  const auto names = declared_names(shape_, reader_, {one.from, one.to});
  if (names.empty() || std::none_of(names.begin(), names.end(),
                                    [this](std::size_t name) { return uniform_.varies(name); }))
    return false;
  std::map<std::size_t, lane_variable> before = variables_;
  add_variables({one.from, one.to});
  for (const std::size_t name : names) {
    const auto made = variables_.find(name);
    if (made == variables_.end() || !is_repeatable(name)) {
      variables_ = std::move(before);
      return false;
    }
    made->second.is_repeated = true;
  }
  removed_.push_back({one.from, one.to});
  return true;
}

bool block_parts::is_repeatable(std::size_t name) const {
  const lane_variable& made = variables_.at(name);
  const token_range value{name + 2, made.one.end};
  if (!shape_.is(name + 1, "=") || is_changed(name) || has_shift(value)) return false;
  if (!is_only_name(name)) return false;
  if (!reader_.is_repeatable(value.from, value.to)) return false;
  for (auto use = reader_.uses().lower_bound(value.from);
       use != reader_.uses().end() && use->first < value.to; ++use) {
    if (is_changed(use->second) || !is_only_name(use->second)) return false;
    if (!uniform_.varies(use->second)) continue;
    const auto other = variables_.find(use->second);
    if (other == variables_.end() || !other->second.is_repeated) return false;
  }
  return true;
}

// Another pass of the frontend rewrites shifts, which repeated text would miss.
bool block_parts::has_shift(const token_range& range) const {
  for (std::size_t i = range.from; i < range.to; ++i) {
    const bool is_left = shape_.is(i, "<<");
    const bool is_right = shape_.is(i, ">") && shape_.is(i + 1, ">");
    const std::size_t distance = is_left ? i + 1 : i + 2;
    if ((is_left || is_right) && shape_.at(distance).kind != token_kind::number) return true;
  }
  return false;
}

bool block_parts::is_changed(std::size_t declared) const {
  const auto& changes = reader_.variable_changes();
  return std::any_of(changes.begin(), changes.end(),
                     [declared](const auto& one) { return one.second == declared; });
}

// Whether no other variable of the kernel has this name.
bool block_parts::is_only_name(std::size_t declared) const {
  const auto has_its_name = [&](std::size_t other) {
    return other != declared && shape_.at(other).text == shape_.at(declared).text;
  };
  return std::none_of(reader_.uses().begin(), reader_.uses().end(),
                      [&](const auto& use) { return has_its_name(use.second); }) &&
         std::none_of(variables_.begin(), variables_.end(),
                      [&](const auto& one) { return has_its_name(one.first); });
}

const block_part* block_parts::part_around(std::size_t at) const {
  for (const block_part& one : parts_)
    if (is_within(at, one.from, one.to)) return &one;
  return nullptr;
}

void block_parts::keep_variables() {
  for (const std::size_t name : uniform_.varying()) {
    const bool is_shared =
        std::any_of(shared_.begin(), shared_.end(),
                    [name](const token_range& one) { return is_within(name, one.from, one.to); });
    if (is_shared || variables_.count(name) != 0) continue;
    if (!reader_.is_parameter(name) || !is_only_name(name)) return fail();
    lane_variable parameter;
    parameter.is_kept = parameter.is_parameter = true;
    variables_.insert({name, parameter});
  }
  std::set<std::size_t> kept;
  for (const auto& [use, name] : reader_.uses()) {
    const auto found = variables_.find(name);
    if (found == variables_.end()) continue;
    const lane_variable& variable = found->second;
    if (variable.is_parameter) continue;
    // A pointer to an array of one part must not outlive it.
    const std::size_t extents = subscripts_at(shape_, name + 1);
    const bool is_value = subscripts_at(shape_, use + 1) >= extents && !shape_.is(use - 1, "&");
    if (extents != 0 && !is_value) return fail();
    const block_part* const home = part_around(name);
    if (!variable.is_repeated && (home == nullptr || !is_within(use, home->from, home->to)))
      kept.insert(name);
  }
  for (const std::size_t name : kept) {
    const block_part* const home = part_around(name);
    if (home != nullptr) keep(name);  // else the index of a loop that strides
  }
}

// Whether a type is not written out.
bool block_parts::is_deduced(const token_range& type) const {
  for (std::size_t i = type.from; i < type.to; ++i)
    if (shape_.is(i, "auto") || shape_.is(i, "constexpr")) return true;
  return false;
}

// Keeps all that the same statement declares.
void block_parts::keep(std::size_t name) {
  const declaration all = variables_.at(name).all;
  if (is_deduced({all.start, all.specifiers_end})) return fail();
  for (const declarator& one : all.declarators) {
    std::size_t value = one.name + 1;
    while (shape_.is(value, "[")) value = shape_.after(value);
    const bool has_plain_value = value == one.end || shape_.is(value, "=");
    const bool is_filled_array = one.has_initializer && shape_.is(one.name + 1, "[");
    if (!has_plain_value || (is_filled_array && all.declarators.size() > 1)) return fail();
    // `int a[] = {1, 2};`: the type does not say how much to keep.
    if (is_filled_array && shape_.is(one.name + 2, "]")) return fail();
    if (!is_only_name(one.name)) return fail();
    variables_.at(one.name).is_kept = true;
  }
}

void block_parts::add_needs(std::size_t from, std::size_t to, std::set<std::size_t>& found) const {
  for (auto use = reader_.uses().lower_bound(from); use != reader_.uses().end() && use->first < to;
       ++use) {
    const auto variable = variables_.find(use->second);
    if (variable == variables_.end()) continue;
    if (!variable->second.is_kept && !variable->second.is_repeated) continue;
    if (variable->second.is_kept && is_within(use->second, from, to)) continue;
    if (!found.insert(use->second).second || !variable->second.is_repeated) continue;
    add_needs(use->second + 1, variable->second.one.end, found);
  }
}

std::vector<std::size_t> block_parts::needs(std::size_t from, std::size_t to) const {
  std::set<std::size_t> found;
  add_needs(from, to, found);
  return {found.begin(), found.end()};
}

}  // namespace heddle::frontend
