// Device-wide sorts against CUB.
#include "device/sort_cases.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <heddle/device/sort.cuh>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle_bench {

// What the keys of a case are like.
enum class sort_content { random, one_value };

// Keys of all bit patterns but NaNs, which CUB orders alike but no comparison does; each value is
// its place.
template <typename Key, typename Value>
static __global__ void fill_for_sorts(Key* keys, Value* values, std::size_t count,
                                      sort_content content) {
  using word = heddle::device::detail::key_word<Key>;
  for (std::size_t i = blockIdx.x * std::size_t{1} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{1} * gridDim.x * blockDim.x) {
    const std::uint64_t low = thread_bits(static_cast<int>(i ^ i >> 31));
    const std::uint64_t high = thread_bits(static_cast<int>(low ^ 0x5bd1e995u));
    const std::uint64_t bits = content == sort_content::random ? high << 32 | low : 0x42424242u;
    if constexpr (std::is_floating_point_v<Key>) {
      keys[i] = static_cast<Key>(static_cast<std::int32_t>(bits));
    } else {
      keys[i] = static_cast<Key>(static_cast<word>(bits));
    }
    if (values != nullptr) values[i] = static_cast<Value>(i);
  }
}

template <typename T>
static __global__ void count_other_elements(const T* a, const T* b, std::int64_t count,
                                            unsigned* wrong) {
  for (std::int64_t i = blockIdx.x * std::int64_t{1} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{1} * gridDim.x * blockDim.x) {
    if (a[i] != b[i]) atomicAdd(wrong, 1u);
  }
}

// The inputs and outputs of all calls of a case. Value is void where keys are sorted alone.
template <typename Key, typename Value>
class sort_inputs {
 public:
  static constexpr bool has_values = !std::is_void_v<Value>;
  using value = std::conditional_t<has_values, Value, unsigned>;

  sort_inputs(device_contest& contest, std::int64_t count, sort_content content)
      : count_(count),
        turns_(static_cast<std::size_t>(count) * sizeof(Key), contest.cache_bytes()),
        slots_(turns_.bytes() / sizeof(Key)),
        keys_(slots_),
        sorted_(slots_),
        wanted_(static_cast<std::size_t>(count)),
        values_(has_values ? slots_ : 1),
        sorted_values_(has_values ? slots_ : 1),
        wanted_values_(has_values ? static_cast<std::size_t>(count) : 1),
        wrong_(1),
        workspace_(contest.stream()),
        peer_memory_(contest.stream()),
        stream_(contest.stream()) {
    fill_for_sorts<<<4096, 256, 0, stream_>>>(keys_.data(), has_values ? values_.data() : nullptr,
                                              slots_, content);
    check(cudaGetLastError());
    cub_sort(0, wanted_.data(), wanted_values_.data());
    check(cudaStreamSynchronize(stream_));
  }

  static std::size_t bytes(std::int64_t count, std::size_t cache_bytes) {
    const rotation turns(static_cast<std::size_t>(count) * sizeof(Key), cache_bytes);
    constexpr std::size_t pair = sizeof(Key) + (has_values ? sizeof(value) : 0);
    return turns.bytes() / sizeof(Key) * 2 * pair + static_cast<std::size_t>(count) * 3 * pair;
  }
  // The bytes of one read and one write.
  device_case what(double target_us) const {
    constexpr std::size_t pair = sizeof(Key) + (has_values ? sizeof(value) : 0);
    return {2.0 * static_cast<double>(pair) * static_cast<double>(count_), turns_.calls(),
            target_us};
  }

  device_contender ours(std::string name) {
    return {std::move(name),
            [this](int i) {
              poison(i);
              if constexpr (has_values) {
                heddle::device::sort_pairs(
                    workspace_, keys_.data() + slot(i), values_.data() + slot(i), count_,
                    sorted_.data() + slot(i), sorted_values_.data() + slot(i));
              } else {
                heddle::device::sort(workspace_, keys_.data() + slot(i), count_,
                                     sorted_.data() + slot(i));
              }
            },
            0, [this] { return is_right(); }};
  }
  device_contender cub() {
    return {has_values ? "cub::DeviceRadixSort::SortPairs" : "cub::DeviceRadixSort::SortKeys",
            [this](int i) {
              cub_sort(i, sorted_.data() + slot(i), sorted_values_.data() + value_slot(i));
            },
            1,
            {}};
  }

 private:
  std::size_t slot(int i) const { return turns_.offset(i) / sizeof(Key); }
  std::size_t value_slot(int i) const { return has_values ? slot(i) : 0; }

  void cub_sort(int i, Key* sorted, value* sorted_values) {
    constexpr int bits = static_cast<int>(8 * sizeof(Key));
    const auto sort = [&](void* memory, std::size_t& bytes) {
      if constexpr (has_values) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, keys_.data() + slot(i), sorted,
                                               values_.data() + slot(i), sorted_values, count_, 0,
                                               bits, stream_);
      } else {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, keys_.data() + slot(i), sorted, count_,
                                              0, bits, stream_);
      }
    };
    std::size_t bytes = 0;
    check(sort(nullptr, bytes));
    check(sort(peer_memory_.scratch(bytes), bytes));
  }

  // Only before the first call of a contender, which is not timed.
  void poison(int i) {
    cudaStreamCaptureStatus status{};
    check(cudaStreamIsCapturing(stream_, &status));
    if (i != 0 || status != cudaStreamCaptureStatusNone) return;
    check(cudaMemsetAsync(sorted_.data(), 0xa5, static_cast<std::size_t>(count_) * sizeof(Key),
                          stream_));
    if constexpr (has_values) {
      check(cudaMemsetAsync(sorted_values_.data(), 0xa5,
                            static_cast<std::size_t>(count_) * sizeof(value), stream_));
    }
  }
  bool is_right() {
    check(cudaMemsetAsync(wrong_.data(), 0, sizeof(unsigned), stream_));
    count_other_elements<<<4096, 256, 0, stream_>>>(static_cast<const Key*>(sorted_.data()),
                                                    static_cast<const Key*>(wanted_.data()), count_,
                                                    wrong_.data());
    if constexpr (has_values) {
      count_other_elements<<<4096, 256, 0, stream_>>>(
          static_cast<const value*>(sorted_values_.data()),
          static_cast<const value*>(wanted_values_.data()), count_, wrong_.data());
    }
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream_));
    return wrong_.values(1)[0] == 0;
  }

  std::int64_t count_;
  rotation turns_;
  std::size_t slots_;
  device_array<Key> keys_, sorted_, wanted_;
  device_array<value> values_, sorted_values_, wanted_values_;
  device_array<unsigned> wrong_;
  heddle::device::workspace workspace_, peer_memory_;
  cudaStream_t stream_;
};

template <typename Key, typename Value>
void sort_case(device_contest& contest, const std::string& name, int power,
               sort_content content = sort_content::random, double target_us = 0) {
  const std::int64_t count = std::int64_t{1} << power;
  const std::string row = name + ", 2^" + std::to_string(power) +
                          (content == sort_content::one_value ? ", all equal" : "");
  if (!contest.rows().wants(row)) return;
  if (!contest.has_memory(sort_inputs<Key, Value>::bytes(count, contest.cache_bytes()))) return;
  sort_inputs<Key, Value> inputs(contest, count, content);
  contest.run(inputs.what(target_us), {inputs.ours(row), inputs.cub()});
}

// The targets of a type for 2^16, 2^20, 2^24 and 2^28 keys, in microseconds; 0: none.
struct sort_targets {
  double at_16 = 0, at_20 = 0, at_24 = 0, at_28 = 0;
  double of(int power) const {
    return power == 16 ? at_16 : power == 20 ? at_20 : power == 24 ? at_24 : at_28;
  }
};

template <typename Key, typename Value = void>
void sort_cases(device_contest& contest, const std::string& name, const sort_targets& targets) {
  for (const int power : {10, 12, 14, 16, 18, 20, 22, 24, 26, 28}) {
    const bool has_target = power >= 16 && power % 4 == 0;
    sort_case<Key, Value>(contest, name, power, sort_content::random,
                          has_target ? targets.of(power) : 0);
  }
  for (const int power : {16, 24, 28}) {
    sort_case<Key, Value>(contest, name, power, sort_content::one_value);
  }
}

void device_sort_cases(device_contest& contest) {
  sort_cases<std::uint8_t>(contest, "sort(uint8)", {0, 0, 0, 500});
  sort_cases<std::uint16_t>(contest, "sort(uint16)", {0, 0, 0, 1200});
  sort_cases<std::uint32_t>(contest, "sort(uint32)", {20, 45, 340, 4300});
  sort_cases<float>(contest, "sort(float)", {});
  sort_cases<std::uint64_t>(contest, "sort(uint64)", {});
  sort_cases<std::uint32_t, std::uint32_t>(contest, "sort_pairs(uint32, uint32)", {});
  sort_cases<std::uint64_t, std::uint64_t>(contest, "sort_pairs(uint64, uint64)", {});
}

}  // namespace heddle_bench
