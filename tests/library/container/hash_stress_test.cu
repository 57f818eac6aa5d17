// Hash maps with any number of operations: an inserted key is there, once, until it is erased.
//
// HEDDLE_STRESS is the number of operations of the largest case, as in stress_test.cu.
#include <heddle/container/hash_map.cuh>
#include <heddle/core/architecture.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_mask;
using heddle::container::hash_map;
using heddle::container::insertion;
using word = unsigned long long;

word operations() {
  const char* const asked = std::getenv("HEDDLE_STRESS");
  return asked == nullptr ? 60'000 : std::strtoull(asked, nullptr, 10);
}

template <typename Map>
class container_hash_stress : public testing::Test {};
using maps =
    testing::Types<hash_map<std::uint32_t, std::uint32_t>, hash_map<std::uint64_t, std::uint64_t>>;
TYPED_TEST_SUITE(container_hash_stress, maps);

template <typename Map>
struct types_of;
template <typename Key, typename Value>
struct types_of<hash_map<Key, Value>> {
  using key = Key;
  using value = Value;
};

// ---- private keys

// No other thread uses a thread's keys, so it knows all results. Odd keys stay.
template <typename Key, typename Value, typename View>
__global__ void keep_own_keys(View map, word first_key, unsigned per_thread, bool together,
                              word* wrong) {
  const word thread = word{blockIdx.x} * blockDim.x + threadIdx.x;
  const lane_mask members =
      together ? heddle::lanes_with_thread() : lane_mask{1} << heddle::lane_id();
  word mine = 0;
  for (unsigned i = 0; i < per_thread; ++i) {
    const Key key = static_cast<Key>(first_key + thread * per_thread + i);
    const Value given = static_cast<Value>(key * 3 + 1);
    Value value{};
    if (map.find(key, value)) ++mine;
    if (map.insert(key, given, true, members) != insertion::inserted) ++mine;
    if (!map.find(key, value) || value != given) ++mine;
    if (map.insert(key, value, true, members) != insertion::present) ++mine;
    if (key % 2 == 0 && !map.erase(key)) ++mine;
    if (map.contains(key) != (key % 2 == 1)) ++mine;
  }
  if (mine != 0) atomicAdd(wrong, mine);
}
constexpr unsigned calls_of_a_key = 6;

TYPED_TEST(container_hash_stress, keeps_the_keys_of_each_lane) {
  using key = typename types_of<TypeParam>::key;
  using value = typename types_of<TypeParam>::value;
  constexpr unsigned threads = 128;
  const word resident = heddle::current_device().resident_threads();
  for (const bool together : {true, false}) {
    const word keys = std::max<word>(operations() / calls_of_a_key / 2, threads);
    // Epochs with so many keys that most slots are used.
    const word in_epoch = std::min<word>(keys, word{1} << 23);
    const auto blocks =
        static_cast<unsigned>(std::max<word>(std::min(resident, in_epoch / 2) / threads, 1));
    const auto per_thread = static_cast<unsigned>(std::max<word>(in_epoch / (blocks * threads), 1));
    const word made = word{blocks} * threads * per_thread;
    TypeParam map(made + made / 9 + 64);
    const device_array<word> wrong(std::vector<word>{0});
    for (word epoch = 0; epoch * made < keys; ++epoch) {
      map.clear();
      map.settle();
      keep_own_keys<key, value>
          <<<blocks, threads>>>(map.view(), epoch * made, per_thread, together, wrong.data());
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      ASSERT_EQ(wrong.values().front(), 0u) << "epoch " << epoch;
      ASSERT_EQ(map.size(), made / 2) << "epoch " << epoch;
    }
  }
}

// ---- shared keys

// Each key's insertions minus its erasures: in the end 1 if the map has it, 0 if not.
template <typename Key, typename Value, typename View>
__global__ void fight_for_keys(View map, unsigned keys, unsigned rounds, std::uint64_t seed,
                               int* balances, word* wrong) {
  const word thread = word{blockIdx.x} * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < rounds; ++i) {
    const std::uint64_t bits = sample_bits(seed, thread * rounds + i);
    const auto key = static_cast<unsigned>(bits % keys);
    if ((bits >> 32) % 2 == 0) {
      if (map.insert(static_cast<Key>(key), static_cast<Value>(key * 5 + 2)) ==
          insertion::inserted) {
        atomicAdd(balances + key, 1);
      }
    } else if (map.erase(static_cast<Key>(key))) {
      atomicSub(balances + key, 1);
    }
    Value value{};
    if (map.find(static_cast<Key>(key), value) && value != static_cast<Value>(key * 5 + 2)) {
      atomicAdd(wrong, word{1});
    }
  }
}
template <typename Key, typename View>
__global__ void ask_for_keys(View map, unsigned keys, int* there) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < keys; i += gridDim.x * blockDim.x) {
    there[i] = map.contains(static_cast<Key>(i)) ? 1 : 0;
  }
}

TYPED_TEST(container_hash_stress, gives_each_key_to_one_of_many_lanes) {
  HEDDLE_NAME_SEED();
  using key = typename types_of<TypeParam>::key;
  using value = typename types_of<TypeParam>::value;
  const word resident = heddle::current_device().resident_threads();
  constexpr unsigned threads = 128, rounds = 4;
  const word wanted = std::max<word>(operations() / 16, threads);
  const auto blocks =
      static_cast<unsigned>(std::max<word>(std::min(resident, wanted / 8) / threads, 1));
  for (const unsigned keys : {1u, 30u, 2000u}) {
    TypeParam map(word{blocks} * threads * rounds + keys);
    const std::vector<int> none(keys);
    const device_array<int> balances(none), there(keys);
    const device_array<word> wrong(std::vector<word>{0});
    for (word done = 0; done < wanted; done += 2 * word{blocks} * threads * rounds) {
      map.settle();
      fight_for_keys<key, value><<<blocks, threads>>>(map.view(), keys, rounds, seed() + done,
                                                      balances.data(), wrong.data());
    }
    ask_for_keys<key><<<8, 128>>>(map.view(), keys, there.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(balances.values(), there.values()) << keys << " keys";
    EXPECT_EQ(wrong.values().front(), 0u) << keys << " keys";
  }
}

}  // namespace
