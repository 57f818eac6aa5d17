// Waits by futex, which works between processes.
#include "stream/shared_marks.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <new>

namespace heddle_host::stream {
namespace {

constexpr std::uint64_t magic_number = 0x6576656e746d6b73;
constexpr std::uint64_t slots = 64;

void* map_file(int file, std::size_t bytes) {
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace

struct shared_marks::content {
  std::uint64_t magic = magic_number;
  std::atomic<std::uint64_t> last{0};
  std::atomic<std::uint64_t> passed[slots] = {};  // by number modulo slots
  std::atomic<std::uint32_t> changes{0};          // of `passed`
};

const std::size_t shared_marks::file_bytes = sizeof(content);

std::shared_ptr<shared_marks> shared_marks::create(int file) {
  void* const mapped = map_file(file, sizeof(content));
  if (mapped == nullptr) {
    close(file);
    return nullptr;
  }
  return std::shared_ptr<shared_marks>(new shared_marks(file, *new (mapped) content));
}

std::shared_ptr<shared_marks> shared_marks::open(int file) {
  struct stat facts;
  if (fstat(file, &facts) != 0 || facts.st_size != sizeof(content)) return nullptr;
  void* const mapped = map_file(file, sizeof(content));
  if (mapped == nullptr) return nullptr;
  content& found = *static_cast<content*>(mapped);
  const int own = found.magic == magic_number ? fcntl(file, F_DUPFD_CLOEXEC, 0) : -1;
  if (own < 0) {
    munmap(mapped, sizeof(content));
    return nullptr;
  }
  return std::shared_ptr<shared_marks>(new shared_marks(own, found));
}

shared_marks::~shared_marks() {
  munmap(&shared_, sizeof(content));
  close(file_);
}

std::uint64_t shared_marks::add() { return shared_.last.fetch_add(1) + 1; }

std::uint64_t shared_marks::last() const { return shared_.last.load(); }

void shared_marks::pass(std::uint64_t number) {
  std::atomic<std::uint64_t>& slot = shared_.passed[number % slots];
  std::uint64_t known = slot.load();
  while (known < number && !slot.compare_exchange_weak(known, number)) continue;
  shared_.changes.fetch_add(1);
  syscall(SYS_futex, &shared_.changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool shared_marks::is_passed(std::uint64_t number) const {
  return shared_.passed[number % slots].load() >= number;
}

void shared_marks::wait_for(std::uint64_t number) const {
  for (;;) {
    const std::uint32_t seen = shared_.changes.load();
    if (is_passed(number)) return;
    syscall(SYS_futex, &shared_.changes, FUTEX_WAIT, seen, nullptr, nullptr, 0);
  }
}

}  // namespace heddle_host::stream
