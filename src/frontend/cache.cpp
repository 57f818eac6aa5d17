// Finished objects and programs, named by the digest of all that went into them.
#include "cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

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

namespace {

// The time of a file says when it was last used.
std::optional<fs::path> used_now(const fs::path& place) {
  std::error_code failure;
  if (!fs::exists(place, failure)) return std::nullopt;
  fs::last_write_time(place, fs::file_time_type::clock::now(), failure);
  return place;
}

}  // namespace

std::optional<fs::path> cache::find_object(const std::string& name) const {
  return used_now(root_ / "objects" / (name + ".o"));
}

std::optional<fs::path> cache::find_program(const std::string& name,
                                            const std::string& stem) const {
  return used_now(root_ / "programs" / name / stem);
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

void cache::trim(std::uintmax_t bytes) const {
  struct entry {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  const auto now = fs::file_time_type::clock::now();
  std::error_code failure;
  for (const auto& folder : fs::directory_iterator(root_, failure)) {
    const bool is_scratch = folder.path().filename().string().rfind("building-", 0) == 0;
    if (is_scratch && now - folder.last_write_time(failure) > std::chrono::hours(24))
      fs::remove_all(folder.path(), failure);
  }
  std::vector<entry> entries;
  std::uintmax_t total = 0;
  for (const char* kind : {"objects", "programs"})
    for (const auto& file : fs::recursive_directory_iterator(root_ / kind, failure)) {
      if (!file.is_regular_file(failure)) continue;
      entries.push_back({file.last_write_time(failure), file.file_size(failure), file.path()});
      total += entries.back().bytes;
    }
  std::sort(entries.begin(), entries.end(),
            [](const entry& a, const entry& b) { return a.used < b.used; });
  for (const entry& oldest : entries) {
    if (total <= bytes || now - oldest.used < std::chrono::hours(1)) break;
    fs::remove(oldest.path, failure);
    if (oldest.path.parent_path().parent_path().filename() == "programs")
      fs::remove(oldest.path.parent_path(), failure);
    total -= oldest.bytes;
  }
}

}  // namespace heddle::frontend
