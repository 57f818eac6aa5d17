// What `heddle doctor` says about machines that have all, some or none of what kernels need.
#include <gtest/gtest.h>
#include <cli/diagnosis.hpp>

#include <algorithm>

namespace {

using namespace heddle::cli;

machine with_gpu(int major, int minor) {
  machine here;
  here.system = "Linux 6.1.0 x86_64";
  here.cores = 8;
  here.compiler = {"/usr/bin/g++", "g++ 12.2.0"};
  here.nvcc = {"/usr/local/cuda/bin/nvcc", "13.0"};
  here.nvcc_release = 13000;
  here.has_driver = true;
  here.driver_version = "580.65.06";
  here.driver_release = 13000;
  here.gpus = {{"Imagined GPU", major, minor, std::uint64_t{8} << 30}};
  return here;
}

machine without_gpu() {
  machine here = with_gpu(9, 0);
  here.nvcc = {};
  here.nvcc_release = here.driver_release = 0;
  here.has_driver = false;
  here.driver_version.clear();
  here.gpus.clear();
  return here;
}

environment all_well() {
  environment around;
  around.version = "1.2.3";
  around.runtime = "/opt/heddle/lib/libheddle_host.a";
  around.cache = "/home/loom/.cache/heddle";
  around.is_cache_writable = true;
  around.free_bytes = std::uint64_t{50} << 30;
  around.debugger = "/usr/bin/gdb";
  around.cccl = "/usr/local/cuda/include/cccl";
  around.trial_seconds = 0.9;
  return around;
}

const diagnosis_line& line_of(const diagnosis& said, const std::string& subject) {
  const auto found = std::find_if(said.lines.begin(), said.lines.end(),
                                  [&](const auto& line) { return line.subject == subject; });
  static const diagnosis_line none{};
  if (found == said.lines.end()) ADD_FAILURE() << "nothing is said of " << subject;
  return found == said.lines.end() ? none : *found;
}

void expect_line(const diagnosis& said, const std::string& subject, verdict is,
                 const std::string& text) {
  const diagnosis_line& line = line_of(said, subject);
  EXPECT_EQ(line.is, is) << line.text;
  EXPECT_NE(line.text.find(text), std::string::npos) << line.text;
}

TEST(diagnose, uses_the_gpu_if_nothing_is_missing) {
  const diagnosis said = diagnose(with_gpu(9, 0), all_well());
  EXPECT_TRUE(said.is_usable);
  EXPECT_TRUE(said.is_gpu_used);
  for (const diagnosis_line& line : said.lines) EXPECT_EQ(line.is, verdict::good) << line.text;
  expect_line(said, "GPU", verdict::good, "Imagined GPU, sm_90, 8.0 GiB");
  expect_line(said, "driver", verdict::good, "580.65.06, supports CUDA up to 13.0");
  expect_line(said, "used", verdict::good, "kernels run on the GPU");
}

TEST(diagnose, calls_a_machine_without_a_gpu_usable) {
  const diagnosis said = diagnose(without_gpu(), all_well());
  EXPECT_TRUE(said.is_usable);
  EXPECT_FALSE(said.is_gpu_used);
  for (const char* subject : {"nvcc", "driver", "GPU"})
    EXPECT_EQ(line_of(said, subject).is, verdict::note) << subject;
  expect_line(said, "used", verdict::good, "kernels run on the CPU");
}

TEST(diagnose, says_what_a_gpu_lacks_and_uses_the_cpu) {
  const auto expect_cpu = [](const machine& here, const char* subject, verdict is,
                             const char* text) {
    const diagnosis said = diagnose(here, all_well());
    EXPECT_TRUE(said.is_usable);
    EXPECT_FALSE(said.is_gpu_used);
    expect_line(said, subject, is, text);
    expect_line(said, "used", verdict::missing, "kernels run on the CPU");
  };
  expect_cpu(with_gpu(6, 1), "GPU", verdict::missing, "sm_61, 8.0 GiB: too old");
  machine here = with_gpu(9, 0);
  here.nvcc = {};
  expect_cpu(here, "nvcc", verdict::note, "not found on PATH");
  here = with_gpu(9, 0);
  here.gpus.clear();
  here.driver_failure = "no CUDA-capable device is detected (error 100)";
  expect_cpu(here, "driver", verdict::missing, "no CUDA-capable device is detected");
  here.has_driver = false;
  expect_cpu(here, "driver", verdict::missing, "libcuda.so.1 is missing");
}

TEST(diagnose, lists_each_gpu) {
  machine here = with_gpu(9, 0);
  here.gpus.push_back({"Second GPU", 7, 5, 0});
  const diagnosis said = diagnose(here, all_well());
  EXPECT_EQ(std::count_if(said.lines.begin(), said.lines.end(),
                          [](const diagnosis_line& line) { return line.subject == "GPU"; }),
            2);
}

TEST(diagnose, calls_a_machine_without_compiler_or_runtime_unusable) {
  machine here = without_gpu();
  here.compiler = {};
  diagnosis said = diagnose(here, all_well());
  EXPECT_FALSE(said.is_usable);
  EXPECT_EQ(line_of(said, "compiler").is, verdict::missing);
  EXPECT_EQ(line_of(said, "compiler").cure, "apt-get install g++");
  expect_line(said, "used", verdict::missing, "nothing");

  environment around = all_well();
  around.runtime_failure = "the stand-in headers are missing";
  said = diagnose(without_gpu(), around);
  EXPECT_FALSE(said.is_usable);
  expect_line(said, "runtime", verdict::missing, "the stand-in headers are missing");

  around = all_well();
  around.trial_failure = "a small kernel was built, but the program exited with 134";
  said = diagnose(without_gpu(), around);
  EXPECT_FALSE(said.is_usable);
  expect_line(said, "trial", verdict::missing, "exited with 134");
}

TEST(diagnose, notes_what_is_useful_but_not_needed) {
  environment around = all_well();
  around.debugger.clear();
  around.cccl.clear();
  around.is_cache_writable = false;
  diagnosis said = diagnose(without_gpu(), around);
  EXPECT_TRUE(said.is_usable);
  EXPECT_EQ(line_of(said, "gdb").cure, "apt-get install gdb");
  EXPECT_EQ(line_of(said, "CCCL").cure, "apt-get install libcub-dev libthrust-dev");
  expect_line(said, "cache", verdict::note, "/home/loom/.cache/heddle cannot be written");
  around.cache.clear();
  expect_line(diagnose(without_gpu(), around), "cache", verdict::note, "no home folder");
  around = all_well();
  around.free_bytes = 1000;
  expect_line(diagnose(without_gpu(), around), "cache", verdict::note, "0.0 GiB free");
  machine older = with_gpu(9, 0);
  older.nvcc.version = "12.4";
  older.nvcc_release = 12040;
  expect_line(diagnose(older, all_well()), "nvcc", verdict::note, "13.0 is the oldest");
}

}  // namespace
