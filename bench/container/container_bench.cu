// What queue, stack and union-find cost, alone and against containers with a lock.
#include "container/container_contest.cuh"
#include "container/latency_cases.cuh"
#include "container/queue_cases.cuh"
#include "container/stack_cases.cuh"
#include "container/union_find_cases.cuh"

int main(int count, char** arguments) {
  heddle_bench::container_report rows(count, arguments, "container");
  heddle_bench::container_contest contest(
      rows,
      "M/s: millions of operations (push, pop, union) per second; median. Locks on a full GPU: "
      "with 256 threads per multiprocessor, which is faster for them");
  char columns[200];
  std::snprintf(columns, sizeof columns, "%-66s %-22s %10s %10s %8s   %s", "ours", "peer", "M/s",
                "peer", "ratio", "goal");
  rows.title(columns);
  heddle_bench::queue_cases(contest);
  heddle_bench::stack_cases(contest);
  heddle_bench::union_find_cases(contest);
  std::snprintf(columns, sizeof columns, "%-66s %-22s %9s %9s %10s   %9s %9s %11s",
                "cycles per call", "peer", "p50", "p99", "longest", "p50", "p99", "longest");
  rows.title(columns);
  heddle_bench::latency_cases(contest);
  rows.foot();
}
