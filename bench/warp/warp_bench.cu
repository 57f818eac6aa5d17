// What the warp collectives cost against shuffle loops, CUB and cooperative groups, in one run.
#include "support/contest.cuh"
#include "warp/atomic_cases.cuh"
#include "warp/group_cases.cuh"
#include "warp/order_cases.cuh"
#include "warp/reduce_cases.cuh"
#include "warp/scan_cases.cuh"
#include "warp/segment_cases.cuh"
#include "warp/sum_cases.cuh"
#include "warp/top_k_cases.cuh"
#include "warp/vote_cases.cuh"

int main(int count, char** arguments) {
  heddle_bench::report rows(count, arguments, "warp");
  heddle_bench::contest contest(rows);
  heddle_bench::reduce_cases(contest);
  heddle_bench::sum_cases(contest);
  heddle_bench::scan_cases(contest);
  heddle_bench::order_cases(contest);
  heddle_bench::top_k_cases(contest);
  heddle_bench::segment_cases(contest);
  heddle_bench::vote_cases(contest);
  heddle_bench::atomic_cases(contest);
  heddle_bench::group_cases(contest);
  rows.foot();
}
