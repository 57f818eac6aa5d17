// Finished objects and programs, named by the digest of all that went into them.
#include "cache.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "build_error.hpp"

namespace heddle::frontend {
namespace fs = std::filesystem;

scratch_folder::scratch_folder(const fs::path& parent, const std::string& stem) {
  std::string pattern = (parent / (stem + "-XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw build_error("no folder could be made at " + pattern + ": " + std::strerror(errno));
  path_ = pattern;
}

scratch_folder::~scratch_folder() {
  std::error_code ignored;
  if (!is_kept_) fs::remove_all(path_, ignored);
}

fs::path default_cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value != nullptr ? value : "");
  };
  if (const fs::path own = variable("HEDDLE_CACHE"); !own.empty()) return fs::absolute(own);
  if (const fs::path shared = variable("XDG_CACHE_HOME"); shared.is_absolute())
    return shared / "heddle";
  if (const fs::path home = variable("HOME"); home.is_absolute()) return home / ".cache/heddle";
  return {};
}

bool cache::is_usable() const {
  if (root_.empty()) return false;
  std::error_code failure;
  fs::create_directories(root_ / "objects", failure);
  if (!failure) fs::create_directories(root_ / "programs", failure);
  return !failure && access(root_.c_str(), W_OK) == 0;
}

std::optional<fs::path> cache::find_object(const std::string& name) const {
  const fs::path place = root_ / "objects" / (name + ".o");
  if (!fs::exists(place)) return std::nullopt;
  return place;
}

std::optional<fs::path> cache::find_program(const std::string& name,
                                            const std::string& stem) const {
  const fs::path place = root_ / "programs" / name / stem;
  if (!fs::exists(place)) return std::nullopt;
  return place;
}

fs::path cache::store_object(const std::string& name, const fs::path& finished) const {
  const fs::path place = root_ / "objects" / (name + ".o");
  fs::rename(finished, place);
  return place;
}

fs::path cache::store_program(const std::string& name, const fs::path& finished) const {
  const fs::path place = root_ / "programs" / name;
  std::error_code failure;
  fs::rename(finished.parent_path(), place, failure);
  // Another build of the same program may have been first: its result is as good.
  if (failure && !fs::exists(place / finished.filename()))
    throw build_error("the program could not be moved to " + place.string() + ": " +
                      failure.message());
  return place / finished.filename();
}

}  // namespace heddle::frontend
