// Queues and stacks with any number of operations: nothing is lost, duplicated or torn.
//
// HEDDLE_STRESS is the number of operations of the largest case; the others take a share of it. No
// memory is needed per value, so 10^9 operations are possible.
#include <heddle/container/queue.cuh>
#include <heddle/container/stack.cuh>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "container/pushes_and_pops.cuh"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_mask;
using heddle::container::passing;
using heddle::container::queue;
using heddle::container::stack;
using word = unsigned long long;

// Distinguishes a set of numbers from any other that a fault could produce: a lost number, or one
// duplicated in place of another, changes the mixed sum.
struct fingerprint {
  word count, sum, mixed_sum, mixed_xor;

  __host__ __device__ void take(word number) {
    const word mixed = sample_bits(0, number);
    ++count;
    sum += number;
    mixed_sum += mixed;
    mixed_xor ^= mixed;
  }
  bool operator==(const fingerprint&) const = default;
};
std::ostream& operator<<(std::ostream& out, const fingerprint& print) {
  return out << print.count << " values, sum " << print.sum << ", mixed " << print.mixed_sum
             << " and " << print.mixed_xor;
}

__device__ void merge(fingerprint* into, const fingerprint& mine) {
  atomicAdd(&into->count, mine.count);
  atomicAdd(&into->sum, mine.sum);
  atomicAdd(&into->mixed_sum, mine.mixed_sum);
  atomicXor(&into->mixed_xor, mine.mixed_xor);
}

// Who pushes and who pops. Threads are divided into units; of every `period` units, the first
// `pushing` push and the others pop. With a period of 1, all threads do both.
struct parts {
  const char* name;
  unsigned unit, period, pushing;

  // What a pusher pushes, and a popper pops, per round.
  __host__ __device__ unsigned pushes() const { return period == 1 ? 1 : period - pushing; }
  __host__ __device__ unsigned pops() const { return period == 1 ? 1 : pushing; }
  __host__ __device__ unsigned pushers(unsigned threads) const {
    return period == 1 ? threads : threads / (unit * period) * pushing * unit;
  }
};

// A thread that waits for a lost value gives up after this many nanoseconds, and the sums show it.
constexpr word timeout = 20'000'000'000;

// Every thread does its share of `rounds`, whenever there is room or a value. Either the whole
// period of a unit is in one block, or the grid fits the device, so running threads never depend on
// threads that do not run.
template <typename View>
__global__ void push_and_pop(View values, parts who, bool together, unsigned rounds,
                             fingerprint* went_in, fingerprint* came_out) {
  using value_type = typename View::value_type;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned unit = thread / who.unit, place = unit % who.period;
  const bool pushes = who.period == 1 || place < who.pushing;
  const bool pops = who.period == 1 || place >= who.pushing;
  const unsigned pushers = who.pushers(gridDim.x * blockDim.x);
  const unsigned pusher =
      who.period == 1 ? thread
                      : (unit / who.period * who.pushing + place) * who.unit + thread % who.unit;
  const lane_mask members =
      together ? heddle::lanes_with_thread() : lane_mask{1} << heddle::lane_id();
  const unsigned to_push = pushes ? rounds * who.pushes() : 0;
  const unsigned to_pop = pops ? rounds * who.pops() : 0;
  unsigned pushed = 0, popped = 0;
  fingerprint in{}, out{};
  heddle::sync::backoff wait;
  heddle::sync::deadline end(timeout);
  for (bool gives_up = false; !gives_up;) {
    const bool is_done = pushed == to_push && popped == to_pop;
    if (together ? __all_sync(members, is_done) != 0 : is_done) break;
    bool got_on = false;
    const unsigned number = pushed * pushers + pusher;
    if (values.try_push(value_type(number), pushed < to_push, members)) {
      in.take(number);
      ++pushed;
      got_on = true;
    }
    value_type value{};
    if (values.try_pop(value, popped < to_pop, members)) {
      out.take(static_cast<unsigned>(value));
      ++popped;
      got_on = true;
    }
    if (together ? __any_sync(members, got_on) != 0 : got_on) {
      wait.reset();
      end = heddle::sync::deadline(timeout);
    } else {
      wait.pause();
      gives_up = together ? __any_sync(members, end.has_passed()) != 0 : end.has_passed();
    }
  }
  merge(went_in, in);
  merge(came_out, out);
}

word operations() {
  const char* const asked = std::getenv("HEDDLE_STRESS");
  return asked == nullptr ? 60'000 : std::strtoull(asked, nullptr, 10);
}

// All numbers below `count`, each once.
fingerprint all_below(word count) {
  // Mixing 10^9 numbers would take the host seconds per case, and the device has summed what it
  // pushed. Count and sum show that these are the right numbers.
  fingerprint expected{};
  expected.count = count;
  expected.sum = count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
  return expected;
}

struct shape {
  unsigned blocks, threads;
};

template <typename Container>
void stress(const Container& container, parts who, bool together, shape grid, word wanted) {
  const unsigned threads = grid.blocks * grid.threads;
  ASSERT_EQ(threads % (who.unit * who.period), 0u);
  const word per_round = word{2} * who.pushers(threads) * who.pushes();
  const word rounds = std::max(word{1}, wanted / per_round);
  const word numbers = rounds * per_round / 2;
  ASSERT_LT(numbers, word{1} << 32) << "numbers of 32 bits do not suffice";
  const device_array<fingerprint> prints(std::vector<fingerprint>(2));
  const auto begin = std::chrono::steady_clock::now();
  push_and_pop<<<grid.blocks, grid.threads>>>(container.view(), who, together,
                                              static_cast<unsigned>(rounds), prints.data(),
                                              prints.data() + 1);
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const std::string what = std::string(who.name) + (together ? ", together" : ", single lanes") +
                           ", capacity " + std::to_string(container.capacity()) + ", " +
                           std::to_string(grid.blocks) + " x " + std::to_string(grid.threads);
  const fingerprint in = prints.values()[0], out = prints.values()[1];
  const fingerprint expected = all_below(numbers);
  EXPECT_EQ(in.count, expected.count) << what;
  EXPECT_EQ(in.sum, expected.sum) << what;
  EXPECT_EQ(out, in) << what;
  // A surplus value would still be in the container; the checks above notice a missing one.
  const device_array<int> answer(1);
  const device_array<int> ask(std::vector<int>{-1});
  follow<<<1, 1>>>(container.view(), ask.data(), 1, answer.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(answer.values().front(), -1) << what << ": something is left";
  if (operations() >= 1'000'000) {
    std::printf("  %llu operations in %.3f s: %s\n", 2 * numbers, took.count(), what.c_str());
    std::fflush(stdout);
  }
}

template <typename Container>
class container_stress : public testing::Test {
 protected:
  // `lanes`: how many use it at a time, which a queue needs to know.
  static Container make(std::size_t capacity, std::size_t lanes) {
    if constexpr (requires { Container(capacity, nullptr, lanes); }) {
      return Container(capacity, nullptr, lanes);
    } else {
      return Container(capacity);
    }
  }
  // A grid that is resident as a whole and has work for each thread.
  static shape grid_for(word wanted, unsigned threads) {
    using view = decltype(std::declval<const Container&>().view());
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, push_and_pop<view>,
                                                        static_cast<int>(threads), 0),
          "occupancy");
    const word fit =
        static_cast<word>(blocks) * static_cast<word>(heddle::current_device().multiprocessors);
    // An even number of blocks, so that half of them can push and half pop.
    const word busy = std::min(fit, wanted / 4 / threads) / 2 * 2;
    return {static_cast<unsigned>(std::max<word>(busy, 2)), threads};
  }
};
using containers = testing::Types<queue<unsigned>, queue<unsigned, passing::values_alone>,
                                  queue<parcel>, stack<unsigned>, stack<parcel>>;
TYPED_TEST_SUITE(container_stress, containers);

constexpr parts everybody_both{"everybody pushes and pops", 1, 1, 1};
constexpr parts lanes_apart{"every second lane pops", 1, 2, 1};
constexpr parts warps_apart{"every second warp pops", 32, 2, 1};
constexpr parts few_push{"one lane of 32 pushes", 1, 32, 1};
constexpr parts few_pop{"one lane of 32 pops", 1, 32, 31};

// Single lanes of a whole GPU that exchange one word one after another are slow: a stack changes
// its top a million times per second, and eliminates some more pairs of pushes and pops.
template <typename>
constexpr word share_of_single_lanes = 16;
template <typename T>
constexpr word share_of_single_lanes<stack<T>> = 64;

TYPED_TEST(container_stress, keeps_everything_on_a_full_device) {
  for (const bool together : {true, false}) {
    const word wanted = together ? operations() : operations() / share_of_single_lanes<TypeParam>;
    const shape grid = this->grid_for(wanted, 256);
    const std::size_t lanes = std::size_t{grid.blocks} * grid.threads;
    stress(this->make(2 * lanes, lanes), everybody_both, together, grid, wanted);
  }
}

TYPED_TEST(container_stress, keeps_everything_between_producers_and_consumers) {
  const word wanted = operations() / 16;
  const shape grid = this->grid_for(wanted, 128);
  const std::size_t lanes = std::size_t{grid.blocks} * grid.threads;
  const parts blocks_apart{"every second block pops", grid.threads, 2, 1};
  for (const parts& who : {lanes_apart, warps_apart, few_push, few_pop, blocks_apart}) {
    for (const bool together : {true, false}) {
      stress(this->make(lanes, lanes), who, together, grid,
             together ? wanted : wanted * 4 / share_of_single_lanes<TypeParam>);
    }
  }
}

TYPED_TEST(container_stress, keeps_everything_with_room_for_fewer_values_than_lanes) {
  const word wanted = operations() / 4096;
  shape grid = this->grid_for(wanted, 64);
  // Values pass from lane to lane, and every poll of a waiting lane slows them down.
  grid.blocks = std::min(grid.blocks, 64u);
  const std::size_t lanes = std::size_t{grid.blocks} * grid.threads;
  for (const unsigned capacity : {1u, 2u, 31u}) {
    for (const parts& who : {everybody_both, lanes_apart, warps_apart}) {
      for (const bool together : {true, false}) {
        stress(this->make(capacity, lanes), who, together, grid, std::max<word>(wanted, 8 * lanes));
      }
    }
  }
}

TYPED_TEST(container_stress, keeps_everything_in_the_smallest_grids) {
  const word wanted = operations() / 1024;
  for (const unsigned capacity : {1u, 40u}) {
    for (const unsigned threads : {1u, 31u, 32u, 96u}) {
      for (const bool together : {true, false}) {
        stress(this->make(capacity, threads), everybody_both, together, {1, threads}, wanted);
      }
    }
    stress(this->make(capacity, 32), lanes_apart, true, {1, 32}, wanted);
  }
}

// More blocks than are resident: the waiting blocks hold nothing that the running ones need.
TYPED_TEST(container_stress, keeps_everything_in_grids_far_larger_than_the_device) {
  constexpr unsigned threads = 64;
  const word resident = heddle::current_device().resident_threads();
  const word wanted = operations() / 64;
  const auto blocks =
      static_cast<unsigned>(std::max<word>(std::min(8 * resident, wanted / 4) / threads, 3));
  for (const parts& who : {everybody_both, lanes_apart, warps_apart}) {
    stress(this->make(1000, 0), who, true, {blocks, threads}, wanted);
  }
  stress(this->make(7, 0), everybody_both, true, {blocks, threads}, wanted / 16);
}

}  // namespace
