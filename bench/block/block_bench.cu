// What the block-wide collectives cost against CUB and the textbook two-level version, in one run.
#include "block/other_cases.cuh"
#include "block/reduce_cases.cuh"
#include "block/scan_cases.cuh"
#include "support/contest.cuh"

int main(int count, char** arguments) {
  heddle_bench::report rows(count, arguments, "block");
  heddle_bench::contest contest(rows);
  heddle_bench::reduce_cases(contest);
  heddle_bench::scan_cases(contest);
  heddle_bench::other_cases(contest);
  rows.foot();
}
