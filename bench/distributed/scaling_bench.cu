// How collectives scale from one rank to all, in one run: the first rank alone and all ranks
// together take turns. Usage: scaling_bench [ELEMENTS], the number for one rank.
#include <heddle/distributed/histogram.cuh>
#include <heddle/distributed/on_devices.hpp>
#include <heddle/distributed/run_ranks.hpp>
#include <heddle/distributed/scan.cuh>
#include <heddle/distributed/sum.cuh>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>

namespace {
namespace distributed = heddle::distributed;
using distributed::communicator;

// The best of several turns. A turn lasts from a barrier until the last rank is done.
class stopwatch {
 public:
  void take(communicator& ranks, const std::function<void()>& work) {
    ranks.barrier();
    const auto begin = std::chrono::steady_clock::now();
    work();
    heddle::check(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> own = std::chrono::steady_clock::now() - begin;
    const double last =
        ranks.all_reduce(own.count(), [](double a, double b) { return std::max(a, b); });
    best_ = std::min(best_, last);
  }
  [[nodiscard]] double milliseconds() const { return best_; }

 private:
  double best_ = std::numeric_limits<double>::max();
};

struct data {
  explicit data(std::int64_t count) : count(count) {
    const std::vector<float> values(static_cast<std::size_t>(count), 0.5f);
    const std::size_t bytes = sizeof(float) * values.size();
    heddle::check(cudaMalloc(&input, bytes));
    heddle::check(cudaMalloc(&output, bytes));
    heddle::check(cudaMalloc(&counters, bins * sizeof(std::uint32_t)));
    heddle::check(cudaMemcpy(input, values.data(), bytes, cudaMemcpyDefault));
    heddle::check(cudaMemset(output, 0, bytes));
  }
  static constexpr std::int64_t bins = 256;
  std::int64_t count;
  float* input = nullptr;
  float* output = nullptr;
  std::uint32_t* counters = nullptr;
};

using collective = void (*)(communicator&, heddle::device::workspace&, const data&, std::int64_t);

void add(communicator& ranks, heddle::device::workspace& work, const data& all,
         std::int64_t count) {
  distributed::sum(ranks, work, all.input, count, all.output);
}
void add_reproducibly(communicator& ranks, heddle::device::workspace& work, const data& all,
                      std::int64_t count) {
  distributed::reproducible_sum(ranks, work, all.input, count, all.output);
}
void scan(communicator& ranks, heddle::device::workspace& work, const data& all,
          std::int64_t count) {
  distributed::inclusive_scan(ranks, work, static_cast<const float*>(all.input), all.output, count);
}
void count_values(communicator& ranks, heddle::device::workspace& work, const data& all,
                  std::int64_t count) {
  distributed::histogram(ranks, work, all.input, count,
                         heddle::device::even_bins<float>{0, 1, data::bins}, all.counters);
}

int run(communicator& ranks, std::int64_t elements) {
  constexpr int turns = 9;
  communicator self(MPI_COMM_SELF);
  heddle::device::workspace work;
  const data mine(elements);
  const int size = ranks.size();
  if (ranks.rank() == 0) {
    std::printf(
        "| %lld floats | 1 rank, ms | strong: %d ranks, ms | speed-up | weak: %d ranks, ms | "
        "efficiency |\n|---|---|---|---|---|---|\n",
        static_cast<long long>(elements), size, size);
  }
  struct named {
    const char* name;
    collective call;
  };
  for (const auto& [name, call] :
       {named{"sum", &add}, named{"reproducible_sum", &add_reproducibly},
        named{"inclusive_scan", &scan}, named{"histogram", &count_values}}) {
    stopwatch alone, strong, weak;
    for (int turn = 0; turn < turns; ++turn) {
      alone.take(ranks, [&] {
        if (ranks.rank() == 0) call(self, work, mine, elements);
      });
      const std::int64_t begin = elements * ranks.rank() / size;
      const std::int64_t end = elements * (ranks.rank() + 1) / size;
      strong.take(ranks, [&] { call(ranks, work, mine, end - begin); });
      weak.take(ranks, [&] { call(ranks, work, mine, elements); });
    }
    if (ranks.rank() == 0) {
      std::printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f |\n", name, alone.milliseconds(),
                  strong.milliseconds(), alone.milliseconds() / strong.milliseconds(),
                  weak.milliseconds(), alone.milliseconds() / weak.milliseconds());
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t elements = argc > 1 ? std::atoll(argv[1]) : std::int64_t{1} << 24;
  return distributed::run_ranks(&argc, &argv, [&](communicator& ranks) {
    if (elements < ranks.size()) throw heddle::error("each rank needs at least one element");
    return run(ranks, elements);
  });
}
