// Stores built objects and programs under the digest of everything that went into them.
#include "frontend/driver/cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "frontend/driver/build_error.hpp"

namespace heddle::frontend {
namespace fs = std::filesystem;

scratch_folder::scratch_folder(const fs::path& parent, const std::string& stem) {
  std::string pattern = (parent / (stem + "-XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw build_error("cannot create the folder " + pattern + ": " + std::strerror(errno));
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
  if (!failure) fs::create_directories(root_ / "preludes", failure);
  return !failure && access(root_.c_str(), W_OK) == 0;
}

namespace {

// A file's modification time is the time of its last use.
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

std::optional<fs::path> cache::find_prelude(const std::string& name) const {
  return used_now(root_ / "preludes" / (name + ".gch"));
}

fs::path cache::store_prelude(const std::string& name, const fs::path& finished) const {
  fs::path place = root_ / "preludes" / (name + ".gch");
  fs::rename(finished, place);
  return place;
}

bool cache::was_prelude_seen(const std::string& name) const {
  return used_now(root_ / "preludes" / (name + ".seen")).has_value();
}

void cache::note_prelude(const std::string& name) const {
  std::ofstream created(root_ / "preludes" / (name + ".seen"));
}

fs::path cache::store_object(const std::string& name, const fs::path& finished) const {
  fs::path place = root_ / "objects" / (name + ".o");
  fs::rename(finished, place);
  return place;
}

fs::path cache::store_program(const std::string& name, const fs::path& finished) const {
  const fs::path place = root_ / "programs" / name;
  std::error_code failure;
  fs::rename(finished.parent_path(), place, failure);
  // Another build of the same program may have finished first; its result is just as good.
  if (failure && !fs::exists(place / finished.filename()))
    throw build_error("cannot move the program to " + place.string() + ": " + failure.message());
  return place / finished.filename();
}

namespace {

struct entry {
  fs::file_time_type used;
  std::uintmax_t bytes;
  fs::path path;
};

// The files in a folder and, if `is_nested`, in its subfolders. Other builds may trim the cache at
// the same time, so files that vanish meanwhile are skipped.
void list_files(const fs::path& folder, bool is_nested, std::vector<entry>& entries) {
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code gone;
    if (is_nested && at->is_directory(gone)) {
      list_files(at->path(), false, entries);
      continue;
    }
    if (!at->is_regular_file(gone)) continue;
    const fs::file_time_type used = at->last_write_time(gone);
    const std::uintmax_t bytes = gone ? 0 : at->file_size(gone);
    if (!gone) entries.push_back({used, bytes, at->path()});
  }
}

void remove_left_scratch(const fs::path& root, fs::file_time_type now) {
  std::error_code failure;
  for (fs::directory_iterator at(root, failure), end; !failure && at != end;
       at.increment(failure)) {
    const bool is_scratch = at->path().filename().string().rfind("building-", 0) == 0;
    std::error_code ignored;
    if (is_scratch && now - at->last_write_time(ignored) > std::chrono::hours(24) && !ignored)
      fs::remove_all(at->path(), ignored);
  }
}

}  // namespace

void cache::trim(std::uintmax_t bytes) const {
  const auto now = fs::file_time_type::clock::now();
  remove_left_scratch(root_, now);
  std::vector<entry> entries;
  list_files(root_ / "objects", false, entries);
  list_files(root_ / "programs", true, entries);
  list_files(root_ / "preludes", false, entries);
  std::uintmax_t total = 0;
  for (const entry& one : entries) total += one.bytes;
  std::sort(entries.begin(), entries.end(),
            [](const entry& a, const entry& b) { return a.used < b.used; });
  for (const entry& oldest : entries) {
    if (total <= bytes || now - oldest.used < std::chrono::hours(1)) break;
    std::error_code failure;
    fs::remove(oldest.path, failure);
    if (oldest.path.parent_path().parent_path().filename() == "programs")
      fs::remove(oldest.path.parent_path(), failure);
    total -= oldest.bytes;
  }
}

}  // namespace heddle::frontend
