// Collectives over NCCL with a single rank, which needs one GPU and no MPI.
#include <heddle/distributed/arg.cuh>
#include <heddle/distributed/histogram.cuh>
#include <heddle/distributed/nccl_link.hpp>
#include <heddle/distributed/reduce.cuh>
#include <heddle/distributed/scan.cuh>
#include <heddle/distributed/sum.cuh>

#include <numeric>
#include <vector>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
namespace distributed = heddle::distributed;
using distributed::nccl_communicator;
using heddle::device::workspace;

TEST(distributed_nccl, moves_the_bytes_of_its_only_rank) {
  nccl_communicator alone(nccl_communicator::new_id(), 0, 1);
  workspace work;
  const device_array<int> mine(std::vector<int>{3, 1, 4}), all(3);
  gather_on_devices(alone, work, mine.data(), all.data(), 3 * sizeof(int));
  EXPECT_EQ(all.values(), mine.values());
  const device_array<std::int64_t> numbers(std::vector<std::int64_t>{-5, 1ll << 40});
  sum_on_devices(alone, work, numbers.data(), 2);
  EXPECT_EQ(numbers.values(), (std::vector<std::int64_t>{-5, 1ll << 40}));
}

TEST(distributed_nccl, carries_every_collective) {
  nccl_communicator alone(nccl_communicator::new_id(), 0, 1);
  workspace work;
  std::vector<double> values(10000);
  std::iota(values.begin(), values.end(), 1.0);
  const device_array<double> input(values), output(values.size()), result(1);
  const auto count = static_cast<std::int64_t>(values.size());
  distributed::sum(alone, work, input.data(), count, result.data());
  EXPECT_EQ(result.values()[0], 50005000);
  distributed::compensated_sum(alone, work, input.data(), count, result.data());
  EXPECT_EQ(result.values()[0], 50005000);
  distributed::reproducible_sum(alone, work, input.data(), count, result.data());
  EXPECT_EQ(result.values()[0], 50005000);
  const device_array<heddle::device::indexed<double, std::int64_t>> largest(1);
  distributed::arg_max(alone, work, input.data(), count, largest.data());
  EXPECT_EQ(largest.values()[0].index, 9999);
  distributed::inclusive_scan(alone, work, static_cast<const double*>(input.data()), output.data(),
                              count);
  EXPECT_EQ(output.values()[9999], 50005000);
  const device_array<std::uint32_t> counts(10);
  distributed::histogram(alone, work, input.data(), count,
                         heddle::device::even_bins<double>{0, 10000, 10}, counts.data());
  EXPECT_EQ(counts.values()[5], 1000u);
}

TEST(distributed_nccl, reports_nccl_errors) {
  EXPECT_THROW(nccl_communicator(nccl_communicator::new_id(), 5, 1), distributed::rank_error);
}

}  // namespace
