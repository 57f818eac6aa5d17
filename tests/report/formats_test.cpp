// The machine-readable reports: JSON, SARIF, JUnit.
#include <gtest/gtest.h>
#include <report/check/check_report.hpp>
#include <report/check/kinds.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "found_examples.hpp"

namespace heddle_report {
namespace {

using nlohmann::json;

TEST(json_report, contains_sentences_counts_and_the_replay_command) {
  const json all = json_of(example_report(), "1.2.3");
  EXPECT_EQ(all["heddle"], "1.2.3");
  ASSERT_EQ(all["findings"].size(), 2u);
  const json& race = all["findings"][0];
  EXPECT_EQ(race["kind"], "race");
  EXPECT_EQ(race["cause"], "unordered");
  EXPECT_EQ(race["count"], 2);
  EXPECT_EQ(race["schedules"], (json{"random:1", "pct:1"}));
  EXPECT_EQ(race["replay"], "heddle check --replay random:1 sum.cu");
  EXPECT_FALSE(race["what"].get<std::string>().empty());
  EXPECT_EQ(race["places"][0]["line"], 9);
  EXPECT_EQ(race["memory"]["variable"], "parts");
  EXPECT_TRUE(all["fails"]);
  EXPECT_EQ(all["schedules"].size(), 3u);
}

// Checks the required members and the rules for values of the SARIF 2.1.0 schema.
void check_location(const json& location) {
  const json& physical = location.at("physicalLocation");
  const json& artifact = physical.at("artifactLocation");
  EXPECT_TRUE(artifact.at("uri").is_string());
  EXPECT_EQ(artifact.at("uri").get<std::string>().find(' '), std::string::npos);
  EXPECT_EQ(artifact.value("uriBaseId", "%SRCROOT%"), "%SRCROOT%");
  EXPECT_GE(physical.at("region").at("startLine").get<int>(), 1);
}

TEST(sarif_report, satisfies_the_schema) {
  check_report report = example_report();
  report.findings[1].silenced_by = "known.txt:1";
  report.notes = {"the output differs"};
  const json all = sarif_of(report, "1.2.3", "/nowhere");
  EXPECT_EQ(all.at("version"), "2.1.0");
  EXPECT_TRUE(all.at("$schema").is_string());
  ASSERT_EQ(all.at("runs").size(), 1u);
  const json& run = all["runs"][0];
  const json& driver = run.at("tool").at("driver");
  EXPECT_TRUE(driver.at("name").is_string());
  const json& rules = driver.at("rules");
  EXPECT_EQ(rules.size(), all_kinds().size());
  for (const json& rule : rules) {
    EXPECT_TRUE(rule.at("id").is_string());
    EXPECT_TRUE(rule.at("shortDescription").at("text").is_string());
    EXPECT_FALSE(rule.at("help").at("text").get<std::string>().empty());
  }
  ASSERT_EQ(run.at("results").size(), 2u);
  for (const json& result : run["results"]) {
    EXPECT_TRUE(result.at("message").at("text").is_string());
    EXPECT_EQ(rules[result.at("ruleIndex").get<std::size_t>()]["id"], result.at("ruleId"));
    EXPECT_TRUE(result["level"] == "error" || result["level"] == "warning");
    EXPECT_FALSE(result.at("partialFingerprints").empty());
    ASSERT_EQ(result.at("locations").size(), 1u);
    for (const json& location : result["locations"]) check_location(location);
    std::vector<int> numbers;
    for (const json& location : result.at("relatedLocations")) {
      check_location(location);
      numbers.push_back(location.at("id").get<int>());
      EXPECT_GE(numbers.back(), 0);
    }
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
  }
  EXPECT_FALSE(run["results"][0].contains("suppressions"));
  EXPECT_EQ(run["results"][1].at("suppressions")[0].at("kind"), "external");
  ASSERT_EQ(run.at("invocations").size(), 1u);
  EXPECT_TRUE(run["invocations"][0].at("executionSuccessful").is_boolean());
}

TEST(sarif_report, writes_paths_as_uris) {
  check_report report = example_report();
  report.findings[0].first.places[0].at.file = "my folder/sum%.cu";
  report.findings[1].first.places[0].at.file = "/elsewhere/main.cu";
  const json all = sarif_of(report, "1.2.3", "/nowhere");
  const json& results = all["runs"][0]["results"];
  const auto artifact = [&](std::size_t i) {
    return results[i]["locations"][0]["physicalLocation"]["artifactLocation"];
  };
  EXPECT_EQ(artifact(0)["uri"], "my%20folder/sum%25.cu");
  EXPECT_EQ(artifact(1)["uri"], "file:///elsewhere/main.cu");
  EXPECT_FALSE(artifact(1).contains("uriBaseId"));
}

TEST(sarif_report, leaves_out_places_without_a_line) {
  check_report report = example_report();
  report.findings[0].first.places[0].at = {};
  const json all = sarif_of(report, "1.2.3", "/nowhere");
  const json& race = all["runs"][0]["results"][0];
  EXPECT_EQ(race["relatedLocations"].size(), 1u);
  EXPECT_EQ(race["locations"][0]["physicalLocation"]["region"]["startLine"], 8);
}

// Checks as much XML as the report uses: tags nest, attributes are quoted, and text has no < or
// &.
class xml_reader {
 public:
  explicit xml_reader(const std::string& text) : text_(text) {}
  std::size_t count(const std::string& tag) const {
    return static_cast<std::size_t>(std::count(tags_.begin(), tags_.end(), tag));
  }
  testing::AssertionResult is_well_formed() {
    std::size_t at = text_.find("?>") + 2;
    while (at < text_.size()) {
      if (text_[at] == '&') {
        if (!is_entity(at)) return testing::AssertionFailure() << "a bare & at " << at;
      }
      if (text_[at] != '<') {
        ++at;
        continue;
      }
      const std::size_t end = text_.find('>', at);
      if (end == text_.npos) return testing::AssertionFailure() << "an open tag at " << at;
      const std::string tag = text_.substr(at + 1, end - at - 1);
      if (tag.find('<') != tag.npos) return testing::AssertionFailure() << "a bare < in " << tag;
      if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) {
        return testing::AssertionFailure() << "quotes in " << tag;
      }
      for (std::size_t i = at; i < end; ++i) {
        if (text_[i] == '&' && !is_entity(i)) return testing::AssertionFailure() << tag;
      }
      const std::string name =
          tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/'));
      if (tag[0] == '/') {
        if (open_.empty() || open_.back() != tag.substr(1)) {
          return testing::AssertionFailure() << "closed in vain: " << tag;
        }
        open_.pop_back();
      } else {
        tags_.push_back(name);
        if (tag.back() != '/') open_.push_back(name);
      }
      at = end + 1;
    }
    if (!open_.empty()) return testing::AssertionFailure() << "not closed: " << open_.back();
    return testing::AssertionSuccess();
  }

 private:
  bool is_entity(std::size_t at) const {
    for (const char* one : {"&amp;", "&lt;", "&gt;", "&quot;"}) {
      if (text_.compare(at, std::string(one).size(), one) == 0) return true;
    }
    return false;
  }
  std::string text_;
  std::vector<std::string> tags_, open_;
};

TEST(text_report, shows_a_few_of_many_similar_findings_in_full_and_the_others_in_a_line) {
  const auto count = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  for (const int races : {1, 4, 5, 9}) {
    merge all;
    for (int i = 0; i < races; ++i) {
      found race = example_race();
      race.places[0].at = {"sum.cu", 20 + i, "out = parts[" + std::to_string(i) + "];"};
      all.add(race, "converged");
    }
    check_report report = example_report();
    report.findings = all.findings();
    const std::string text = text_of(report, false);
    EXPECT_EQ(count(text, "\n  why "), races <= 4 ? races : 3);
    EXPECT_EQ(count(text, "; replay converged"), races <= 4 ? 0 : races - 3);
    EXPECT_EQ(count(text, std::to_string(races - 3) + " more on shared `parts`"), races > 4);
    for (int i = 0; i < races; ++i) EXPECT_GE(count(text, "sum.cu:" + std::to_string(20 + i)), 1);
  }
}

TEST(text_report, names_no_kernel_of_similar_findings_on_the_host) {
  merge all;
  for (int i = 0; i < 5; ++i) {
    found copy = example_race();
    copy.kernel.clear();
    copy.places[0].at.line = 20 + i;
    all.add(copy, "converged");
  }
  check_report report = example_report();
  report.findings = all.findings();
  EXPECT_NE(text_of(report, false).find("2 more on shared `parts`:\n"), std::string::npos);
}

TEST(junit_report, is_well_formed_and_has_a_case_for_each_kind) {
  check_report report = example_report();
  report.program = "a<b> & \"c\".cu";
  report.findings[0].first.places[0].at.source = "if (a < b && c[i]->x == '\x01') s = \"]]>\";";
  report.notes = {"1 < 2"};
  xml_reader xml(junit_of(report));
  EXPECT_TRUE(xml.is_well_formed()) << junit_of(report);
  EXPECT_EQ(xml.count("testcase"), all_kinds().size());
  EXPECT_EQ(xml.count("failure"), 2u);
}

TEST(junit_report, fails_only_on_findings_that_count) {
  check_report report = example_report();
  report.findings[0].silenced_by = "known.txt:1";
  report.fatal_kinds = {"race"};
  xml_reader xml(junit_of(report));
  EXPECT_TRUE(xml.is_well_formed());
  EXPECT_EQ(xml.count("failure"), 0u);
  EXPECT_EQ(xml.count("system-out"), 2u);
}

check_report report_of_program_that_stopped() {
  check_report report;
  report.program = "sum.cu";
  report.planned = 8;
  report.failure = "sum.cu:3: `mul24` is not supported & \"so\" on";
  return report;
}

TEST(unfinished_program, is_an_error_in_every_format) {
  const check_report report = report_of_program_that_stopped();
  EXPECT_EQ(json_of(report, "1")["failure"], report.failure);
  xml_reader xml(junit_of(report));
  EXPECT_TRUE(xml.is_well_formed()) << junit_of(report);
  EXPECT_EQ(xml.count("testcase"), all_kinds().size() + 1);
  EXPECT_EQ(xml.count("error"), 1u);
  const json invocation = sarif_of(report, "1", "")["runs"][0]["invocations"][0];
  EXPECT_FALSE(invocation["executionSuccessful"].get<bool>());
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["level"], "error");
  EXPECT_EQ(text_of(report, false).find("no findings"), std::string::npos);
}

}  // namespace
}  // namespace heddle_report
