// Turns source files into objects and programs: preprocess, rewrite, compile, link, cache.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "frontend/driver/build_listener.hpp"
#include "frontend/driver/cache.hpp"
#include "frontend/driver/command_line.hpp"
#include "frontend/driver/installation.hpp"
#include "frontend/driver/prelude.hpp"
#include "frontend/driver/toolchain.hpp"

namespace heddle::frontend {

// How an editor parses a source file: an entry of compile_commands.json.
struct compile_command {
  std::string file;
  std::string output;
  std::vector<std::string> arguments;
};

class builder {
 public:
  builder(const command_line& line, build_listener listener);
  ~builder();

  // Everything that `heddle cc` does. Throws build_error.
  void run_as_compiler();
  // One entry for each source.
  std::vector<compile_command> compile_commands() const;
  // Builds a program and returns its path: in the cache, or in a folder that lives as long as this
  // builder.
  std::filesystem::path build_program();
  bool program_is_cached() const { return uses_cache_; }

 private:
  struct object {
    std::filesystem::path path;
    std::string name;         // digest; empty: not cached
    bool is_pending = false;  // just compiled, not yet in the cache
  };

  object compile(const input_file& input, const std::filesystem::path& final_place);
  std::string shortened(std::string text, bool has_cccl);
  std::filesystem::path precompile(const std::string& name, const text_parts& text, bool has_cccl);
  void refuse_too_much_shared_memory(const input_file& input,
                                     const std::filesystem::path& object) const;
  void run_or_throw(const std::vector<std::string>& command);
  std::vector<object> compile_all();
  std::vector<std::string> link_words(const std::vector<object>& objects) const;
  void link(const std::filesystem::path& program, const std::vector<object>& objects);
  void make_archive(const std::filesystem::path& place, const std::vector<object>& objects);
  void remember(std::vector<object>& objects);
  void preprocess_only();
  std::string digest_of_program(const std::vector<object>& objects) const;
  std::filesystem::path place_of_object(const input_file& input) const;

  const command_line& line_;
  build_listener listener_;
  installation home_;
  toolchain tools_;
  cache cache_;
  bool uses_cache_;
  std::string common_digest_;  // of compiler, runtime, flags and folder
  std::unique_ptr<scratch_folder> scratch_;
  std::vector<std::string> new_preludes_;  // not precompiled, because no file had them before
  int next_file_ = 0;
};

}  // namespace heddle::frontend
