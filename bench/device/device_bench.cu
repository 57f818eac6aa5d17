// What the device-wide algorithms cost against CUB's, in one run.
#include "support/device_contest.cuh"

#include "device/floor_cases.cuh"
#include "device/histogram_cases.cuh"
#include "device/reduce_cases.cuh"
#include "device/scan_cases.cuh"
#include "device/segment_cases.cuh"
#include "device/segmented_sum_cases.cuh"
#include "device/sort_cases.cuh"
#include "device/sweep_cases.cuh"

int main(int count, char** arguments) {
  heddle_bench::device_report rows(count, arguments, "device");
  heddle_bench::device_contest contest(rows);
  if (rows.is_sweep()) {
    heddle_bench::sweep(contest).run();
  } else {
    heddle_bench::device_floor_cases(contest);
    heddle_bench::device_reduce_cases(contest);
    heddle_bench::device_scan_cases(contest);
    heddle_bench::device_segmented_sum_cases(contest);
    heddle_bench::device_segment_cases(contest);
    heddle_bench::device_histogram_cases(contest);
    heddle_bench::device_sort_cases(contest);
  }
  rows.foot();
}
