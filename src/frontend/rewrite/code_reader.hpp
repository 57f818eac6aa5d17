// Reads the body of a device function and decides whether a lane that runs it needs other lanes.
//
// It understands only simple code. If it finds a name, statement or operator that it does not know,
// it assumes that the lane needs others.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

struct code_verdict {
  // The lane never waits, and nothing that it does depends on when other lanes run. So it has no
  // barrier, no warp operation, no atomic whose result is used, and no loop that depends on what it
  // loads.
  bool is_independent = false;
  // It is independent and has no loop, and what it loads decides neither what it executes nor which
  // memory it uses.
  bool is_predictable = false;
  // It has no loop, uses no memory, and contains no division that can fault.
  bool is_pure = false;
  bool names_vectors = false;  // float4 and the like, for which the program may define operators
  // Which arguments the function may change, because the parameters are references.
  std::set<std::size_t> changed_arguments{};
};

bool declares_shared(const structure& shape, std::size_t at);

class code_reader {
 public:
  // Judges all functions of the program with this name; nullopt if there are none.
  using function_judge = std::function<std::optional<code_verdict>(std::string_view name)>;

  code_reader(const structure& shape, function_judge judge)
      : shape_(shape), judge_(std::move(judge)) {}

  // Called before read(): what the body may use.
  void add_type(std::string_view name) { types_.insert(name); }
  bool learn_alias(std::size_t at);  // a name that the program gives to a plain type
  void add_constant(std::string_view name) { constants_.insert(name); }
  bool add_parameters(std::size_t open);  // from the `(` on; false if one is not plain
  bool has_references() const { return has_references_; }  // among the parameters
  void treat_parameters_as_loaded() { parameters_are_loaded_ = true; }
  void allow_built_in_variables() { allows_built_ins_ = true; }
  void allow_barriers() { allows_barriers_ = true; }  // and shared variables

  code_verdict read(std::size_t open, std::size_t close);  // the braces of the body

  // Without structures, whose members the reader has seen.
  std::vector<std::string_view> used_parameters() const;

  // Called after read(): where the body uses threadIdx and the like, and which names it changes.
  const std::set<std::size_t>& built_ins() const { return built_ins_; }
  // Where it asks a `cg::thread_block` something: the name in `block.thread_rank()`.
  const std::set<std::size_t>& group_uses() const { return group_uses_; }
  bool changes(std::string_view name) const { return changed_.count(name) != 0; }
  // Positions of names that are local variables or parameters, and where those are declared.
  const std::map<std::size_t, std::size_t>& uses() const { return uses_; }
  // The same for the uses that change them.
  const std::map<std::size_t, std::size_t>& variable_changes() const { return variable_changes_; }
  bool is_parameter(std::size_t declared) const;
  bool is_loaded(std::size_t declared) const { return loaded_.count(declared) != 0; }
  // Where a loaded value decides what the lane executes or which memory it uses.
  const std::set<std::size_t>& decisions() const { return decisions_; }
  // Names of atomic functions that are called for a shared variable of the body.
  const std::set<std::size_t>& shared_atomics() const { return shared_atomics_; }

  // Whether the range uses no memory, changes nothing and cannot fault, so that it may be computed
  // twice.
  bool is_repeatable(std::size_t from, std::size_t to) const;
  bool holds_load(std::size_t from, std::size_t to) const;
  bool is_type_word(std::size_t index) const;
  // One past the specifiers of the declaration at `index`; `index` if none is there.
  std::size_t after_type(std::size_t index) const;

 private:
  struct variable {
    std::string_view name;
    std::size_t declared;    // identifies it
    bool is_memory;          // a pointer or an array
    std::size_t conditions;  // how many enclose its declaration
    bool is_shared = false;
    bool is_array = false;      // not a parameter: of values, not pointers
    bool is_group = false;      // a `cg::thread_block`
    bool is_structure = false;  // or a pointer to one; only for parameters
  };
  struct loop {
    std::size_t conditions;  // how many enclose it
  };

  bool read_once(std::size_t open, std::size_t close);
  std::size_t read_statement(std::size_t at);
  std::size_t read_if(std::size_t at);
  std::size_t read_for(std::size_t at);
  std::size_t read_while(std::size_t at);
  std::size_t read_do(std::size_t at);
  std::size_t read_jump(std::size_t at);
  std::size_t read_declaration(std::size_t at, std::size_t end);
  std::size_t read_shared(std::size_t at, std::size_t end);
  std::size_t read_atomic(std::size_t at, std::size_t end);
  std::size_t read_group(std::size_t at, std::size_t end);
  std::size_t learn_type(std::size_t at);
  bool is_block_barrier(std::size_t at) const;
  std::size_t read_body(std::size_t at, bool condition_is_loaded);
  bool read_expression(std::size_t from, std::size_t to);  // true if its value was loaded
  void read_name(std::size_t at, std::size_t to);
  void read_call(std::size_t at);
  void read_changed_argument(const token_range& argument);
  void read_group_use(std::size_t at);
  void read_subscript(std::size_t open);
  bool is_element_of_array(std::size_t open) const;
  void note_changes(std::size_t from, std::size_t to, bool is_loaded);
  void note_change(std::size_t name, bool is_loaded);
  std::size_t changed_name(std::size_t at) const;
  void note_branches(std::size_t from, std::size_t to, bool is_loaded);

  std::size_t fail();
  void note_loop();
  void note_decision(std::size_t at);
  bool is_pure_call(std::size_t name) const;
  bool is_unary(std::size_t at) const;
  bool is_member(std::size_t at) const { return shape_.is(at - 1, ".") || shape_.is(at - 1, "->"); }
  bool is_loaded_name(std::size_t at) const;
  bool depends_on_load(std::size_t from, std::size_t to) const {
    return holds_load(from, to) || holds_loaded_name(from, to);
  }
  bool holds_loaded_name(std::size_t from, std::size_t to) const;
  std::size_t statement_end(std::size_t at) const;  // its `;`, or `nowhere`
  const variable* find(std::string_view name) const;

  const structure& shape_;
  function_judge judge_;
  std::set<std::string_view> types_;
  std::set<std::string_view> structures_;
  std::set<std::string_view> constants_;
  std::vector<variable> parameters_;
  bool parameters_are_loaded_ = false;
  bool allows_built_ins_ = false;
  bool allows_barriers_ = false;
  bool has_references_ = false;
  std::set<std::size_t> changed_parameters_;  // references that are not const

  bool is_independent_ = true;
  bool is_predictable_ = true;
  bool is_pure_ = true;
  bool names_vectors_ = false;
  std::vector<variable> variables_;
  std::vector<bool> conditions_;  // enclosing ones: whether each depends on a load
  std::vector<loop> loops_;
  std::set<std::size_t> loaded_;       // declarations of variables that may hold a loaded value
  std::set<std::string_view> memory_;  // names outside functions
  std::set<std::size_t> built_ins_;
  std::set<std::size_t> group_uses_;
  std::set<std::string_view> changed_;
  std::map<std::size_t, std::size_t> uses_;
  std::map<std::size_t, std::size_t> variable_changes_;
  std::set<std::size_t> decisions_;
  std::set<std::size_t> shared_atomics_;
};

}  // namespace heddle::frontend
