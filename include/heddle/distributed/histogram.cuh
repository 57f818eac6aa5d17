// Counts how many values of all ranks fall into each bin.
//   strategy    device::histogram() on each rank; pairs of ranks add up the counters
//   needs       sm_75; MPI, or NCCL between GPUs
#pragma once
#include <heddle/device/histogram.cuh>
#include <heddle/distributed/records.cuh>

#include <cstdint>

namespace heddle::distributed {

// Counts the values of all ranks in bins of equal width (device::even_bins) or between edges
// (device::bin_edges), which must be the same on all ranks. Every rank gets all counts.
//   contract    that of the collectives in reduce.cuh, and for each part that of
//               device::histogram()
//   counts      in device memory, one for each bin; overwritten. A counter that overflows wraps
//               around
//   cost        device::histogram(), and the sum of all counters over the ranks: each rank sends
//               about twice their bytes, whatever the number of values
template <exchanges Ranks, device::readable Input, typename Bins, device::counts_values Counter>
void histogram(Ranks& ranks, device::workspace& workspace, const Input& input, std::int64_t count,
               const Bins& bins, Counter* counts,
               source_location where = source_location::current()) {
  device::histogram(workspace, input, count, bins, counts, device::histogram_output::set, where);
  sum_on_devices(ranks, workspace, counts, bins.count, where);
}

}  // namespace heddle::distributed
