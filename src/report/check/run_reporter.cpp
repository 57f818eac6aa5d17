// Implements the checker's interface to the reports.
#include "checker/run_reporter.hpp"

#include "report/check/run_files.hpp"

namespace heddle_report {
namespace {

class report_of_run final : public heddle_checker::run_reporter {
 public:
  void report_run(const heddle_checker::run_summary& run) override { write_run(run); }
  void report_new(const std::deque<heddle_host::finding>& findings, std::size_t first,
                  const std::string& findings_file) override {
    write_new_findings(findings, first, findings_file);
  }
  void report_stop(const std::string& sentence, const std::string& findings_file) override {
    write_stop(sentence, findings_file);
  }
  void report_progress(const std::string& kernel, std::uint64_t blocks_ended, std::uint64_t blocks,
                       const std::string& file) override {
    write_progress(kernel, blocks_ended, blocks, file);
  }
  void report_explored(const heddle_host::finding& what, const std::string& turns,
                       std::size_t number, const std::string& findings_file) override {
    write_explored(what, turns, number, findings_file);
  }
  void report_exploration(const heddle_checker::exploration_summary& what, bool is_last,
                          const std::string& findings_file) override {
    write_exploration(what, is_last, findings_file);
  }
};

}  // namespace
}  // namespace heddle_report

heddle_checker::run_reporter& heddle_checker::run_reporter::instance() {
  static heddle_report::report_of_run only;
  return only;
}
