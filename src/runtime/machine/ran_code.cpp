// Keeps the marks of basic blocks that ran, in files that several processes map.
#include <heddle_host/ran_code.hpp>

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace heddle_host {

marked_code own_ran_code;

namespace {

#if defined(__aarch64__)
constexpr unsigned mark_shift = 2;
#else
constexpr unsigned mark_shift = 0;  // an instruction may begin at any byte
#endif

// A shared library is added when its code runs for the first time.
constexpr std::size_t most_libraries = 31;
std::array<marked_code, most_libraries + 1> all_code;  // the first one is `own_ran_code`
std::atomic<std::size_t> known_code = 0;
std::mutex adding;
// A pointer, because it is set before the objects of this file are constructed.
const std::string* folder_of_marks = nullptr;

const ran_module* module_of(const marked_code& code) {
  return reinterpret_cast<const ran_module*>(code.marks - sizeof(ran_module));
}

struct found_module {
  std::uintptr_t wanted;
  std::uintptr_t bias = 0;
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  const char* file = nullptr;
};

int look_into_module(dl_phdr_info* module, std::size_t, void* found) {
  auto& answer = *static_cast<found_module*>(found);
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const auto& segment = module->dlpi_phdr[i];
    const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || answer.wanted - begin >= segment.p_memsz) continue;
    answer = {answer.wanted, module->dlpi_addr, begin, segment.p_memsz, module->dlpi_name};
    return 1;
  }
  return 0;
}

std::uint64_t hash_of(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (; *text != '\0'; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return hash;
}

// Maps a file that other processes may have begun, or anonymous memory. Null: neither worked.
ran_module* map_marks(const ran_module& head) {
  int file = -1;
  if (folder_of_marks != nullptr) {
    std::array<char, 20> name{};
    std::snprintf(name.data(), name.size(), "/%016llx",
                  static_cast<unsigned long long>(hash_of(head.file)));
    file = open((*folder_of_marks + name.data()).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, static_cast<off_t>(head.size())) != 0) {
      if (file >= 0) close(file);
      return nullptr;
    }
  }
  void* const place = mmap(nullptr, head.size(), PROT_READ | PROT_WRITE,
                           file < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (place == MAP_FAILED) return nullptr;
  std::memcpy(place, &head, sizeof head);
  return static_cast<ran_module*>(place);
}

}  // namespace

void add_library_around(std::uintptr_t code) {
  static ran_module head;  // too large for the stack of a lane
  const std::lock_guard lock(adding);
  const std::size_t known = known_code.load();
  found_module module{code};
  if (known == all_code.size() || dl_iterate_phdr(look_into_module, &module) == 0) return;
  for (std::size_t i = 0; i < known; ++i) {
    if (all_code[i].begin == module.begin) return;
  }
  head = {module.begin - module.bias, module.bytes, std::uint64_t{1} << mark_shift, {}};
  if (*module.file != '\0') {
    std::strncpy(head.file, module.file, sizeof head.file - 1);
  } else if (readlink("/proc/self/exe", head.file, sizeof head.file - 1) < 0) {
    return;
  }
  ran_module* const mapped = map_marks(head);
  if (mapped == nullptr) return;
  all_code[known] = {module.begin, module.bytes,
                     reinterpret_cast<unsigned char*>(mapped) + sizeof(ran_module)};
  known_code.store(known + 1);
}

bool mark_known_library(std::uintptr_t code, unsigned char who) {
  const std::size_t known = known_code.load();
  for (std::size_t i = 0; i < known; ++i) {
    if (all_code[i].mark(code, who)) return true;
  }
  return known == all_code.size();
}

void keep_ran_code(const std::string& folder) {
  if (!folder.empty()) folder_of_marks = new std::string(folder);
  add_library_around(reinterpret_cast<std::uintptr_t>(&keep_ran_code));
  own_ran_code = all_code[0];
}

void forget_ran_code() {
  for (std::size_t i = 0; i < known_code.load(); ++i) {
    const ran_module* const shared = module_of(all_code[i]);
    void* const copy =
        mmap(nullptr, shared->size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) continue;
    std::memcpy(copy, shared, sizeof(ran_module));
    all_code[i].marks = static_cast<unsigned char*>(copy) + sizeof(ran_module);
  }
  own_ran_code = all_code[0];
}

std::vector<const ran_module*> kept_ran_code() {
  std::vector<const ran_module*> all;
  for (std::size_t i = 0; i < known_code.load(); ++i) {
    all.push_back(module_of(all_code[i]));
  }
  return all;
}

}  // namespace heddle_host
