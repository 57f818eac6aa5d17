// How many tasks per second the scheduler runs, and how busy it keeps the device.
#include "task/task_cases.cuh"

int main(int count, char** arguments) {
  heddle_bench::task_report rows(count, arguments);
  heddle_bench::task_contest contest(rows);
  heddle_bench::task_cases(contest);
  rows.foot();
}
