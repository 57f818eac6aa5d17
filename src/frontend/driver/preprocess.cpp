// Runs the compiler's preprocessor, and reports headers that the CPU runtime does not support.
#include "frontend/driver/preprocess.hpp"

#include <files/output.hpp>

#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

#include "frontend/driver/build_error.hpp"
#include "frontend/driver/cccl.hpp"
#include "frontend/driver/prepare.hpp"
#include "frontend/driver/process.hpp"
#include "frontend/driver/read_file.hpp"
#include "frontend/rewrite/unsupported.hpp"
#include "frontend/sides/merge.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view architecture = "__CUDA_ARCH__";

std::string line_of(const std::string& path, std::size_t number) {
  std::ifstream file(path);
  std::string line;
  for (std::size_t i = 0; i < number; ++i)
    if (!std::getline(file, line)) return "";
  return line;
}

// The name in `#include <name>` or `#include "name"`.
std::string included_name(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return "";
  const std::size_t word = line.find("include", hash);
  const std::size_t open = line.find_first_of("<\"", hash);
  if (word == std::string::npos || open == std::string::npos) return "";
  const std::size_t close = line.find_first_of(">\"", open + 1);
  return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

[[noreturn]] void refuse(const std::string& location, const std::string& sentence) {
  throw build_error::in_source(location + ": heddle: " + sentence);
}

}  // namespace

preprocessor::pass preprocessor::run_pass(const task& what, compiled_for target) const {
  std::vector<std::string> command =
      tools_.preprocess_command(what.input, target, what.before_ours);
  const dependency_options& wanted = line_.dependencies;
  const fs::path dependency_file = fs::path(what.text_file).replace_extension(".d");
  if (wanted.is_wanted) {
    command.push_back(wanted.leaves_out_system ? "-MMD" : "-MD");
    if (wanted.adds_phony_targets) command.push_back("-MP");
    command.push_back("-MF");
    command.push_back(dependency_file.string());
    if (wanted.targets.empty()) {
      command.push_back("-MT");
      command.push_back(what.object.string());
    }
    command.insert(command.end(), wanted.targets.begin(), wanted.targets.end());
  }
  // Not written with -o: compilers remove that file after an error. We need the partial text to see
  // whether an unsupported header caused the error.
  listener_.on_command(shell_line(command) + " > " + what.text_file.string());
  const process_outcome outcome =
      run_process(command, capture::standard_error, what.text_file.string());
  return {outcome.status, read_file(what.text_file), outcome.output,
          wanted.is_wanted ? read_file(dependency_file) : ""};
}

void preprocessor::accept(const pass& made, const std::string& earlier_messages) const {
  refuse_headers(made.status == 0 ? "" : made.messages, made.text);
  if (!made.messages.empty() && made.messages != earlier_messages)
    listener_.on_output(made.messages);
  if (made.status != 0) throw build_error::of_compiler(made.status);
}

// CCCL contains libcu++, parts of which the stand-ins replace; the two do not mix. So a program
// that turns out to use CCCL is preprocessed again, without those stand-ins.
preprocessor::pass preprocessor::run_device_pass(task& what) const {
  pass made = run_pass(what, compiled_for::device);
  if (what.input.kind != language::cuda || !needs_cccl(made.text, made.messages)) return made;
  what.before_ours = find_cccl(line_.preprocessor_flags);
  return what.before_ours.empty() ? made : run_pass(what, compiled_for::device);
}

preprocessed preprocessor::run(const input_file& input, const fs::path& text_file,
                               const fs::path& final_place) const {
  // With `-o /dev/null`, use the names that a compiler without -o would use.
  const fs::path object = files::is_stream(final_place)
                              ? fs::path(input.path).filename().replace_extension(".o")
                              : final_place;
  task what{input, text_file, object, {}};
  pass device = run_device_pass(what);
  accept(device, "");
  std::string dependencies = device.dependencies;
  if (input.kind == language::cuda && mentions_architecture(input, device.text)) {
    what.text_file = fs::path(text_file).replace_extension(".host.ii");
    pass host = run_pass(what, compiled_for::host);
    accept(host, device.messages);
    if (host.dependencies != device.dependencies) dependencies += host.dependencies;
    merged_sides merged = merge_sides(std::move(host.text), std::move(device.text));
    for (const diagnostic& one : merged.notes)
      listener_.on_note(one.location + ": heddle: note: " + one.text);
    device.text = std::move(merged.text);
  }
  if (line_.dependencies.is_wanted) {
    const fs::path written = fs::path(text_file).replace_extension(".d");
    write_file(written, dependencies);
    files::deliver(written, line_.dependencies.file.empty()
                                ? fs::path(object).replace_extension(".d")
                                : fs::path(line_.dependencies.file));
  }
  return {std::move(device.text), !what.before_ours.empty()};
}

// Whether host and device may see different texts. If no file mentions the macro, they do not.
bool preprocessor::mentions_architecture(const input_file& input, const std::string& text) const {
  const auto mentions = [](std::string_view words) {
    return words.find(architecture) != std::string_view::npos;
  };
  for (const std::string& flag : line_.preprocessor_flags)
    if (mentions(flag)) return true;
  std::set<std::string> files{input.path};
  for (const entered_file& header : entered_files(text)) files.insert(header.path);
  for (const std::string& file : files)
    if (mentions(read_file(file))) return true;
  return false;
}

// Reports an unsupported header in one sentence instead of the compiler's "not found" errors.
void preprocessor::refuse_headers(const std::string& messages, const std::string& text) const {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t file_end = line.find(':');
    if (file_end == std::string::npos || file_end + 1 >= line.size()) continue;
    if (!std::isdigit(static_cast<unsigned char>(line[file_end + 1]))) continue;
    const std::string file = line.substr(0, file_end);
    const std::size_t number = std::stoul(line.substr(file_end + 1));
    if (const auto refusal = refusal_of_header(included_name(line_of(file, number))))
      refuse(file + ":" + std::to_string(number), refusal->sentence);
  }
  for (const entered_file& header : entered_files(text)) {
    const auto refusal = refusal_of_header(header.path);
    if (refusal && !refusal->is_only_missing && is_toolkit(refusal->folder) &&
        fs::path(refusal->folder) != home_.cuda_include)
      refuse(header.included_from, refusal->sentence);
  }
}

}  // namespace heddle::frontend
