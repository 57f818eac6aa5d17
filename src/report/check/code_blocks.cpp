// Finds the instructions that belong to each basic block.
#include "report/check/code_blocks.hpp"

#include <set>
#include <string_view>

namespace heddle_report {
namespace {

using heddle_host::ran_module;

constexpr std::string_view block_hook = "__sanitizer_cov_trace_pc";

unsigned char mark_at(const ran_module& marks, std::uint64_t address) {
  const std::uint64_t offset = address - marks.begin;
  return offset < marks.bytes ? marks.marks()[offset / marks.bytes_per_mark] : 0;
}

// Follows the instructions of a block until another block begins.
class block_walk {
 public:
  block_walk(const program_file& program, const code_symbol& function,
             const std::vector<code_block>& all)
      : program_(program), function_(function) {
    for (const code_block& each : all) begins_.insert(each.begin);
  }

  void complete(code_block& block) {
    seen_.clear();
    open_ = {block.begin};
    while (!open_.empty()) {
      const std::uint64_t begin = open_.back();
      open_.pop_back();
      const std::uint64_t end = walk_from(begin, block);
      if (end != begin) block.pieces.push_back({begin, end});
    }
  }

 private:
  // Returns the end of the piece.
  std::uint64_t walk_from(std::uint64_t at, code_block& block) {
    while (at - function_.begin < function_.end - function_.begin) {
      if ((at != block.begin && begins_.contains(at)) || !seen_.insert(at).second) return at;
      const instruction one = read_instruction(program_.code(), at, program_.instructions());
      if (one.bytes == 0) return at;
      const std::uint64_t next = at + one.bytes;
      if (one.goes == flow::call && at != block.begin) {
        block.calls.push_back({at, next, one.target});
      }
      const bool is_inside = one.target - function_.begin < function_.end - function_.begin;
      if (one.goes == flow::jump && !is_inside) {  // a call in tail position
        block.calls.push_back({at, next, one.target});
      } else if (one.goes == flow::branch || one.goes == flow::jump) {
        open_.push_back(one.target);
      }
      at = next;
      if (one.goes == flow::jump || one.goes == flow::end) return at;
    }
    return at;
  }

  const program_file& program_;
  const code_symbol& function_;
  std::set<std::uint64_t> begins_;
  std::set<std::uint64_t> seen_;
  std::vector<std::uint64_t> open_;
};

}  // namespace

blocks_by_function find_blocks(const program_file& program, const ran_module& marks) {
  blocks_by_function all;
  const std::vector<direct_call> calls = find_direct_calls(program.code(), program.instructions());
  for (const direct_call& call : program.calls_of(block_hook, calls)) {
    const code_symbol* const function = program.function_at(call.at);
    if (function == nullptr) continue;
    const unsigned char who = mark_at(marks, call.returns_to);
    const bool ran = (who & heddle_host::ran_in_lane) != 0;
    const bool ran_on_host = (who & heddle_host::ran_on_host) != 0;
    function_blocks& of = all[function];
    of.blocks.push_back({call.at, ran, ran_on_host, {}, {}});
    of.ran |= ran;
    of.ran_on_host |= ran_on_host;
  }
  return all;
}

void read_blocks(const program_file& program, const code_symbol& function,
                 function_blocks& blocks) {
  block_walk walk(program, function, blocks.blocks);
  for (code_block& block : blocks.blocks) walk.complete(block);
}

std::vector<const function_blocks*> functions_of_lanes(const program_file& program,
                                                       blocks_by_function& all) {
  std::set<const code_symbol*> known;
  std::vector<const code_symbol*> open;
  for (const auto& [function, of] : all) {
    if (of.ran && known.insert(function).second) open.push_back(function);
  }
  std::vector<const function_blocks*> reached;
  while (!open.empty()) {
    const code_symbol* const function = open.back();
    open.pop_back();
    function_blocks& of = all.at(function);
    reached.push_back(&of);
    read_blocks(program, *function, of);
    for (code_block& block : of.blocks) {
      for (const direct_call& call : block.calls) {
        const code_symbol* const called = program.function_at(call.target);
        if (called == nullptr || !all.contains(called)) continue;
        if (known.insert(called).second) open.push_back(called);
      }
    }
  }
  return reached;
}

}  // namespace heddle_report
