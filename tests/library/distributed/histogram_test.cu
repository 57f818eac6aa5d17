// Histograms of values that are spread over ranks, against a plain loop over all values.
#include <heddle/distributed/histogram.cuh>

#include "distributed/parts.cuh"

namespace {
using namespace heddle_test;
namespace distributed = heddle::distributed;
using heddle::device::workspace;

template <typename Counter>
void expect_counts(std::int64_t bins) {
  workspace work;
  constexpr std::int64_t count = 20011;
  std::vector<std::uint32_t> all(count);
  std::vector<Counter> expected(bins, 0);
  for (std::int64_t i = 0; i < count; ++i) {
    // A tenth of the values are in no bin.
    all[i] = static_cast<std::uint32_t>(sample_bits(common_seed(), i) % (bins + bins / 10 + 1));
    if (all[i] < bins) ++expected[all[i]];
  }
  for_each_cut(count, common_seed(), [&](std::int64_t begin, std::int64_t end) {
    const device_array<std::uint32_t> values(piece_of(all, begin, end));
    const device_array<Counter> counts(bins);
    distributed::histogram(ranks(), work, values.data(), end - begin,
                           heddle::device::even_bins<std::int64_t>{0, bins, bins}, counts.data());
    EXPECT_EQ(counts.values(), expected) << bins << " bins";
  });
}

TEST(distributed_histogram, counts_the_values_of_all_ranks) {
  HEDDLE_NAME_COMMON_SEED();
  for (const std::int64_t bins : {1, 2, 100, 20000}) {
    expect_counts<std::uint32_t>(bins);
    expect_counts<unsigned long long>(bins);
  }
}

TEST(distributed_histogram, counts_between_edges) {
  workspace work;
  const device_array<float> edges(std::vector<float>{0, 1, 10});
  const device_array<float> values(std::vector<float>{-1, 0.5f, 3, 4, 10});
  const device_array<std::uint32_t> counts(2);
  distributed::histogram(ranks(), work, values.data(), 5,
                         heddle::device::bin_edges<float>{edges.data(), 2}, counts.data());
  const auto size = static_cast<std::uint32_t>(ranks().size());
  EXPECT_EQ(counts.values(), (std::vector<std::uint32_t>{size, 2 * size}));
}

}  // namespace

int main(int argc, char** argv) { return heddle_test::run_tests_on_ranks(argc, argv); }
