// Rows of the scheduler's bench: tasks per second, the busy share of the workers, and the goals.
#pragma once
#include <heddle/task/report.cuh>

#include <cstdio>
#include <string>

#include "support/asked_rows.hpp"
#include "support/machine.hpp"

namespace heddle_bench {

// What one setting achieves.
struct task_figures {
  double nanoseconds = 0;  // kernel time, of the slowest worker; median
  heddle::task::report run;
};
// What it should achieve; 0: no goal.
struct task_goal {
  double tasks_per_second = 0;
  double busy_share = 0;
};

class task_report : public asked_rows {
 public:
  using asked_rows::asked_rows;

  void head(const machine& here) const {
    print_machine(here, "task", is_json_);
    if (is_json_) return;
    std::printf("busy: the share of the workers' total time in which they have tasks\n");
    std::printf("lanes: per group, on average; steals and published: in batches\n");
    std::printf("%-44s %-26s %12s %9s %9s %7s %6s %10s %10s   %s\n", "case", "grid", "tasks", "ms",
                "G/s", "busy", "lanes", "published", "steals", "goal");
  }

  void row(const std::string& what, const std::string& grid, const task_figures& figures,
           task_goal goal, bool is_right) {
    const auto total = figures.run.total();
    const auto tasks = static_cast<double>(total.tasks);
    const double per_nanosecond = tasks / figures.nanoseconds;
    const double busy = figures.run.busy_share();
    const double lanes = tasks / static_cast<double>(total.groups);
    const bool is_missed =
        !is_right || per_nanosecond * 1e9 < goal.tasks_per_second || busy < goal.busy_share;
    missed_ += is_missed;
    if (is_json_) {
      std::printf(
          "{\"case\": \"%s\", \"grid\": \"%s\", \"tasks\": %.0f, \"ms\": %.4g, "
          "\"tasks_per_ns\": %.4g, \"busy_share\": %.4g, \"lanes_per_group\": %.4g, "
          "\"published\": %llu, \"steals\": %llu, \"goal_tasks_per_ns\": %.4g, "
          "\"goal_busy_share\": %.4g, \"is_right\": %s}\n",
          what.c_str(), grid.c_str(), tasks, figures.nanoseconds * 1e-6, per_nanosecond, busy,
          lanes, static_cast<unsigned long long>(total.published),
          static_cast<unsigned long long>(total.steals), goal.tasks_per_second * 1e-9,
          goal.busy_share, is_right ? "true" : "false");
    } else {
      char wanted[64] = "";
      if (goal.tasks_per_second > 0) {
        std::snprintf(wanted, sizeof wanted, ">= %.3g G/s", goal.tasks_per_second * 1e-9);
      } else if (goal.busy_share > 0) {
        std::snprintf(wanted, sizeof wanted, ">= %.0f%% busy", 100 * goal.busy_share);
      }
      std::printf("%-44s %-26s %12.0f %9.3f %9.3f %6.1f%% %6.1f %10llu %10llu   %s%s%s\n",
                  what.c_str(), grid.c_str(), tasks, figures.nanoseconds * 1e-6, per_nanosecond,
                  100 * busy, lanes, static_cast<unsigned long long>(total.published),
                  static_cast<unsigned long long>(total.steals), wanted,
                  is_missed ? "  missed" : "", is_right ? "" : "  WRONG");
    }
    std::fflush(stdout);
  }

  void foot() const {
    if (!is_json_) std::printf("%d goals missed\n", missed_);
  }

 private:
  int missed_ = 0;
};

}  // namespace heddle_bench
