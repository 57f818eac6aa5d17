// The figures of the tour: how they are read from programs and profiles, and printed.
#include <gtest/gtest.h>
#include <cli/tour/tour_figures.hpp>

#include <cstdio>
#include <fstream>

namespace {

using heddle::cli::figures_of_ladder;
using heddle::cli::figures_of_output;
using heddle::cli::figures_of_profile;
using heddle_report::tour_figure;

const tour_figure* find(const std::vector<tour_figure>& figures, const std::string& variant,
                        const std::string& metric) {
  for (const tour_figure& one : figures)
    if (one.variant == variant && one.metric == metric) return &one;
  return nullptr;
}

double value(const std::vector<tour_figure>& figures, const std::string& variant,
             const std::string& metric) {
  const tour_figure* const found = find(figures, variant, metric);
  EXPECT_NE(found, nullptr) << variant << ", " << metric;
  return found == nullptr ? -1 : found->value;
}

// The ladder's output on a GPU.
constexpr const char* ladder_output =
    R"(10000000 floats on NVIDIA H200; on one thread of the CPU 9123 us
  one atomic each          right      100.5 us    398.0 GB/s    1.0 times the first
  tree of spread threads   WRONG       50.0 us    800.0 GB/s    2.0 times the first
  last block finishes      right
)";

TEST(figures_of_ladder, reads_times_rates_and_speed_ups) {
  const auto parsed = figures_of_ladder(ladder_output, 4000);
  EXPECT_EQ(parsed.figures.size(), 8u);
  EXPECT_DOUBLE_EQ(value(parsed.figures, "one atomic each", "time"), 100.5);
  EXPECT_DOUBLE_EQ(value(parsed.figures, "tree of spread threads", "throughput"), 800);
  EXPECT_DOUBLE_EQ(value(parsed.figures, "tree of spread threads", "share of peak bandwidth"), 20);
  EXPECT_DOUBLE_EQ(value(parsed.figures, "tree of spread threads", "speed-up"), 2);
}

TEST(figures_of_ladder, names_wrong_sums) {
  const auto parsed = figures_of_ladder(ladder_output, 0);
  EXPECT_EQ(parsed.wrong, std::vector<std::string>{"tree of spread threads"});
  EXPECT_EQ(find(parsed.figures, "one atomic each", "share of peak bandwidth"), nullptr);
}

TEST(figures_of_output, reads_lines_and_skips_other_output) {
  const auto parsed = figures_of_output(
      "hello\n{\"bench\": \"experiments\"}\n"
      R"({"variant": "one", "metric": "time", "unit": "us", "value": 1.5})"
      "\n{\"wrong\": \"two\"}\n"
      R"({"experiment": "other", "variant": "one", "metric": "time", "value": "many"})",
      "mine");
  ASSERT_EQ(parsed.figures.size(), 1u);
  EXPECT_EQ(parsed.figures[0].experiment, "mine");
  EXPECT_EQ(parsed.figures[0].unit, "us");
  EXPECT_EQ(parsed.wrong, std::vector<std::string>{"two"});
}

TEST(figures_of_output, reads_an_array) {
  const auto parsed = figures_of_output(
      R"([{"experiment": "e", "variant": "v", "metric": "m", "unit": "", "value": 3}])", "");
  ASSERT_EQ(parsed.figures.size(), 1u);
  EXPECT_EQ(parsed.figures[0].experiment, "e");
  EXPECT_EQ(parsed.figures[0].value, 3);
}

class figures_of_profile_test : public testing::Test {
 protected:
  void TearDown() override { std::remove(file.c_str()); }
  void write(const std::string& text) const { std::ofstream(file) << text; }
  const std::string file = testing::TempDir() + "/heddle_tour_profile.json";
};

TEST_F(figures_of_profile_test, sums_accesses_and_drops_unused_metrics) {
  write(R"({"kernels": [
    {"kernel": "{anonymous}::plain<int>", "accesses": [
       {"space": "global", "operation": "load", "requests": 2, "sectors": 8, "lanes": 64},
       {"space": "global", "operation": "atomic", "requests": 2, "sectors": 2, "lanes": 5},
       {"space": "shared", "operation": "load", "requests": 1, "wavefronts": 7}],
     "meetings": [{"kind": "block barrier", "times": 3}, {"kind": "tile barrier", "times": 1}],
     "source_blocks": [{"runs": 2, "lanes": 48, "branches": 4, "parted": 1}]},
    {"kernel": "other", "accesses": []}]})");
  const auto figures =
      figures_of_profile(file, "e", {{"plain", "the plain one"}, {"none", "none"}});
  EXPECT_EQ(value(figures, "the plain one", "global requests"), 4);
  EXPECT_EQ(value(figures, "the plain one", "sectors per request"), 2.5);
  EXPECT_EQ(value(figures, "the plain one", "global atomic updates"), 5);
  EXPECT_EQ(value(figures, "the plain one", "shared wavefronts"), 7);
  EXPECT_EQ(value(figures, "the plain one", "barriers"), 4);
  EXPECT_EQ(value(figures, "the plain one", "divergent branches"), 25);
  EXPECT_EQ(value(figures, "the plain one", "warp efficiency"), 75);
  EXPECT_EQ(find(figures, "the plain one", "warp operations"), nullptr);
  EXPECT_EQ(find(figures, "none", "global requests"), nullptr);
}

TEST_F(figures_of_profile_test, finds_nothing_without_a_valid_profile) {
  EXPECT_TRUE(figures_of_profile(file, "e", {{"plain", "plain"}}).empty());
  write("{\"kernels\": [");
  EXPECT_TRUE(figures_of_profile(file, "e", {{"plain", "plain"}}).empty());
}

TEST(tour_text, groups_digits_and_rounds) {
  using heddle_report::number_text;
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(999), "999");
  EXPECT_EQ(number_text(1000), "1,000");
  EXPECT_EQ(number_text(-1234567), "-1,234,567");
  EXPECT_EQ(number_text(0.0625), "0.062");
  EXPECT_EQ(number_text(2.5), "2.50");
  EXPECT_EQ(number_text(99.96), "100.0");
  EXPECT_EQ(number_text(1234.6), "1,235");
}

TEST(tour_text, puts_variants_in_rows_and_metrics_in_columns) {
  heddle_report::tour_stop stop;
  stop.title = "Title";
  stop.verdict = "all right";
  stop.source = "Counters.";
  stop.figures = {
      {"e", "first", "a", "", 1}, {"e", "second", "a", "", 20}, {"e", "second", "b", "%", 3}};
  EXPECT_EQ(text_of(stop),
            "Title\n"
            "  all right\n"
            "  Counters.\n"
            "             a  b, %\n"
            "    first    1     -\n"
            "    second  20     3\n"
            "\n");
}

// Whatever a program prints, it must not break the page.
TEST(tour_page, escapes_text_that_would_end_its_script) {
  heddle_report::tour_report report;
  report.stops.emplace_back();
  report.stops[0].listing = "</script><script>alert(1)</script>\xff";
  const std::string page = html_of(report, "1.0");
  EXPECT_EQ(page.find("<script>alert(1)"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>"), std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos);
}

}  // namespace
