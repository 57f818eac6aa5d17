// A program reads the settings that `heddle check` writes.
#include <gtest/gtest.h>
#include <checker/settings.hpp>

#include <stdexcept>

namespace heddle_checker {
namespace {

TEST(settings, are_read_back_as_they_were_written) {
  settings asked;
  asked.schedule = "exhaustive";
  asked.seed = 7;
  asked.parts_active_lanes = false;
  asked.threads_by_number = true;
  asked.keeps_all_readers = true;
  asked.slows_clocks = true;
  asked.blocks = 12;
  asked.samples_launches = true;
  asked.budget = 90;
  asked.preemptions = 0;
  asked.seconds = 0.25;
  asked.turns = "0.0-7.32";
  asked.findings_file = "/a folder/with \"quotes\"\nand lines";
  asked.ran_code_folder = "/another folder";
  const settings read = read_settings(text_of(asked).c_str());
  EXPECT_EQ(read.schedule, asked.schedule);
  EXPECT_EQ(read.seed, asked.seed);
  EXPECT_EQ(read.parts_active_lanes, asked.parts_active_lanes);
  EXPECT_EQ(read.threads_by_number, asked.threads_by_number);
  EXPECT_EQ(read.keeps_all_readers, asked.keeps_all_readers);
  EXPECT_EQ(read.slows_clocks, asked.slows_clocks);
  EXPECT_EQ(read.blocks, asked.blocks);
  EXPECT_EQ(read.samples_launches, asked.samples_launches);
  EXPECT_EQ(read.budget, asked.budget);
  EXPECT_EQ(read.preemptions, asked.preemptions);
  EXPECT_EQ(read.seconds, asked.seconds);
  EXPECT_EQ(read.turns, asked.turns);
  EXPECT_EQ(read.findings_file, asked.findings_file);
  EXPECT_EQ(read.ran_code_folder, asked.ran_code_folder);
}

TEST(settings, are_a_json_object_with_a_key_for_each) {
  const settings read = read_settings(R"({"schedule": "pct", "seed": 7, "parts_active_lanes": false,
      "threads_by_number": true, "blocks": 12, "samples_launches": true, "budget": 90,
      "keeps_all_readers": true, "slows_clocks": true, "preemptions": 2, "seconds": 0.25,
      "turns": "0.0-7.32", "findings_file": "/a/file", "ran_code_folder": "/a/folder"})");
  EXPECT_EQ(read.schedule, "pct");
  EXPECT_EQ(read.seed, 7u);
  EXPECT_FALSE(read.parts_active_lanes);
  EXPECT_TRUE(read.threads_by_number);
  EXPECT_EQ(read.blocks, 12u);
  EXPECT_TRUE(read.samples_launches);
  EXPECT_EQ(read.budget, 90u);
  EXPECT_TRUE(read.keeps_all_readers);
  EXPECT_TRUE(read.slows_clocks);
  EXPECT_EQ(read.preemptions, 2u);
  EXPECT_EQ(read.seconds, 0.25);
  EXPECT_EQ(read.turns, "0.0-7.32");
  EXPECT_EQ(read.findings_file, "/a/file");
  EXPECT_EQ(read.ran_code_folder, "/a/folder");
}

TEST(settings, have_defaults) {
  for (const char* const nothing : {static_cast<const char*>(nullptr), "", "{}"}) {
    const settings read = read_settings(nothing);
    EXPECT_EQ(text_of(read), R"({"schedule":"converged","seed":1})");
  }
  EXPECT_EQ(read_settings(R"({"seed": 3})").schedule, "converged");
}

TEST(settings, refuse_unknown_keys_and_values) {
  for (const char* const wrong :
       {"schedule=random seed=3", "[]", R"({"sede": 3})", R"({"seed": "3"})", R"({"seed": -3})",
        R"({"seed": 3.5})", R"({"schedule": 3})", R"({"parts_active_lanes": 0})",
        R"({"seconds": "3"})", R"({"seed": 3)"}) {
    EXPECT_THROW(read_settings(wrong), std::invalid_argument) << wrong;
  }
}

}  // namespace
}  // namespace heddle_checker
