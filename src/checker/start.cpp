// Starts the checker before the program's own static objects are constructed.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <heddle_host/fault.hpp>
#include <heddle_host/program_stop.hpp>
#include <heddle_host/ran_code.hpp>
#include <heddle_host/run_policy.hpp>

#include "checker/checker.hpp"
#include "checker/program_note.hpp"
#include "checker/run_reporter.hpp"
#include "checker/settings.hpp"

namespace heddle_checker {

// Every hook refers to this variable, so every checked program links this file from the archive.
checker* checker_in_force = nullptr;

extern const program_note note_of_checked_program;
[[gnu::section(".note.heddle"), gnu::used]] alignas(4) const program_note note_of_checked_program{
    {sizeof note_name, sizeof note_version, note_type}, "heddle", note_version};

namespace {

// `heddle check` reports why a program had to stop. Without it, the program prints the reason.
bool report_stop(const std::string& sentence) {
  value_probe& probe = checker_in_force->run().probe;
  if (probe.is_rerun()) probe.differ();
  const std::string file = read_settings(std::getenv("HEDDLE_CHECK")).findings_file;
  if (file.empty()) return false;
  run_reporter::instance().report_stop(sentence, file);
  return true;
}

void stop_threads_that_wait() {
  const char* const sentence = "all host threads wait for each other";
  std::fflush(stdout);
  if (!report_stop(sentence)) std::fprintf(stderr, "heddle: %s\n", sentence);
  std::_Exit(2);
}

// Ends the program after this much processor time. Its findings so far are in the file.
void limit_time(const settings& how) {
  if (how.findings_file.empty() || how.schedule == "exhaustive" || how.budget == 0) return;
  constexpr rlim_t until_killed = 5;  // if the program ignores the first signal
  const rlimit limit{how.budget, how.budget + until_killed};
  setrlimit(RLIMIT_CPU, &limit);
}

// Runs early because the runtime must know the checker before its first grid. The checker is never
// destroyed, because accesses may still come while the program exits.
[[gnu::constructor(200)]] void begin_checking() {
  try {
    const settings how = read_settings(std::getenv("HEDDLE_CHECK"));
    heddle_host::set_policy(heddle_host::checked_policy);
    begin_host_threads();
    threads_in_force->when_all_wait(stop_threads_that_wait);
    checker_in_force = new checker(how);
    heddle_host::keep_ran_code(how.ran_code_folder);
    limit_time(how);
    heddle_host::observe(checker_in_force);
    heddle_host::offer_parts(checker_in_force);
    heddle_host::listen_to_findings(
        [](const heddle_host::finding& what) { checker_in_force->hear(what); });
    heddle_host::listen_to_stops(report_stop);
    std::atexit([] { checker_in_force->finish(); });
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "heddle: %s\n", failure.what());
    std::_Exit(2);
  }
}

}  // namespace

}  // namespace heddle_checker
