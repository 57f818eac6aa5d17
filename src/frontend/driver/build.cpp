// Turns source files into objects and programs: preprocess, rewrite, compile, link, cache.
#include "frontend/driver/build.hpp"

#include <files/output.hpp>

#include <set>
#include <sstream>

#include "frontend/driver/build_error.hpp"
#include "frontend/driver/digest.hpp"
#include "frontend/driver/preprocess.hpp"
#include "frontend/driver/process.hpp"
#include "frontend/driver/read_file.hpp"
#include "frontend/rewrite/rewrite.hpp"
#include "frontend/rewrite/shared_limit.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_cache = std::uintmax_t{2} << 30;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + '\n';
  return text;
}

// True if a linker (GNU's or LLVM's) misses main and nothing else. On some processors the start-up
// code refers to main twice.
bool lacks_only_main(const std::string& messages) {
  bool misses_main = false, misses_more = false;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("undefined reference to ") == line.npos &&
        line.find("undefined symbol: ") == line.npos)
      continue;
    const bool is_main = line.ends_with("`main'") || line.ends_with("undefined symbol: main");
    misses_main |= is_main;
    misses_more |= !is_main;
  }
  return misses_main && !misses_more;
}

// "a.cu has" or "the 3 files have".
std::string sources_of(const command_line& line) {
  return line.inputs.size() == 1 ? line.inputs.front().path + " has"
                                 : "the " + std::to_string(line.inputs.size()) + " files have";
}

std::string rewritten_text(std::string text, const rewrite_options& options,
                           const build_listener& listener) {
  rewrite_result result = rewrite(std::move(text), options);
  for (const diagnostic& one : result.notes)
    listener.on_note(one.location + ": heddle: note: " + one.text);
  if (result.diagnostics.empty()) return std::move(result.text);
  std::set<std::string> reported;
  std::string messages;
  for (const diagnostic& one : result.diagnostics)
    if (reported.insert(one.text).second)
      messages += (messages.empty() ? "" : "\n") + one.location + ": heddle: " + one.text;
  throw build_error::in_source(messages);
}

}  // namespace

builder::builder(const command_line& line, build_listener listener)
    : line_(line),
      listener_(std::move(listener)),
      home_(find_installation()),
      tools_(line_, home_),
      cache_(default_cache_folder()),
      uses_cache_(line.uses_cache && !line.keeps_files && !line.writes_coverage &&
                  cache_.is_usable()) {
  if (uses_cache_) {
    scratch_ = std::make_unique<scratch_folder>(cache_.root(), "building");
    common_digest_ = digest()
                         .add(tools_.identity())
                         .add(home_.identity)
                         .add(fs::current_path().string())
                         .hexadecimal();
  } else {
    const std::string stem =
        line.inputs.empty() ? "build" : fs::path(line.inputs[0].path).stem().string();
    scratch_ = std::make_unique<scratch_folder>(fs::temp_directory_path(), "heddle-" + stem);
    if (line.keeps_files) {
      scratch_->keep();
      listener_.on_kept_files(scratch_->path());
    }
  }
}

builder::~builder() = default;

void builder::run_or_throw(const std::vector<std::string>& command) {
  listener_.on_command(shell_line(command));
  const process_outcome outcome = run_process(command);
  if (outcome.status == 127) throw build_error("cannot start " + command[0]);
  if (outcome.status != 0) throw build_error::of_compiler(outcome.status);
}

// As ptxas does. Without a symbol list nothing is known, so nothing is refused.
void builder::refuse_too_much_shared_memory(const input_file& input, const fs::path& object) const {
  const std::string symbols =
      run_process({"nm", "--defined-only", "--format=posix", object.string()},
                  capture::standard_output)
          .output;
  const std::string refusal = kernels_over_the_shared_limit(symbols);
  if (!refusal.empty()) throw build_error::in_source(input.path + ": " + refusal);
}

// Puts a precompiled header in place of the prelude, or returns the text as it is.
std::string builder::shortened(std::string text, bool has_cccl) {
  const auto parts = uses_cache_ ? split_at_prelude(text) : std::nullopt;
  const auto command = tools_.precompile_command("", "", has_cccl);
  if (!parts || !command) return text;
  const std::string name =
      digest().add(tools_.identity()).add(joined(*command)).add(parts->prelude).hexadecimal();
  auto header = cache_.find_prelude(name);
  // The first file is not delayed: there may be no second one.
  if (!header && cache_.was_prelude_seen(name)) header = precompile(name, *parts, has_cccl);
  if (!header) new_preludes_.push_back(name);
  return header && fs::file_size(*header) > 0 ? with_precompiled(*parts, *header) : text;
}

// Stores an empty file if the compiler cannot load its own precompiled header, for example because
// this machine does not let it map memory where it needs it.
fs::path builder::precompile(const std::string& name, const text_parts& text, bool has_cccl) {
  const fs::path folder = scratch_->path() / "prelude";
  fs::create_directory(folder);
  const fs::path source = folder / "prelude.ii", header = folder / "prelude.gch";
  const auto works = [this](const std::vector<std::string>& command) {
    listener_.on_command(shell_line(command));
    return run_process(command, capture::standard_error).status == 0;
  };
  write_file(source, std::string(text.prelude));
  bool is_usable = works(*tools_.precompile_command(source.string(), header.string(), has_cccl));
  write_file(source, with_precompiled({text.head, "", ""}, header));
  is_usable = is_usable && works(tools_.compile_text_command(
                               source.string(), (folder / "prelude.o").string(), has_cccl));
  if (!is_usable) write_file(header, "");
  return cache_.store_prelude(name, header);
}

builder::object builder::compile(const input_file& input, const fs::path& final_place) {
  const std::string stem =
      fs::path(input.path).stem().string() + "." + std::to_string(next_file_++);
  const fs::path text_file = scratch_->path() / (stem + ".ii");
  object made;
  if (!fs::exists(input.path)) throw build_error("no such file: " + input.path);
  const bool needs_rewriting = input.kind == language::cuda;
  // Coverage files are named after the object.
  const bool is_made_in_place = line_.writes_coverage && !files::is_stream(final_place);
  made.path =
      is_made_in_place ? files::end_of_links(final_place) : scratch_->path() / (stem + ".o");
  const fs::path rewritten = scratch_->path() / (stem + ".cpu.ii");
  auto [text, has_cccl] =
      preprocessor(line_, home_, tools_, listener_).run(input, text_file, final_place);
  const std::vector<std::string> command =
      needs_rewriting
          ? tools_.compile_text_command(rewritten.string(), made.path.string(), has_cccl)
          : tools_.compile_file_command(input, made.path.string());
  if (uses_cache_) {
    // Scratch file names differ from build to build and must not affect the digest.
    std::vector<std::string> counted = command;
    for (std::string& word : counted)
      if (word.find(scratch_->path().string()) == 0) word.clear();
    // nvcc's options go into the list of operations, not into the command.
    made.name = digest()
                    .add(common_digest_)
                    .add(joined(counted))
                    .add(joined(line_.gpu_options))
                    .add(text)
                    .hexadecimal();
    if (const auto found = cache_.find_object(made.name)) {
      made.path = *found;
      return made;
    }
    made.is_pending = true;
  }
  const bool has_shared_memory = text.find("__heddle_shared__") != std::string::npos;
  if (needs_rewriting) {
    const rewrite_options options{
        {home_.cuda_include.string(), (home_.include / "heddle_host").string()},
        line_.is_relocatable,
        line_.is_checked,
        line_.is_profiled,
        line_.debug == "-g" ? home_.debugger_script.string() : "",
        [](const std::string& file) { return read_file(file); },
        line_.is_checked || line_.is_reported,
        line_.gpu_options,
        line_.writes_coverage || line_.has_sanitizer};
    write_file(rewritten, shortened(rewritten_text(std::move(text), options, listener_), has_cccl));
  }
  run_or_throw(command);
  if (needs_rewriting && has_shared_memory) refuse_too_much_shared_memory(input, made.path);
  return made;
}

fs::path builder::place_of_object(const input_file& input) const {
  if (line_.what == action::compile && !line_.output.empty()) return line_.output;
  const fs::path name = fs::path(input.path).filename().replace_extension(".o");
  return line_.output_folder.empty() ? name : fs::path(line_.output_folder) / name;
}

std::vector<builder::object> builder::compile_all() {
  std::vector<object> objects;
  for (const input_file& input : line_.inputs) {
    if (input.kind != language::linkable) {
      const fs::path place = place_of_object(input);
      if (line_.writes_coverage && fs::exists(place))
        throw build_error(place.string() +
                          " already exists, but coverage needs to write an object of that name: "
                          "remove or rename it");
      objects.push_back(compile(input, place));
    } else {
      if (!fs::exists(input.path)) throw build_error("no such file: " + input.path);
      objects.push_back({input.path, "", false});
    }
  }
  return objects;
}

std::vector<std::string> builder::link_words(const std::vector<object>& objects) const {
  std::vector<std::string> words;
  for (const link_item& item : line_.link_items)
    words.push_back(item.is_input ? objects[item.input].path.string() : item.word);
  return words;
}

void builder::link(const fs::path& program, const std::vector<object>& objects) {
  if (home_.libraries.empty())
    throw build_error("the runtime library libheddle_host.a was not found next to " +
                      home_.include.string());
  const std::vector<std::string> command =
      tools_.link_command(link_words(objects), program.string());
  listener_.on_command(shell_line(command));
  const process_outcome outcome = run_process(command, capture::standard_error);
  if (outcome.status != 0 && lacks_only_main(outcome.output))
    throw build_error(sources_of(line_) + " no main(); use `heddle cc -c " +
                      line_.inputs.front().path + "` to compile without linking");
  if (!outcome.output.empty()) listener_.on_output(outcome.output);
  if (outcome.status == 127) throw build_error("cannot start " + command[0]);
  if (outcome.status != 0) throw build_error::of_compiler(outcome.status);
}

// Like nvcc, adds to an existing archive.
void builder::make_archive(const fs::path& place, const std::vector<object>& objects) {
  const fs::path archive = scratch_->path() / "archive.a";
  if (fs::is_regular_file(place)) fs::copy_file(place, archive);
  std::vector<std::string> command{"ar", "rcs", archive.string()};
  for (const object& one : objects) command.push_back(one.path.string());
  run_or_throw(command);
  files::deliver(archive, place);
}

// Only a build that succeeds as a whole leaves anything in the cache.
void builder::remember(std::vector<object>& objects) {
  if (!uses_cache_) return;
  bool is_new = false;
  for (object& one : objects)
    if (one.is_pending) {
      one.path = cache_.store_object(one.name, one.path);
      one.is_pending = false;
      is_new = true;
    }
  for (const std::string& name : new_preludes_) cache_.note_prelude(name);
  new_preludes_.clear();
  if (is_new) cache_.trim(largest_cache);
}

void builder::preprocess_only() {
  for (const input_file& input : line_.inputs) {
    if (input.kind == language::linkable) continue;
    std::vector<std::string> command = tools_.preprocess_command(input, compiled_for::device);
    if (line_.what == action::list_dependencies) {
      command.push_back(line_.dependencies.leaves_out_system ? "-MM" : "-M");
      if (line_.dependencies.adds_phony_targets) command.push_back("-MP");
      command.insert(command.end(), line_.dependencies.targets.begin(),
                     line_.dependencies.targets.end());
    }
    const std::string& place =
        line_.dependencies.file.empty() ? line_.output : line_.dependencies.file;
    if (place.empty()) {
      run_or_throw(command);
    } else {
      const fs::path text = scratch_->path() / "preprocessed";
      command.insert(command.end(), {"-o", text.string()});
      run_or_throw(command);
      files::deliver(text, place);
    }
  }
}

std::vector<compile_command> builder::compile_commands() const {
  std::vector<compile_command> all;
  for (const input_file& input : line_.inputs) {
    if (input.kind == language::linkable) continue;
    const std::string object = place_of_object(input).string();
    all.push_back({input.path, object, tools_.clangd_command(input, object)});
  }
  return all;
}

void builder::run_as_compiler() {
  switch (line_.what) {
    case action::preprocess:
    case action::list_dependencies:
      return preprocess_only();
    case action::link_device_code: {
      // Device code is linked together with host code, so there is nothing to do here.
      const fs::path object = scratch_->path() / "a_dlink.o";
      run_or_throw(tools_.empty_object_command(object.string()));
      return files::deliver(object, line_.output.empty() ? "a_dlink.o" : line_.output);
    }
    case action::compile: {
      std::vector<object> objects;
      for (const input_file& input : line_.inputs)
        if (input.kind != language::linkable) {
          const fs::path place = place_of_object(input);
          objects.push_back(compile(input, place));
          if (objects.back().path != files::end_of_links(place))
            files::deliver(objects.back().path, place);
        }
      return remember(objects);
    }
    case action::archive:
    case action::link: {
      std::vector<object> objects = compile_all();
      const fs::path place = line_.output.empty() ? "a.out" : line_.output;
      if (line_.what == action::archive) {
        make_archive(place, objects);
      } else {
        const fs::path program = scratch_->path() / "linked";
        link(program, objects);
        files::deliver(program, place);
      }
      remember(objects);
      if (line_.writes_coverage)
        for (std::size_t i = 0; i < objects.size(); ++i)
          if (line_.inputs[i].kind != language::linkable) fs::remove(objects[i].path);
    }
  }
}

std::string builder::digest_of_program(const std::vector<object>& objects) const {
  digest whole;
  whole.add(common_digest_).add(joined(line_.compiler_flags));
  std::vector<fs::path> folders;
  for (const link_item& item : line_.link_items) {
    if (item.is_input) {
      const object& one = objects[item.input];
      whole.add(one.name.empty() ? read_file(one.path) : one.name);
      continue;
    }
    whole.add(item.word);
    if (item.word.rfind("-L", 0) == 0) folders.push_back(item.word.substr(2));
    if (item.word.rfind("-l", 0) != 0) continue;
    for (const fs::path& folder : folders)
      for (const char* ending : {".a", ".so"})
        if (const fs::path file = folder / ("lib" + item.word.substr(2) + ending); fs::exists(file))
          whole.add(read_file(file));
  }
  return whole.hexadecimal();
}

fs::path builder::build_program() {
  std::vector<object> objects = compile_all();
  const std::string stem = fs::path(line_.inputs[0].path).stem().string();
  std::string name;
  if (uses_cache_) {
    name = digest_of_program(objects);
    if (const auto found = cache_.find_program(name, stem)) return *found;
  }
  const fs::path folder = scratch_->path() / "program";
  fs::create_directory(folder);
  link(folder / stem, objects);
  if (line_.writes_coverage)
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (line_.inputs[i].kind != language::linkable) fs::remove(objects[i].path);
  if (!uses_cache_) return folder / stem;
  remember(objects);
  return cache_.store_program(name, folder / stem);
}

}  // namespace heddle::frontend
