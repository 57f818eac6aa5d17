// Splits a kernel with barriers into parts that a block can run as loops over its lanes, and
// decides where each variable of a lane lives.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "frontend/rewrite/code_reader.hpp"
#include "frontend/rewrite/declaration.hpp"
#include "frontend/rewrite/statements.hpp"
#include "frontend/rewrite/structure.hpp"
#include "frontend/rewrite/uniform_code.hpp"

namespace heddle::frontend {

// Consecutive statements that run as a loop over the lanes, or a loop of the kernel whose lanes
// stride over memory: `for (int i = …; i < n; i += stride) …`.
struct block_part {
  std::size_t from;
  std::size_t to;
  bool is_predictable;  // nothing that is loaded decides what lanes do
  bool leaves = false;  // lanes may return, and other statements follow
  // Of a loop that strides: `from` is then its condition.
  const statement* strides = nullptr;
  std::size_t index = 0;  // where `i` is declared
  token_range step{};     // `i += stride`
};

// A variable of which each lane has its own.
struct lane_variable {
  declaration all;
  declarator one;
  bool is_kept = false;       // lives longer than one part: the block keeps a value for each lane
  bool is_repeated = false;   // computed again in each part that needs it
  bool is_parameter = false;  // then it has no declaration here
};

class block_parts {
 public:
  block_parts(const structure& shape, const code_reader& reader,
              const std::set<std::size_t>& strides, const statement& body);

  bool are_possible() const { return is_possible_; }
  const std::vector<block_part>& list() const { return parts_; }
  // By the token that declares them. Those of a single part are not kept.
  const std::map<std::size_t, lane_variable>& variables() const { return variables_; }
  // Statements that are not part of any loop: they declare repeated variables only, or a group.
  const std::vector<token_range>& removed() const { return removed_; }
  const std::vector<std::size_t>& barriers() const { return barriers_; }
  const std::set<std::size_t>& strides() const { return found_strides_; }
  // Whether lanes may have returned when a later part begins.
  bool lanes_leave() const { return lanes_leave_; }
  bool may_have_left(const block_part& part) const;
  // The variables from elsewhere that a part uses, in the order of their declarations.
  std::vector<std::size_t> needs(std::size_t from, std::size_t to) const;
  const block_part* part_around(std::size_t at) const;

 private:
  void fail() { is_possible_ = false; }
  void visit(const statement& one);
  void visit_parts(const statement& one);
  void add_lanes(const statement& one);
  std::optional<block_part> find_stride(const statement& loop) const;
  bool add_stride(const statement& loop);
  void begin_part() { is_part_open_ = false; }
  void add_variables(const token_range& range);
  bool repeat(const statement& one);
  bool is_repeatable(std::size_t name) const;
  bool has_shift(const token_range& range) const;
  bool is_changed(std::size_t declared) const;
  bool is_only_name(std::size_t declared) const;
  void add_needs(std::size_t from, std::size_t to, std::set<std::size_t>& found) const;
  void keep_variables();
  bool is_deduced(const token_range& type) const;
  void keep(std::size_t name);

  const structure& shape_;
  const code_reader& reader_;
  const std::set<std::size_t>& strides_;
  const uniform_code uniform_;
  bool is_possible_ = true;
  bool is_part_open_ = false;
  bool has_returned_ = false;  // a lane may have
  bool lanes_leave_ = false;   // so it is noted which have
  std::size_t loops_ = 0;      // enclosing ones
  std::vector<block_part> parts_;
  std::map<std::size_t, lane_variable> variables_;
  std::vector<token_range> removed_;
  std::vector<std::size_t> barriers_;
  std::vector<token_range> shared_;
  std::set<std::size_t> found_strides_;
};

}  // namespace heddle::frontend
