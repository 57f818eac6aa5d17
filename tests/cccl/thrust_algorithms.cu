// Thrust's common algorithms and iterators on device vectors.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>

#include "expect.hpp"

using device_ints = thrust::device_vector<int>;

std::vector<int> read(const device_ints& values, std::size_t count) {
  std::vector<int> host(count);
  thrust::copy(values.begin(), values.begin() + count, host.begin());
  return host;
}
std::vector<int> read(const device_ints& values) { return read(values, values.size()); }

struct square {
  __host__ __device__ int operator()(int value) const { return value * value; }
};
struct is_odd {
  __host__ __device__ bool operator()(int value) const { return value % 2 != 0; }
};
struct add_both {
  template <typename Pair>
  __host__ __device__ int operator()(const Pair& pair) const {
    return thrust::get<0>(pair) + thrust::get<1>(pair);
  }
};

void test_transforms(const std::vector<int>& host) {
  const device_ints values(host.begin(), host.end());
  device_ints results(values.size());
  thrust::transform(values.begin(), values.end(), results.begin(), square());
  std::vector<int> wanted(host.size());
  std::transform(host.begin(), host.end(), wanted.begin(), square());
  expected::equal("transform", read(results), wanted);
  const auto pairs = thrust::make_zip_iterator(values.begin(), thrust::counting_iterator<int>(100));
  thrust::transform(pairs, pairs + values.size(), results.begin(), add_both());
  for (std::size_t i = 0; i < host.size(); ++i) wanted[i] = host[i] + static_cast<int>(i) + 100;
  expected::equal("transform of zipped iterators", read(results), wanted);
  thrust::sequence(results.begin(), results.end(), 5, 3);
  for (std::size_t i = 0; i < host.size(); ++i) wanted[i] = 5 + 3 * static_cast<int>(i);
  expected::equal("sequence", read(results), wanted);
  thrust::tabulate(results.begin(), results.end(), square());
  for (std::size_t i = 0; i < host.size(); ++i) wanted[i] = square()(static_cast<int>(i));
  expected::equal("tabulate", read(results), wanted);
  thrust::fill(results.begin(), results.end(), 7);
  expected::equal("fill", read(results), std::vector<int>(host.size(), 7));
}

void test_reductions(const std::vector<int>& host) {
  const device_ints values(host.begin(), host.end());
  expected::equal("reduce", thrust::reduce(values.begin(), values.end()),
                  std::accumulate(host.begin(), host.end(), 0));
  expected::equal("reduce with max",
                  thrust::reduce(values.begin(), values.end(), -9999, thrust::maximum<int>()),
                  *std::max_element(host.begin(), host.end()));
  expected::equal(
      "transform_reduce",
      thrust::transform_reduce(values.begin(), values.end(), square(), 0, thrust::plus<int>()),
      std::inner_product(host.begin(), host.end(), host.begin(), 0));
  expected::equal("inner_product",
                  thrust::inner_product(values.begin(), values.end(), values.begin(), 0),
                  std::inner_product(host.begin(), host.end(), host.begin(), 0));
  expected::equal("count_if",
                  static_cast<int>(thrust::count_if(values.begin(), values.end(), is_odd())),
                  static_cast<int>(std::count_if(host.begin(), host.end(), is_odd())));
  expected::equal(
      "max_element",
      static_cast<int>(thrust::max_element(values.begin(), values.end()) - values.begin()),
      static_cast<int>(std::max_element(host.begin(), host.end()) - host.begin()));
  expected::equal(
      "find",
      static_cast<int>(thrust::find(values.begin(), values.end(), host[3]) - values.begin()),
      static_cast<int>(std::find(host.begin(), host.end(), host[3]) - host.begin()));
  const auto squares = thrust::make_transform_iterator(values.begin(), square());
  expected::equal("reduce of a transform_iterator",
                  thrust::reduce(squares, squares + values.size()),
                  std::inner_product(host.begin(), host.end(), host.begin(), 0));
}

void test_scans(const std::vector<int>& host) {
  const device_ints values(host.begin(), host.end());
  device_ints results(values.size());
  std::vector<int> wanted(host.size());
  thrust::inclusive_scan(values.begin(), values.end(), results.begin());
  std::partial_sum(host.begin(), host.end(), wanted.begin());
  expected::equal("inclusive_scan", read(results), wanted);
  thrust::exclusive_scan(values.begin(), values.end(), results.begin(), 10);
  for (std::size_t i = wanted.size() - 1; i > 0; --i) wanted[i] = wanted[i - 1] + 10;
  wanted[0] = 10;
  expected::equal("exclusive_scan", read(results), wanted);
}

void test_sorts(const std::vector<int>& host) {
  device_ints keys(host.begin(), host.end()), places(host.size());
  thrust::sequence(places.begin(), places.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), places.begin());
  std::vector<int> order(host.size()), sorted = host;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host[a] < host[b]; });
  std::sort(sorted.begin(), sorted.end());
  expected::equal("stable_sort_by_key's keys", read(keys), sorted);
  expected::equal("stable_sort_by_key's values", read(places), order);
  device_ints descending(host.begin(), host.end());
  thrust::sort(descending.begin(), descending.end(), thrust::greater<int>());
  expected::equal("sort", read(descending), std::vector<int>(sorted.rbegin(), sorted.rend()));

  device_ints unique = keys;
  unique.resize(thrust::unique(unique.begin(), unique.end()) - unique.begin());
  std::vector<int> different = sorted;
  different.erase(std::unique(different.begin(), different.end()), different.end());
  expected::equal("unique", read(unique), different);

  device_ints ones(keys.size()), runs(keys.size()), counts(keys.size());
  const auto ends = thrust::reduce_by_key(
      keys.begin(), keys.end(), thrust::constant_iterator<int>(1), runs.begin(), counts.begin());
  std::vector<int> wanted_counts;
  for (const int value : different)
    wanted_counts.push_back(static_cast<int>(std::count(host.begin(), host.end(), value)));
  expected::equal("reduce_by_key's keys", read(runs, ends.first - runs.begin()), different);
  expected::equal("reduce_by_key's values", read(counts, ends.second - counts.begin()),
                  wanted_counts);

  device_ints bounds(host.size());
  const device_ints queries(host.begin(), host.end());
  thrust::lower_bound(keys.begin(), keys.end(), queries.begin(), queries.end(), bounds.begin());
  std::vector<int> wanted;
  for (const int value : host)
    wanted.push_back(
        static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin()));
  expected::equal("lower_bound", read(bounds), wanted);

  device_ints merged(2 * keys.size());
  thrust::merge(keys.begin(), keys.end(), unique.begin(), unique.end(), merged.begin());
  std::vector<int> both(sorted.size() + different.size());
  std::merge(sorted.begin(), sorted.end(), different.begin(), different.end(), both.begin());
  expected::equal("merge", read(merged, both.size()), both);
  const auto end = thrust::set_difference(keys.begin(), keys.end(), unique.begin(), unique.end(),
                                          merged.begin());
  std::vector<int> rest;
  std::set_difference(sorted.begin(), sorted.end(), different.begin(), different.end(),
                      std::back_inserter(rest));
  expected::equal("set_difference", read(merged, end - merged.begin()), rest);
}

void test_selections(const std::vector<int>& host) {
  const device_ints values(host.begin(), host.end());
  device_ints chosen(values.size());
  chosen.resize(thrust::copy_if(values.begin(), values.end(), chosen.begin(), is_odd()) -
                chosen.begin());
  std::vector<int> odd, even;
  for (const int value : host) (is_odd()(value) ? odd : even).push_back(value);
  expected::equal("copy_if", read(chosen), odd);
  device_ints parts = values;
  thrust::stable_partition(parts.begin(), parts.end(), is_odd());
  std::vector<int> wanted = odd;
  wanted.insert(wanted.end(), even.begin(), even.end());
  expected::equal("stable_partition", read(parts), wanted);
  device_ints left = values;
  left.erase(thrust::remove_if(left.begin(), left.end(), is_odd()), left.end());
  expected::equal("remove_if", read(left), even);
  device_ints replaced = values;
  thrust::replace_if(replaced.begin(), replaced.end(), is_odd(), -1);
  wanted = host;
  std::replace_if(wanted.begin(), wanted.end(), is_odd(), -1);
  expected::equal("replace_if", read(replaced), wanted);
}

void test_permutations(const std::vector<int>& host) {
  const device_ints values(host.begin(), host.end());
  std::vector<int> order(host.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  const device_ints map(order.begin(), order.end());
  device_ints gathered(host.size()), scattered(host.size());
  thrust::gather(map.begin(), map.end(), values.begin(), gathered.begin());
  thrust::scatter(values.begin(), values.end(), map.begin(), scattered.begin());
  std::vector<int> wanted_gathered, wanted_scattered(host.size());
  for (std::size_t i = 0; i < host.size(); ++i) {
    wanted_gathered.push_back(host[order[i]]);
    wanted_scattered[order[i]] = host[i];
  }
  expected::equal("gather", read(gathered), wanted_gathered);
  expected::equal("scatter", read(scattered), wanted_scattered);
  const auto permuted = thrust::make_permutation_iterator(values.begin(), map.begin());
  expected::equal("reduce of a permutation_iterator",
                  thrust::reduce(permuted, permuted + host.size()),
                  std::accumulate(host.begin(), host.end(), 0));
  thrust::host_vector<int> back = values;
  expected::equal("host_vector", std::vector<int>(back.begin(), back.end()), host);
}

int main() {
  for (const std::size_t count : {5, 3000}) {
    const auto host = expected::numbers<int>(count, -100, 100, static_cast<unsigned>(count));
    test_transforms(host);
    test_reductions(host);
    test_scans(host);
    test_sorts(host);
    test_selections(host);
    test_permutations(host);
  }
  return expected::report();
}
