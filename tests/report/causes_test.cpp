// Every cause has a name and a sentence.
#include <gtest/gtest.h>
#include <report/check/causes.hpp>
#include <report/check/finding_words.hpp>
#include <report/check/kinds.hpp>
#include <report/check/launch_limits.hpp>

#include <set>
#include <string>

#include "found_examples.hpp"

namespace heddle_report {
namespace {

TEST(cause_text, has_a_unique_plain_name) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < heddle_host::finding_causes; ++i) {
    const auto cause = static_cast<finding_cause>(i);
    const std::string name = cause_of(cause).name;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), name.npos) << name;
    ASSERT_NE(find_cause(name), nullptr);
    EXPECT_EQ(find_cause(name)->cause, cause);
  }
  EXPECT_EQ(find_cause("bad-luck"), nullptr);
}

TEST(cause_text, has_a_unique_sentence) {
  std::set<std::string> sentences;
  for (const defect_cause& cause : all_causes()) {
    if (cause.cause == finding_cause::none) continue;
    const std::string sentence = cause.sentence;
    EXPECT_FALSE(sentence.empty()) << cause.name;
    EXPECT_FALSE(sentence.ends_with('.')) << sentence;
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
}

TEST(finding_text, has_words_for_every_kind_with_every_cause) {
  for (const defect_kind& kind : all_kinds()) {
    for (const defect_cause& cause : all_causes()) {
      found one = example_race();
      one.kind = kind.kind;
      one.cause = cause.cause;
      const finding_words words = words_of(one);
      for (const std::string& sentence : {words.what, words.why, words.fix}) {
        EXPECT_FALSE(sentence.empty()) << kind.name << ' ' << cause.name;
        EXPECT_EQ(sentence.find("  "), sentence.npos) << sentence;
        EXPECT_FALSE(sentence.ends_with(' ')) << sentence;
      }
    }
  }
}

found of(finding_kind kind, finding_cause cause, finding_fact fact = {}) {
  found one;
  one.kind = kind;
  one.cause = cause;
  one.fact = std::move(fact);
  one.kernel = "k";
  one.places = {lane_at("writes", "k.cu", 3, "out[i] = 0;")};
  return one;
}

TEST(finding_sentence, contains_the_facts_of_the_finding) {
  const auto said = [](const found& what) { return words_of(what).what; };
  EXPECT_EQ(said(of(finding_kind::assertion, finding_cause::none,
                    heddle_host::failed_assertion{"i < n"})),
            "kernel `k`: Assertion `i < n` failed.");
  EXPECT_EQ(said(of(finding_kind::out_of_bounds, finding_cause::unmapped,
                    heddle_host::raised_signal{11, 0x10})),
            "kernel `k` accesses unmapped memory at address 0x10");
  EXPECT_EQ(
      said(of(finding_kind::unfinished, finding_cause::no_progress, heddle_host::time_limit{2.5})),
      "kernel `k` was stopped after 2.5 seconds without progress: none of its threads started, "
      "finished or reached a barrier or warp operation");
  EXPECT_EQ(
      said(of(finding_kind::stack_overflow, finding_cause::none, heddle_host::stack_limit{65536})),
      "kernel `k` needs more than the 64 KiB stack of a thread");
  EXPECT_EQ(said(of(finding_kind::wide_shift, finding_cause::shifted_out,
                    heddle_host::shift_distance{-1, 32})),
            "kernel `k` shifts a value of 32 bits by -1");
  EXPECT_EQ(said(of(finding_kind::api_error, finding_cause::failed_call,
                    heddle_host::cuda_error{"cudaErrorInvalidValue", "invalid argument", {}})),
            "kernel `k`: a call fails with cudaErrorInvalidValue: invalid argument");
  EXPECT_EQ(said(of(finding_kind::misaligned, finding_cause::copy_size,
                    heddle_host::alignment_rule{0, 12})),
            "kernel `k`: the size of an asynchronous copy is 12 bytes; it must be 4, 8 or 16");
  EXPECT_EQ(said(of(finding_kind::misaligned, finding_cause::type_alignment,
                    heddle_host::alignment_rule{8, 0})),
            "kernel `k`: the address is misaligned: the type needs 8-byte alignment");
}

TEST(finding_sentence, says_what_a_launch_exceeds) {
  using heddle_host::launch_limit;
  const auto said = [](launch_limit which, std::uint64_t asked, std::uint64_t allowed) {
    return words_of(of(finding_kind::api_error, finding_cause::failed_call,
                       heddle_host::cuda_error{
                           "cudaErrorInvalidValue", "invalid argument", {which, asked, allowed}}));
  };
  EXPECT_EQ(said(launch_limit::launch_bounds, 128, 64).why,
            "the block has 128 threads; the kernel's __launch_bounds__ allows 64");
  EXPECT_EQ(said(launch_limit::chosen_shared_memory, 65536, 49152).fix,
            "before the launch, call cudaFuncSetAttribute with the kernel, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize and 65536");
  EXPECT_EQ(said(launch_limit::none, 0, 0).why,
            "the call had no effect, and the program continues as if it had succeeded");
}

// Each limit has a name of its own, which can be read again, and a sentence with its numbers.
TEST(finding_sentence, names_every_limit_of_a_launch) {
  std::set<std::string> names;
  for (int i = 1; i <= static_cast<int>(heddle_host::launch_limit::resident_blocks); ++i) {
    const auto which = static_cast<heddle_host::launch_limit>(i);
    EXPECT_EQ(launch_limit_named(name_of(which)), which) << i;
    EXPECT_TRUE(names.insert(name_of(which)).second) << name_of(which);
    const refusal_words words = words_of(heddle_host::exceeded_limit{which, 7654321, 1234567});
    const bool has_numbers = words.why.find("7654321") != std::string::npos &&
                             words.why.find("1234567") != std::string::npos;
    EXPECT_EQ(has_numbers, which != heddle_host::launch_limit::empty) << words.why;
    EXPECT_FALSE(words.fix.empty());
  }
}

TEST(finding_sentence, names_what_leaks) {
  found leak = of(finding_kind::leak, finding_cause::leaked_stream);
  leak.kernel.clear();
  leak.memory = found_memory{};  // has its allocation, but no size
  EXPECT_EQ(words_of(leak).what, "a stream is never destroyed");
  EXPECT_EQ(words_of(leak).fix, "call cudaStreamDestroy on every exit path");
}

}  // namespace
}  // namespace heddle_report
