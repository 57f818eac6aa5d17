// Runs every kernel of the experiments once, with small inputs, for tools that count: ncu on a GPU,
// `heddle profile` without one.
#include "support/calls.cuh"
// After the header that turns preconditions off.
#include <heddle/container/stack.cuh>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "container/locked_stack.cuh"
#include "container/traffic.cuh"
#include "experiments/array_sums.cuh"
#include "experiments/branches.cuh"
#include "experiments/locked_counts.cuh"
#include "experiments/operations.cuh"
#include "experiments/tickets.cuh"
#include "experiments/warp_sums.cuh"
#include "support/device.cuh"
#include "warp/voted_branches.cuh"

namespace heddle_bench {
namespace {

constexpr int blocks = 2;
constexpr int rounds = 4;
constexpr std::size_t threads = blocks * warp_bench_threads;
using feed = number_feed<float>;

// The result of every thread after its calls.
template <typename Feed, typename Collective>
std::vector<float> call() {
  const device_array<float> results(threads);
  const device_array<long long> cycles(1);
  call_in_all_threads<warp_bench_threads, Feed, Collective>
      <<<blocks, warp_bench_threads>>>(heddle::all_lanes, rounds, results.data(), cycles.data());
  check(cudaGetLastError());
  return results.values(threads);
}

// Calls all variants; their results must agree with the first one's.
template <typename Feed, typename First, typename... Others>
void call_each() {
  const std::vector<float> wanted = call<Feed, First>();
  const std::vector<float> found[] = {wanted, call<Feed, Others>()...};
  for (const std::vector<float>& results : found) {
    for (std::size_t i = 0; i < threads; ++i) {
      check(Feed::agree(results[i], wanted[i]), "the variants give different results");
    }
  }
}

void sum_array(void (*kernel)(const float*, unsigned, float*)) {
  constexpr std::size_t count = std::size_t{1} << 15;
  const std::vector<float> ones(count, 1.0f);
  const device_array<float> values(count), sums(threads);
  check(cudaMemcpy(values.data(), ones.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  kernel<<<blocks, warp_bench_threads>>>(values.data(), unsigned{count}, sums.data());
  check(cudaGetLastError());
  for (const float sum : sums.values(threads)) {
    check(sum == static_cast<float>(count / threads), "the sum of an array is wrong");
  }
}

template <typename Draw>
void draw() {
  const device_array<ticket> counter(1), sums(threads);
  check(cudaMemset(counter.data(), 0, sizeof(ticket)));
  draw_tickets<Draw><<<blocks, warp_bench_threads>>>(counter.data(), 1, rounds, sums.data());
  check(cudaGetLastError());
  ticket sum = 0;
  for (const ticket one : sums.values(threads)) sum += one;
  constexpr ticket drawn = threads * rounds;
  check(sum == drawn / 2 * (drawn - 1), "tickets were lost or drawn twice");
}

template <typename Count>
void count() {
  const device_array<locked_counter> counter(1);
  check(cudaMemset(counter.data(), 0, sizeof(locked_counter)));
  count_up<Count><<<blocks, warp_bench_threads>>>(counter.data(), rounds);
  check(cudaGetLastError());
  check(counter.values(1)[0].count == threads * rounds, "a counter is wrong");
}

template <typename Container, bool together>
void push_and_pop_all() {
  const Container container(2 * threads);
  const device_array<popped_sum> sums(threads);
  push_and_pop<together>
      <<<blocks, warp_bench_threads>>>(container.view(), unsigned{rounds}, sums.data());
  check(cudaGetLastError());
  popped_sum sum = 0;
  for (const popped_sum one : sums.values(threads)) sum += one;
  constexpr popped_sum pushed = threads * rounds;
  check(sum == pushed / 2 * (pushed - 1), "a value was lost or duplicated");
}

template <typename... Operations>
void flood() {
  constexpr int flood_threads = 1024;
  const device_array<unsigned> values(flood_threads);
  const device_array<long long> cycles(1);
  check(cudaMemset(values.data(), 0, flood_threads * sizeof(unsigned)));
  (flood_operations<Operations>
   <<<1, flood_threads>>>(heddle::all_lanes, 8 * rounds, values.data(), cycles.data()),
   ...);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

template <int period>
void vote_on() {
  call_each<feed, parted<period>, voted<period>, parted<period, true>, voted<period, true>>();
  call_each<feed, lone<period>, skipped<period>, lone<period, true>, skipped<period, true>>();
}

void count_experiments() {
  using first_lane_feed = number_feed<float, 32, 32>;
  call_each<feed, sum_by_xor, sum_by_shared_exchange, sum_by_shared_tree, sum_by_shared_reading,
            sum_by_down_and_broadcast, sum_by_rolled_xor>();
  call_each<first_lane_feed, sum_by_xor, sum_by_down>();
  sum_array(sum_unrolled<1>);
  sum_array(sum_unrolled<8>);
  sum_array(sum_grid_stride<8>);
  call_each<feed, branches_in<1>, choices_in<1>>();
  call_each<feed, branches_in<2>, choices_in<2>>();
  call_each<feed, branches_in<4>, choices_in<4>>();
  call_each<feed, branches_in<8>, choices_in<8>>();
  call_each<feed, branches_in<16>, choices_in<16>>();
  call_each<feed, short_and_long, short_and_long_loop>();
  vote_on<1>();
  vote_on<2>();
  vote_on<32>();
  vote_on<0>();
  draw<plain_ticket>();
  draw<joined_ticket>();
  draw<matched_ticket>();
  count<count_by_addition>();
  count<count_by_exchange>();
  count<count_under_lock>();
  push_and_pop_all<heddle::container::stack<std::uint32_t>, false>();
  push_and_pop_all<locked_stack<std::uint32_t>, false>();
  push_and_pop_all<heddle::container::stack<std::uint32_t>, true>();
  push_and_pop_all<locked_stack<std::uint32_t>, true>();
  flood<multiply_and_add, shuffle_by_xor, vote_ballot, vote_any, match_any, match_all, reduce_add,
        synchronise_warp, synchronise_block>();
}

}  // namespace
}  // namespace heddle_bench

int main() {
  heddle_bench::count_experiments();
  std::puts("all results are right");
}
