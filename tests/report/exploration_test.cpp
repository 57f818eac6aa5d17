// The summary of an exploration.
#include "report/check/exploration.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace heddle_report {
namespace {

exploration of(bool is_complete, std::uint64_t beyond) {
  exploration what;
  what.explored = 12;
  what.pruned = 3;
  what.beyond = beyond;
  what.is_complete = is_complete;
  what.fraction = is_complete ? 1 : 0.125;
  what.seconds = 2;
  return what;
}

TEST(exploration_text, says_that_everything_is_explored) {
  EXPECT_EQ(words_of(of(true, 0)), "explored 12 interleavings, pruned 3; complete");
}

TEST(exploration_text, says_what_the_bound_cut_off) {
  EXPECT_EQ(words_of(of(true, 7)),
            "explored 12 interleavings, pruned 3; all within the preemption bound, which excluded "
            "7 choices");
}

TEST(exploration_text, says_how_far_it_came) {
  exploration what = of(false, 0);
  what.stopped = "time limit reached";
  EXPECT_EQ(words_of(what),
            "explored 12 interleavings, pruned 3; stopped at about 12 %: time limit reached");
  EXPECT_EQ(progress_of(what),
            "12 interleavings, 3 pruned, about 12 % of 96, 8 per second, 14 s left");
}

TEST(exploration_text, notes_different_results_with_one_interleaving_for_each) {
  const auto line = nlohmann::json::parse(R"({"explored": 3, "results": 2, "complete": true,
    "kept_results": [{"output": "1\n", "interleaving": "0.0-2.1", "interleavings": 2},
                     {"output": "2\n", "interleaving": "0.1-4.0", "interleavings": 1}]})");
  const auto notes = notes_of(exploration_from(line));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("2 interleavings like exhaustive:0.0-2.1"), std::string::npos);
  EXPECT_NE(notes[0].find("1 interleaving like exhaustive:0.1-4.0"), std::string::npos);
}

TEST(exploration_text, notes_nothing_if_all_runs_are_alike) {
  EXPECT_TRUE(notes_of(of(true, 0)).empty());
}

}  // namespace
}  // namespace heddle_report
