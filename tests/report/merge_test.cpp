// Which findings are merged into one.
#include <gtest/gtest.h>
#include <report/check/merge.hpp>

#include "found_examples.hpp"

namespace heddle_report {
namespace {

TEST(merge, joins_findings_with_the_same_lines_in_several_schedules) {
  merge all;
  found seen = example_race();
  seen.count = 3;
  all.add(seen, "random:1");
  seen.places[0].block = {7, 0, 0};
  std::swap(seen.places[0], seen.places[1]);
  all.add(seen, "random:2");
  all.add(seen, "random:2");
  const auto findings = all.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].count, 9u);
  EXPECT_EQ(findings[0].schedules, (std::vector<std::string>{"random:1", "random:2"}));
  EXPECT_EQ(findings[0].first.places[0].block[0], 0u) << "the first one seen is kept";
}

TEST(merge, keeps_other_lines_and_other_kinds_apart) {
  merge all;
  all.add(example_race(), "converged");
  found other_line = example_race();
  other_line.places[0].at.line = 10;
  all.add(other_line, "converged");
  found other_kind = example_race();
  other_kind.kind = finding_kind::uninitialized;
  all.add(other_kind, "converged");
  found other_file = example_race();
  other_file.places[1].at.file = "other.cu";
  all.add(other_file, "converged");
  EXPECT_EQ(all.findings().size(), 4u);
}

TEST(merge, joins_instances_of_a_template_and_names_them_all) {
  merge all;
  found one = example_race();
  one.kernel = "sum<T = int>";
  all.add(one, "converged");
  one.kernel = "sum<T = float>";
  all.add(one, "converged");
  const auto findings = all.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kernels, (std::vector<std::string>{"sum<T = int>", "sum<T = float>"}));
}

TEST(merge, reports_a_hanging_kernel_once_wherever_its_lanes_are) {
  merge all;
  found hangs = example_race();
  hangs.kind = finding_kind::deadlock;
  all.add(hangs, "random:1");
  hangs.places.pop_back();
  hangs.places[0].at.line = 77;
  all.add(hangs, "random:2");
  EXPECT_EQ(all.findings().size(), 1u);
  hangs.kernel = "another";
  all.add(hangs, "random:2");
  EXPECT_EQ(all.findings().size(), 2u);
}

TEST(merge, sorts_by_kind_then_by_place) {
  merge all;
  all.add(example_leak(), "converged");
  found late = example_race();
  late.places[0].at.line = 90;
  all.add(late, "converged");
  all.add(example_race(), "converged");
  const auto findings = all.findings();
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].first.places[0].at.line, 9);
  EXPECT_EQ(findings[1].first.places[0].at.line, 90);
  EXPECT_EQ(findings[2].first.kind, finding_kind::leak);
}

TEST(fingerprint, survives_moved_lines_and_changes_with_their_text) {
  const std::string before = fingerprint_of(example_race());
  found moved = example_race();
  moved.places[0].at.line += 100;
  moved.places[1].at.line += 100;
  moved.places[1].thread = {5, 0, 0};
  moved.kernel = "sum<T = int>";
  EXPECT_EQ(fingerprint_of(moved), before);
  moved.places[0].at.source = "out = parts[0];";
  EXPECT_NE(fingerprint_of(moved), before);
  found other = example_race();
  other.kind = finding_kind::uninitialized;
  EXPECT_NE(fingerprint_of(other), before);
  found another_cause = example_race();
  another_cause.cause = finding_cause::scope;
  EXPECT_NE(fingerprint_of(another_cause), before);
}

TEST(fingerprint, is_the_same_for_a_kernel_that_hangs_whatever_stopped_it) {
  found hangs = example_race();
  hangs.kind = finding_kind::livelock;
  hangs.cause = finding_cause::endless_loop;
  const std::string before = fingerprint_of(hangs);
  hangs.cause = finding_cause::standstill;
  EXPECT_EQ(fingerprint_of(hangs), before);
}

}  // namespace
}  // namespace heddle_report
