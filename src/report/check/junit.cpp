// Writes the report as JUnit XML for build servers, with one test case for each kind of defect.
#include <fmt/core.h>

#include "markup/escaped.hpp"
#include "report/check/check_report.hpp"
#include "report/check/finding_words.hpp"
#include "report/check/kinds.hpp"

namespace heddle_report {
namespace {

using heddle::markup::escaped;

struct test_case {
  std::string body;
  bool fails = false;
};

test_case case_of(const defect_kind& kind, const check_report& what) {
  test_case made;
  std::string harmless;
  for (const merged_finding& one : what.findings) {
    if (one.first.kind != kind.kind) continue;
    if (what.is_fatal(one)) {
      made.fails = true;
      made.body +=
          fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", kind.name,
                      escaped(words_of(one.first).what), escaped(text_of(one, what)));
    } else {
      harmless +=
          one.silenced_by.empty() ? "" : fmt::format("suppressed by {}:\n", one.silenced_by);
      harmless += text_of(one, what);
    }
  }
  if (!harmless.empty()) {
    made.body += fmt::format("      <system-out>{}</system-out>\n", escaped(harmless));
  }
  return made;
}

}  // namespace

std::string junit_of(const check_report& what) {
  std::string cases;
  std::size_t failures = 0;
  for (const defect_kind& kind : all_kinds()) {
    const test_case one = case_of(kind, what);
    failures += one.fails;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"",
                         escaped(what.program), kind.name);
    cases += one.body.empty() ? "/>\n" : fmt::format(">\n{}    </testcase>\n", one.body);
  }
  const std::size_t errors = what.failure.empty() ? 0 : 1;
  if (errors != 0) {
    cases += fmt::format(
        "    <testcase classname=\"{0}\" name=\"runs to completion\" time=\"0\">\n"
        "      <error message=\"{1}\"/>\n    </testcase>\n",
        escaped(what.program), escaped(what.failure));
  }
  std::string notes;
  for (const std::string& note : what.notes) notes += escaped(note) + '\n';
  if (!notes.empty()) notes = fmt::format("    <system-out>{}</system-out>\n", notes);
  const std::size_t tests = all_kinds().size() + errors;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites tests=\"{0}\" failures=\"{1}\" errors=\"{6}\" time=\"{2:.3f}\">\n"
      "  <testsuite name=\"heddle check {3}\" tests=\"{0}\" failures=\"{1}\" errors=\"{6}\" "
      "skipped=\"0\" time=\"{2:.3f}\">\n{4}{5}  </testsuite>\n</testsuites>\n",
      tests, failures, what.seconds, escaped(what.program), cases, notes, errors);
}

}  // namespace heddle_report
