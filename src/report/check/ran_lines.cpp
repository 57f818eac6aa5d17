// Decides which lines never ran, from the blocks that ran and those that did not.
#include "report/check/ran_lines.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>

#include "report/check/code_blocks.hpp"
#include "report/check/program_file.hpp"
#include "report/check/source_roots.hpp"
#include "report/kernel_name.hpp"

namespace heddle_report {
namespace {

using heddle_host::ran_module;

// The signature of a template begins with the return type.
std::string without_result(const std::string& signature) {
  constexpr std::string_view result = "void ";
  return signature.starts_with(result) ? signature.substr(result.size()) : signature;
}

}  // namespace

std::string demangled(std::string_view name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> whole(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
  return whole == nullptr ? std::string() : whole.get();
}

// clang++ may name the closure `$_0`.
std::string kernel_run_by(std::string_view name) {
  constexpr std::string_view mangled = "heddle_host";
  constexpr std::string_view before = "void heddle_host::run_";
  constexpr std::string_view after = ">(void const*)";
  if (name.find(mangled) == name.npos) return {};
  std::string kernel = demangled(name);
  if (!kernel.starts_with(before) || !kernel.ends_with(after)) return {};
  const std::size_t begin = kernel.find('<') + 1;
  kernel = kernel.substr(begin, kernel.size() - begin - after.size());
  const std::size_t closure =
      std::max(kernel.rfind("::{lambda()#1}") + 1, kernel.rfind("::$_") + 1);
  return without_result(kernel.substr(0, closure == 0 ? 0 : closure - 1));
}

namespace {

// Kernels in the user's files that no lane ran.
std::set<std::string> kernels_without_lanes(const program_file& program,
                                            const blocks_by_function& all,
                                            const code_lines& lines) {
  std::set<std::string> signatures, ran;
  for (const auto& [function, blocks] : all) {
    const std::string signature = kernel_run_by(function->name);
    if (!signature.empty()) (blocks.ran ? ran : signatures).insert(signature);
  }
  for (const std::string& signature : ran) signatures.erase(signature);
  std::set<std::string> names;
  if (signatures.empty()) return names;
  for (const code_symbol& function : program.functions()) {
    const std::string signature = demangled(function.name);
    if (!signatures.contains(without_result(signature))) continue;
    if (lines.is_of_user(function.begin)) names.insert(kernel_name(signature));
  }
  return names;
}

}  // namespace

void ran_lines::add(const ran_module& marks) try {
  const program_file program(marks.file);
  blocks_by_function all = find_blocks(program, marks);
  if (all.empty()) return;
  is_known_ = true;
  if (const std::string header = program.text_of("heddle_cuda_runtime_header"); !header.empty()) {
    add_program_header(header);
  }
  const code_lines lines(marks.file, program.code().begin);
  for (const function_blocks* function : functions_of_lanes(program, all)) {
    for (const code_block& block : function->blocks) {
      evidence& of = block.ran ? ran_ : did_not_run_;
      for (const code_piece& piece : block.pieces) {
        of.any.merge(lines.lines_of(piece.begin, piece.end, !block.ran));
      }
      of.calls.merge(lines.lines_of(block.begin, block.begin + 1, true));
      for (const direct_call& call : block.calls) {
        of.calls.merge(lines.lines_of(call.at, call.at + 1, false));
      }
    }
  }
  kernels_.merge(kernels_without_lanes(program, all, lines));
  with_code_.merge(lines.with_code());
} catch (const std::exception&) {
  // The program was removed in the meantime, or is not one of ours: nothing is known about it.
}

void each_module_in(const std::filesystem::path& folder,
                    const std::function<void(const ran_module&)>& visit) {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* const marks = reinterpret_cast<const ran_module*>(text.data());
    if (text.size() < sizeof(ran_module) || marks->bytes_per_mark == 0) continue;
    if (text.size() >= marks->size()) visit(*marks);
  }
}

void ran_lines::add_folder(const std::filesystem::path& folder) {
  each_module_in(folder, [this](const ran_module& marks) { add(marks); });
}

never_ran ran_lines::result() const {
  std::set<line_of_file> lines;
  for (const line_of_file& line : did_not_run_.any) {
    const bool ran =
        did_not_run_.calls.contains(line) ? ran_.calls.contains(line) : ran_.any.contains(line);
    if (!ran) lines.insert(line);
  }
  return {is_known_, ranges_of(lines, with_code_), {kernels_.begin(), kernels_.end()}};
}

std::vector<line_range> ranges_of(const std::set<line_of_file>& lines,
                                  const std::set<line_of_file>& with_code) {
  std::vector<line_range> ranges;
  for (const auto& [file, line] : lines) {
    const bool follows = !ranges.empty() && ranges.back().file == file;
    const auto next = follows ? with_code.upper_bound({file, ranges.back().last}) : with_code.end();
    // Nothing with code lies between the last line and this one.
    if (follows && (next == with_code.end() || *next >= line_of_file{file, line})) {
      ranges.back().last = line;
    } else {
      ranges.push_back({file, line, line});
    }
  }
  return ranges;
}

}  // namespace heddle_report
