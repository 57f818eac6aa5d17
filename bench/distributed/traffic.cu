// Calls one collective TIMES times; measure-traffic counts from outside what it sends.
// Usage: traffic COLLECTIVE TIMES.
#include <heddle/distributed/arg.cuh>
#include <heddle/distributed/histogram.cuh>
#include <heddle/distributed/on_devices.hpp>
#include <heddle/distributed/run_ranks.hpp>
#include <heddle/distributed/scan.cuh>
#include <heddle/distributed/segmented_scan.cuh>
#include <heddle/distributed/sum.cuh>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {
namespace distributed = heddle::distributed;

// Device memory filled with one value.
template <typename T>
class filled {
 public:
  filled(std::int64_t count, T value) {
    const std::vector<T> values(static_cast<std::size_t>(count), value);
    heddle::check(cudaMalloc(&memory_, sizeof(T) * values.size()));
    heddle::check(cudaMemcpy(memory_, values.data(), sizeof(T) * values.size(), cudaMemcpyDefault));
  }
  ~filled() { cudaFree(memory_); }
  filled(const filled&) = delete;
  filled& operator=(const filled&) = delete;
  T* data() const { return memory_; }

 private:
  T* memory_ = nullptr;
};

int run(distributed::communicator& ranks, const std::string& name, int times) {
  constexpr std::int64_t count = 1000, bins = 65536;
  heddle::device::workspace work;
  const filled<double> input(count, 0.5), output(count, 0), result(1, 0);
  const filled<std::int32_t> keys(count, 7);
  const filled<std::uint32_t> counters(bins, 0);
  const filled<heddle::device::indexed<double, std::int64_t>> extreme(1, {});
  const double* const values = input.data();
  const std::map<std::string, std::function<void()>> collectives{
      {"sum", [&] { distributed::sum(ranks, work, values, count, result.data()); }},
      {"compensated_sum",
       [&] { distributed::compensated_sum(ranks, work, values, count, result.data()); }},
      {"reproducible_sum",
       [&] { distributed::reproducible_sum(ranks, work, values, count, result.data()); }},
      {"arg_max", [&] { distributed::arg_max(ranks, work, values, count, extreme.data()); }},
      {"inclusive_scan",
       [&] { distributed::inclusive_scan(ranks, work, values, output.data(), count); }},
      {"inclusive_scan_by_key",
       [&] {
         distributed::inclusive_scan_by_key(ranks, work, keys.data(), values, output.data(), count);
       }},
      {"histogram",
       [&] {
         distributed::histogram(ranks, work, values, count,
                                heddle::device::even_bins<double>{0, 1, bins}, counters.data());
       }},
      {"ring",
       [&] {
         // Sends a list of 1000 bytes to the next rank.
         std::vector<std::vector<char>> lists(static_cast<std::size_t>(ranks.size()));
         lists[static_cast<std::size_t>((ranks.rank() + 1) % ranks.size())].resize(1000);
         static_cast<void>(ranks.all_to_all(distributed::lists<char>(lists)));
       }},
  };
  const auto found = collectives.find(name);
  if (found == collectives.end()) throw heddle::error("unknown collective " + name);
  for (int i = 0; i < times; ++i) found->second();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: traffic COLLECTIVE TIMES\n");
    return 2;
  }
  const std::string name = argv[1];
  const int times = std::atoi(argv[2]);
  return distributed::run_ranks(
      &argc, &argv, [&](distributed::communicator& ranks) { return run(ranks, name, times); });
}
