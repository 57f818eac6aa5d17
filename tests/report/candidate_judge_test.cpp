// Which candidates become findings, tested with simulated runs.
#include <gtest/gtest.h>
#include <report/check/candidate_judge.hpp>

#include "found_examples.hpp"

namespace heddle_report {
namespace {

found candidate(finding_kind kind) {
  found one = example_race();
  one.kind = kind;
  one.is_candidate = true;
  return one;
}

struct trial {
  candidate_judge judge;
  bool convicts(finding_kind kind, const judged_run& usual) {
    const std::vector<found> findings{candidate(kind)};
    EXPECT_TRUE(judge.has_work(findings));
    judge.judge("random:3", findings, usual);
    EXPECT_NE(judge.has_work(findings), judge.is_defect(findings[0]));
    return judge.is_defect(findings[0]);
  }
};

judged_run printing(const std::string& output) { return {0, output, true}; }

TEST(judge_of_candidates, ignores_findings_that_are_not_candidates) {
  const candidate_judge judge([](const auto&, const auto&) -> std::optional<judged_run> {
    ADD_FAILURE() << "nothing needs to run";
    return std::nullopt;
  });
  EXPECT_FALSE(judge.has_work({example_race()}));
  EXPECT_TRUE(judge.is_defect(example_race()));
}

TEST(judge_of_candidates, ignores_output_that_differs_from_run_to_run) {
  int runs = 0;
  trial differs{candidate_judge([&](const auto&, const auto&) {
    return std::optional(printing("time " + std::to_string(++runs)));
  })};
  EXPECT_FALSE(differs.convicts(finding_kind::schedule_dependent, printing("time 0")));
  EXPECT_GT(runs, 0);
}

TEST(judge_of_candidates, blames_divergence_only_if_nothing_else_changes_the_result) {
  trial depends{candidate_judge([](const auto&, const run_variation& how) {
    return std::optional(printing(how.parts_active_lanes ? "1" : "2"));
  })};
  EXPECT_TRUE(depends.convicts(finding_kind::schedule_dependent, printing("1")));
  trial depends_anyway{candidate_judge([](const std::string& schedule, const run_variation& how) {
    return std::optional(printing(how.parts_active_lanes ? "1" : schedule));
  })};
  EXPECT_FALSE(depends_anyway.convicts(finding_kind::schedule_dependent, printing("1")));
}

TEST(judge_of_candidates, confirms_nothing_if_it_is_interrupted) {
  int runs = 0;
  trial ends{candidate_judge([&](const auto&, const auto&) -> std::optional<judged_run> {
    if (++runs > 1) return std::nullopt;
    return printing("2");
  })};
  EXPECT_FALSE(ends.convicts(finding_kind::schedule_dependent, printing("1")));
}

}  // namespace
}  // namespace heddle_report
