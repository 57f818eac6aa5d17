// Writes compile_commands.json, which tells editors how to parse each source file.
#include "cli/compile_commands.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <files/output.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

// Creates the file if necessary and locks it. Writers replace the file by renaming, so the lock is
// valid only while the name still refers to the locked file.
class locked_file {
 public:
  explicit locked_file(const fs::path& path) {
    for (;;) {
      descriptor_ = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
      if (descriptor_ < 0) throw files::write_error(path, errno);
      struct stat locked {};
      struct stat named {};
      fstat(descriptor_, &locked);
      if (!S_ISREG(locked.st_mode)) give_up(path, "it is not a regular file");
      while (flock(descriptor_, LOCK_EX) != 0)
        if (errno != EINTR) give_up(path, "it cannot be locked");
      if (stat(path.c_str(), &named) == 0 && named.st_ino == locked.st_ino &&
          named.st_dev == locked.st_dev)
        return;
      close(descriptor_);
    }
  }
  ~locked_file() { close(descriptor_); }
  locked_file(const locked_file&) = delete;
  locked_file& operator=(const locked_file&) = delete;

 private:
  [[noreturn]] void give_up(const fs::path& path, const char* reason) const {
    close(descriptor_);
    throw files::write_error(path, reason);
  }

  int descriptor_ = -1;
};

bool is_entry(const json& value) {
  return value.is_object() && value.contains("file") && value["file"].is_string() &&
         value.contains("directory") && value["directory"].is_string();
}

// The entries in the file. A file that has just been created is empty.
json read_entries(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (text.str().empty()) return json::array();
  json entries = json::parse(text.str(), nullptr, false);
  if (!entries.is_array() || !std::all_of(entries.begin(), entries.end(), is_entry))
    throw std::runtime_error(path.string() +
                             " was not changed: it does not contain a list of compile commands");
  return entries;
}

fs::path source_of(const json& entry) {
  return (fs::path(entry["directory"].get<std::string>()) / entry["file"].get<std::string>())
      .lexically_normal();
}

}  // namespace

void add_compile_commands(const fs::path& file,
                          const std::vector<frontend::compile_command>& entries) {
  if (entries.empty()) return;
  if (files::is_stream(file)) throw files::write_error(file, "it is not a regular file");
  const fs::path place = files::end_of_links(file);
  const locked_file lock(place);
  json all = read_entries(place);
  for (const frontend::compile_command& one : entries) {
    const json entry{{"directory", fs::current_path().string()},
                     {"file", one.file},
                     {"arguments", one.arguments},
                     {"output", one.output}};
    const auto known = std::find_if(all.begin(), all.end(), [&](const json& other) {
      return source_of(other) == source_of(entry);
    });
    if (known == all.end())
      all.push_back(entry);
    else
      *known = entry;
  }
  files::write(place, all.dump(2) + '\n');
}

}  // namespace heddle::cli
