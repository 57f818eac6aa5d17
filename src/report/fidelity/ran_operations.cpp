// Looks up the calls, the inlined functions and the arithmetic of the blocks that ran.
#include "report/fidelity/ran_operations.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "report/check/code_blocks.hpp"
#include "report/check/program_file.hpp"
#include "report/check/ran_lines.hpp"
#include "report/fidelity/float_arithmetic.hpp"
#include "report/fidelity/inlined_functions.hpp"
#include "report/kernel_name.hpp"

namespace heddle_report {
namespace {

using heddle_host::ran_module;

// Whether it is a function of CUDA's host APIs: `cudaMalloc`, `curandGenerateUniform`.
bool is_host_call(std::string_view name) { return name.starts_with("cu") && name.size() > 4; }

std::string demangled_name(std::string_view name) {
  const std::string whole = demangled(name);
  return whole.empty() ? std::string(name) : whole;
}

struct asm_line {
  std::string opcode;
  bool is_supported = true;
};

}  // namespace

// Reads one program or library.
struct ran_operations::reading {
  ran_operations& to;
  const program_file& program;
  blocks_by_function& all;
  const code_lines& lines;
  const inlined_functions& inlined;
  std::map<line_of_file, std::vector<asm_line>> assembly = {};
  std::map<const code_symbol*, std::set<std::string>> kernels_of = {};
  std::uint64_t longest = 0;

  ran_operation& operation(const std::string& name, const operation_fact* fact, bool is_ptx) {
    ran_operation& one = to.operations_[(is_ptx ? "ptx " : "") + name];
    const bool is_new = one.name.empty();
    if (is_new) one = {name, fact, is_ptx, true, {}, {}};
    return one;
  }

  void note(ran_operation& one, const std::optional<line_of_file>& place, const code_symbol* in,
            bool ran_in_lane) {
    if (place && place->second != 0) one.lines.insert(*place);
    if (!ran_in_lane) return;
    one.ran_on_host = false;
    const auto kernels = kernels_of.find(in);
    if (kernels == kernels_of.end()) return;
    one.kernels.insert(kernels->second.begin(), kernels->second.end());
  }

  // `ptx`, file, line and opcode; `stop`, file, line and text; or `option` and its words.
  void read_section() {
    std::istringstream text{std::string(program.section(section_of_operations))};
    for (std::string record; std::getline(text, record);) {
      std::istringstream fields(record);
      std::string kind, file, line, words;
      std::getline(fields, kind, '\t');
      if (kind == "option") {
        std::getline(fields, words);
        to.options_.insert(words);
        continue;
      }
      std::getline(fields, file, '\t');
      std::getline(fields, line, '\t');
      std::getline(fields, words);
      if (words.empty()) continue;
      const line_of_file place{file, std::atoi(line.c_str())};
      assembly[place].push_back({words, kind == "ptx"});
      if (kind == "ptx") continue;
      unsupported_operation& one = to.unsupported_[words];
      one.what = words;
      one.lines.insert(place);
    }
  }

  // A function belongs to the kernels that run it, directly or through calls.
  void find_kernels() {
    std::vector<std::pair<const code_symbol*, std::string>> open;
    for (auto& [function, of] : all) {
      if (!of.ran) continue;
      const std::string signature = kernel_run_by(function->name);
      if (signature.empty()) continue;
      to.kernels_.insert(kernel_name(signature));
      open.emplace_back(function, kernel_name(signature));
    }
    while (!open.empty()) {
      const auto [function, kernel] = open.back();
      open.pop_back();
      if (!kernels_of[function].insert(kernel).second) continue;
      for (const code_block& block : all.at(function).blocks) {
        if (!block.ran) continue;
        for (const direct_call& call : block.calls) {
          const code_symbol* const called = program.function_at(call.target);
          if (called != nullptr && all.contains(called)) open.emplace_back(called, kernel);
        }
      }
    }
  }

  void note_inlined(const code_piece& piece, const code_symbol* in, bool ran_in_lane) {
    auto call = std::partition_point(
        inlined.calls.begin(), inlined.calls.end(),
        [&](const inlined_call& one) { return one.begin + longest <= piece.begin; });
    for (; call != inlined.calls.end() && call->begin < piece.end; ++call) {
      if (call->end <= piece.begin) continue;
      if (!ran_in_lane && !is_host_call(call->function)) continue;
      note(operation(call->function, fact_of_function(call->function), false), call->place, in,
           ran_in_lane);
    }
  }

  bool is_inside_inlined(std::uint64_t address) const {
    auto call = std::partition_point(
        inlined.calls.begin(), inlined.calls.end(),
        [&](const inlined_call& one) { return one.begin + longest <= address; });
    for (; call != inlined.calls.end() && call->begin <= address; ++call) {
      if (address < call->end) return true;
    }
    return false;
  }

  void note_stop(const std::optional<line_of_file>& place) {
    const auto here = place ? assembly.find(*place) : assembly.end();
    if (here == assembly.end()) return;
    for (const asm_line& one : here->second) {
      if (!one.is_supported) to.unsupported_[one.opcode].stopped = true;
    }
  }

  void note_call(const direct_call& call, const code_symbol* in, bool ran_in_lane) {
    if (is_inside_inlined(call.at)) return;
    std::string name;
    if (const auto entry = inlined.entries.find(call.target); entry != inlined.entries.end()) {
      name = entry->second;
    } else {
      name = kernel_name(demangled_name(program.name_of_target(call.target)));
    }
    if (name == "heddle_host::stop_program") return note_stop(lines.own_line(call.at));
    const operation_fact* const fact = fact_of_function(name);
    const bool is_operation =
        ran_in_lane ? fact != nullptr || inlined.entries.contains(call.target) : is_host_call(name);
    if (!is_operation || !lines.own_line(call.at)) return;
    note(operation(name, fact, false), lines.users_line(call.at), in, ran_in_lane);
  }

  void note_fused_products(const code_piece& piece, const code_symbol* in) {
    for (const product_and_sum& one :
         sums_of_products(program.code(), piece.begin, piece.end, program.instructions())) {
      if (!lines.own_line(one.product) || !lines.own_line(one.sum)) continue;
      note(operation(std::string(fact_of_fused_products.names), &fact_of_fused_products, false),
           lines.users_line(one.sum), in, true);
    }
  }

  void note_assembly(const code_piece& piece, const code_symbol* in) {
    if (assembly.empty()) return;
    for (const line_of_file& line : lines.all_lines_of(piece.begin, piece.end)) {
      const auto here = assembly.find(line);
      if (here == assembly.end()) continue;
      for (const asm_line& one : here->second) {
        if (one.is_supported)
          note(operation(one.opcode, fact_of_ptx(one.opcode), true), line, in, true);
      }
    }
  }

  void run() {
    for (const inlined_call& one : inlined.calls) {
      longest = std::max(longest, one.end - one.begin);
    }
    read_section();
    for (auto& [function, of] : all) {
      if (of.ran || of.ran_on_host) read_blocks(program, *function, of);
    }
    find_kernels();
    for (const auto& [function, of] : all) {
      for (const code_block& block : of.blocks) {
        if (!block.ran && !block.ran_on_host) continue;
        for (const code_piece& piece : block.pieces) {
          note_inlined(piece, function, block.ran);
          if (!block.ran) continue;
          note_fused_products(piece, function);
          note_assembly(piece, function);
        }
        for (const direct_call& call : block.calls) note_call(call, function, block.ran);
      }
    }
  }
};

void ran_operations::add(const ran_module& marks) try {
  const program_file program(marks.file);
  blocks_by_function all = find_blocks(program, marks);
  if (all.empty()) return;
  found_.is_known = true;
  if (const std::string header = program.text_of("heddle_cuda_runtime_header"); !header.empty()) {
    add_program_header(header);
  }
  const code_lines lines(marks.file, program.code().begin);
  const inlined_functions inlined = read_inlined_functions(marks.file, program.code().begin);
  reading{*this, program, all, lines, inlined}.run();
} catch (const std::exception&) {
  // The program was removed in the meantime, or is not one of ours: nothing is known about it.
}

void ran_operations::add_folder(const std::filesystem::path& folder) {
  each_module_in(folder, [this](const ran_module& marks) { add(marks); });
}

fidelity_report ran_operations::result() const {
  fidelity_report report = found_;
  report.kernels.assign(kernels_.begin(), kernels_.end());
  report.options.assign(options_.begin(), options_.end());
  const bool never_fuses = options_.contains("-fmad=false");
  for (const auto& [name, one] : operations_) {
    if (one.fact == &fact_of_fused_products && never_fuses) continue;
    report.operations.push_back(one);
  }
  std::stable_sort(report.operations.begin(), report.operations.end(),
                   [](const ran_operation& one, const ran_operation& other) {
                     const auto rank = [](const ran_operation& each) {
                       if (each.fact == nullptr) return 2;
                       return each.ran_on_host ? 1 : 0;
                     };
                     return rank(one) < rank(other);
                   });
  for (const auto& [what, one] : unsupported_) report.unsupported.push_back(one);
  return report;
}

}  // namespace heddle_report
