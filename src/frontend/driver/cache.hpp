// Stores built objects and programs under the digest of everything that went into them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace heddle::frontend {

// A folder that is removed at the end of its scope, unless it is kept.
class scratch_folder {
 public:
  // Creates `parent`/`stem`-XXXXXX.
  scratch_folder(const std::filesystem::path& parent, const std::string& stem);
  ~scratch_folder();
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void keep() { is_kept_ = true; }

 private:
  std::filesystem::path path_;
  bool is_kept_ = false;
};

// $HEDDLE_CACHE, else $XDG_CACHE_HOME/heddle, else ~/.cache/heddle; empty without a home folder.
std::filesystem::path default_cache_folder();

class cache {
 public:
  explicit cache(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  // True if the folder exists or could be created, and is writable.
  bool is_usable() const;

  std::optional<std::filesystem::path> find_object(const std::string& name) const;
  std::optional<std::filesystem::path> find_program(const std::string& name,
                                                    const std::string& stem) const;
  // A precompiled header. The file is empty if the compiler cannot use it.
  std::optional<std::filesystem::path> find_prelude(const std::string& name) const;
  // These rename the finished file into place, so nobody ever sees a partial one. The file must be
  // in a scratch folder below root().
  std::filesystem::path store_object(const std::string& name,
                                     const std::filesystem::path& finished) const;
  std::filesystem::path store_program(const std::string& name,
                                      const std::filesystem::path& finished) const;
  std::filesystem::path store_prelude(const std::string& name,
                                      const std::filesystem::path& finished) const;
  // Whether a file that was built before began with this prelude.
  bool was_prelude_seen(const std::string& name) const;
  void note_prelude(const std::string& name) const;

  // Removes the least recently used files until at most `bytes` are left. Keeps everything used
  // within the last hour, since another process may be about to link or run it. Also removes
  // scratch folders that killed builds left more than a day ago.
  void trim(std::uintmax_t bytes) const;

 private:
  std::filesystem::path root_;
};

}  // namespace heddle::frontend
