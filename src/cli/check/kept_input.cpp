// Provides standard input to a program that runs more than once.
#include "cli/check/kept_input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace heddle::cli {

kept_input::kept_input() {
  struct stat what {};
  if (fstat(STDIN_FILENO, &what) != 0) {
    is_nothing_ = true;
  } else if (S_ISREG(what.st_mode)) {
    offset_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  } else if (isatty(STDIN_FILENO) != 0) {
    // In the background we must not read from the terminal.
    is_relayed_ = tcgetpgrp(STDIN_FILENO) == getpgrp();
    is_nothing_ = !is_relayed_;
  } else {
    is_relayed_ = S_ISFIFO(what.st_mode) || S_ISSOCK(what.st_mode);
  }
}

int kept_input::open_again() const {
  if (is_relayed_) return -1;
  const int opened = is_nothing_ ? -1 : open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
  if (opened < 0) return open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (offset_ > 0) lseek(opened, offset_, SEEK_SET);
  return opened;
}

void kept_input::read_more() {
  std::array<char, 65536> part;
  const ssize_t got = read(STDIN_FILENO, part.data(), part.size());
  if (got > 0) {
    bytes_.append(part.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
    is_at_end_ = true;
  }
}

}  // namespace heddle::cli
