// Outputs: files are replaced as a whole; devices, links and pipes stay what they are.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>
#include <files/output.hpp>

#include <array>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

namespace heddle::files {
namespace {

namespace fs = std::filesystem;

class output : public testing::Test {
 protected:
  output() {
    std::string pattern = (fs::temp_directory_path() / "heddle-output-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for the test");
    folder_ = pattern;
  }
  ~output() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path at(const char* name) const { return folder_ / name; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  static std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return std::move(text).str();
  }
  static mode_t mode_of(const fs::path& path) {
    struct stat about {};
    EXPECT_EQ(stat(path.c_str(), &about), 0) << path;
    return about.st_mode & 07777;
  }
  static std::string failure_of(const fs::path& path) {
    try {
      write(path, "text");
    } catch (const write_error& failure) {
      return failure.what();
    }
    return "it was written";
  }

  fs::path folder_;
};

mode_t usual_mode(mode_t wanted) {
  const mode_t mask = umask(0);
  umask(mask);
  return wanted & ~mask;
}

TEST_F(output, replaces_a_file_and_leaves_nothing_else) {
  write(at("a"), "first, and longer");
  write(at("a"), "second");
  EXPECT_EQ(text_of(at("a")), "second");
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(mode_of(at("a")), usual_mode(0666));
}

TEST_F(output, keeps_the_permissions_of_an_old_file) {
  write(at("a"), "first");
  ASSERT_EQ(chmod(at("a").c_str(), 0600), 0);
  write(at("a"), "second");
  EXPECT_EQ(mode_of(at("a")), 0600u);
}

TEST_F(output, leaves_a_hard_link_with_the_old_bytes) {
  write(at("a"), "first");
  fs::create_hard_link(at("a"), at("b"));
  write(at("a"), "second");
  EXPECT_EQ(text_of(at("b")), "first");
}

TEST_F(output, follows_links_and_keeps_them) {
  write(at("target"), "first");
  fs::create_symlink("target", at("link"));
  fs::create_symlink(at("link"), at("link to link"));
  fs::create_symlink("not there yet", at("dangling"));
  write(at("link to link"), "second");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_TRUE(fs::is_symlink(at("link to link")));
  EXPECT_EQ(text_of(at("target")), "second");
  write(at("dangling"), "third");
  EXPECT_TRUE(fs::is_symlink(at("dangling")));
  EXPECT_EQ(text_of(at("not there yet")), "third");
  fs::create_symlink("round", at("round"));
  EXPECT_EQ(failure_of(at("round")),
            "cannot write " + at("round").string() + ": Too many levels of symbolic links");
}

TEST_F(output, writes_to_devices_without_replacing_them) {
  write("/dev/null", "gone");
  fs::create_symlink("/dev/null", at("nowhere"));
  write(at("nowhere"), "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(failure_of("/dev/full"), "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// Uses its own device, so that a failure harms nothing else.
TEST_F(output, never_replaces_a_device_for_root) {
  if (geteuid() != 0) GTEST_SKIP() << "only root makes devices";
  if (mknod(at("null").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0)
    GTEST_SKIP() << "no device can be made here";
  deliver("/proc/self/exe", at("null"));
  expect_writable(at("null"));
  EXPECT_TRUE(fs::is_character_file(at("null")));
  EXPECT_EQ(files(), 1u);
}

TEST_F(output, writes_to_a_pipe) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = text_of(at("pipe")); });
  write(at("pipe"), "through");
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(output, refuses_sockets_and_folders) {
  const int number = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  at("s").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(number);
  EXPECT_EQ(failure_of(at("s")),
            "cannot write " + at("s").string() + ": it is a socket, not a file");
  EXPECT_TRUE(fs::is_socket(at("s")));
  EXPECT_EQ(failure_of(folder_), "cannot write " + folder_.string() + ": Is a directory");
}

TEST_F(output, reports_the_systems_reason) {
  EXPECT_EQ(failure_of(at("none/a")),
            "cannot write " + at("none/a").string() + ": No such file or directory");
  EXPECT_EQ(failure_of("/dev/fd/987"), "cannot write /dev/fd/987: Bad file descriptor");
  for (const char* name : {"none/a", ""})
    EXPECT_THROW(expect_writable(at(name)), write_error) << name;
  EXPECT_NO_THROW(expect_writable(at("a")));
  EXPECT_EQ(files(), 0u) << "asking made a file";
}

// Runs `work` with `file` as standard output.
template <typename Work>
void with_standard_output(int file, Work work) {
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  dup2(file, STDOUT_FILENO);
  work();
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
}

TEST_F(output, appends_to_standard_output_under_each_of_its_names) {
  fs::create_symlink("/dev/stdout", at("link"));
  const int file = open(at("out").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  with_standard_output(file, [&] {
    std::fputs("printed ", stdout);
    for (const fs::path& name : {fs::path("-"), fs::path("/dev/stdout"), at("link")}) {
      EXPECT_TRUE(is_standard_output(name)) << name;
      write(name, name.filename().string() + " ");
    }
  });
  close(file);
  EXPECT_EQ(text_of(at("out")), "printed - stdout link ");
  EXPECT_FALSE(is_standard_output(at("out")));
}

// The standard output of a service may be a socket, which cannot be opened by name.
TEST_F(output, writes_to_a_standard_output_that_is_a_socket) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  with_standard_output(ends[1], [] { write("/dev/stdout", "text"); });
  std::array<char, 8> read{};
  EXPECT_EQ(::read(ends[0], read.data(), read.size()), 4);
  EXPECT_STREQ(read.data(), "text");
  close(ends[0]);
  close(ends[1]);
}

TEST_F(output, replaces_files_in_dev_shm) {
  const fs::path file = fs::path("/dev/shm") / folder_.filename();
  if (access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "/dev/shm cannot be written here";
  write(file, "first, and longer");
  write(file, "second");
  EXPECT_EQ(text_of(file), "second");
  fs::remove(file);
}

TEST_F(output, keeps_the_owner_of_another_users_file) {
  if (geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  write(at("a"), "first, and longer");
  ASSERT_EQ(chown(at("a").c_str(), 12345, 12345), 0);
  write(at("a"), "second");
  struct stat about {};
  ASSERT_EQ(stat(at("a").c_str(), &about), 0);
  EXPECT_EQ(about.st_uid, 12345u);
  EXPECT_EQ(text_of(at("a")), "second");
}

TEST_F(output, delivers_a_program_as_an_executable) {
  write(at("program"), "first");
  deliver("/proc/self/exe", at("program"));
  EXPECT_EQ(mode_of(at("program")) & 0111, usual_mode(0777) & 0111);
  EXPECT_EQ(fs::file_size(at("program")), fs::file_size("/proc/self/exe"));
  EXPECT_EQ(files(), 1u);
}

// A limit on the file size acts like a full disk.
TEST_F(output, keeps_the_old_file_if_the_new_one_does_not_fit) {
  write(at("a"), "old");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(write(at("a"), std::string(5000, 'n')), write_error);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(text_of(at("a")), "old");
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace heddle::files
