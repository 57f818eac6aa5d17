// What the hash map costs in bulk against its peers' figures, and with many lanes against locks.
#include "container/container_contest.cuh"
#include "container/map_bulk_cases.cuh"
#include "container/map_contention_cases.cuh"

int main(int count, char** arguments) {
  heddle_bench::container_report rows(count, arguments, "hash_map");
  heddle_bench::container_contest contest(
      rows, "M/s: millions of keys per second, median. All results are checked.");
  char columns[200];
  std::snprintf(columns, sizeof columns, "%-66s %-22s %10s %10s %8s   %s", "ours", "peer", "M/s",
                "peer", "ratio", "goal");
  rows.title(columns);
  heddle_bench::map_bulk_cases(contest);
  heddle_bench::map_contention_cases(contest);
  rows.foot();
}
