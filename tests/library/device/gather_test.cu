// How a range is divided among the threads of a grid: every element once, in ascending order.
#include <heddle/device/kernel/gather.cuh>

#include <cstdint>

#include "device/result.cuh"
#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using namespace heddle::device;
using namespace heddle::device::detail;

constexpr int in_flight = 3;

// Values equal their indices. Counts how often each element came, and what was wrong with it.
template <typename Input>
__global__ void gather_all(Input input, division divided, unsigned* seen, unsigned* wrong) {
  constexpr int length = loaded<Input>::length;
  const own_loads_of<Input, in_flight> own(divided);
  std::int64_t last = -1;
  bool has_loads = false;
  const auto take = [&](std::int64_t index, std::int64_t value) {
    if (index < 0 || index >= divided.count || index != value) {
      atomicAdd(wrong, 1u);
    } else {
      atomicAdd(seen + index, 1u);
    }
  };
  gather<heddle::caching::once>(
      input, divided, own,
      [&](const auto& values, std::uint32_t step, bool is_there) {
        if (!is_there) return;
        has_loads = true;
        const std::int64_t first = own.element_at(step);
        if (first <= last || first < divided.begin) atomicAdd(wrong + 1, 1u);
        last = first;
        for (int i = 0; i < length; ++i) take(first + i, static_cast<std::int64_t>(values[i]));
      },
      [&](const auto& value, std::int64_t index) {
        if (index >= divided.begin && index < divided.end) atomicAdd(wrong + 2, 1u);
        take(index, static_cast<std::int64_t>(value));
      });
  if (has_loads && !own.has_any()) atomicAdd(wrong + 3, 1u);
}

struct grid_shape {
  unsigned blocks, threads;
};
constexpr grid_shape shapes[] = {{1, 1}, {1, 32}, {3, 64}, {7, 96}, {2, 256}};

template <typename Input>
void expect_every_element_once(const Input& input, std::int64_t count) {
  for (const grid_shape& shape : shapes) {
    SCOPED_TRACE(testing::Message()
                 << count << " elements, " << shape.blocks << " blocks of " << shape.threads);
    const device_array<unsigned> seen(std::vector<unsigned>(static_cast<std::size_t>(count), 0));
    const device_array<unsigned> wrong(std::vector<unsigned>(4, 0));
    division divided = divide(input, count);
    count_rounds<in_flight>(divided, std::int64_t{shape.blocks} * shape.threads);
    gather_all<<<shape.blocks, shape.threads>>>(input, divided, seen.data(), wrong.data());
    check(cudaDeviceSynchronize(), "the kernel");
    const auto mistakes = wrong.values();
    ASSERT_EQ(mistakes[0], 0u) << "a value does not belong to its index";
    ASSERT_EQ(mistakes[1], 0u) << "loads of a thread do not rise";
    ASSERT_EQ(mistakes[2], 0u) << "a loose element lies in a load";
    ASSERT_EQ(mistakes[3], 0u) << "a thread has loads that it does not know of";
    const auto times = seen.values();
    for (std::size_t i = 0; i < times.size(); ++i) ASSERT_EQ(times[i], 1u) << "element " << i;
  }
}

template <typename T>
void expect_all_of_pointers() {
  constexpr std::int64_t most = 4000;
  for (const int skipped : {0, 1, 3}) {  // elements before the range, so it is unaligned
    std::vector<T> values;
    for (std::int64_t i = 0; i < most + skipped; ++i) values.push_back(static_cast<T>(i - skipped));
    const device_array<T> on_device(values);
    const T* const input = on_device.data() + skipped;
    for (const std::int64_t count :
         {0, 1, 2, 5, 15, 16, 17, 127, 383, 384, 385, 1000, 2305, 4000}) {
      expect_every_element_once(input, count);
    }
  }
}

TEST(device_gather, brings_every_element_of_a_pointer_once_whatever_its_alignment) {
  expect_all_of_pointers<float>();
  expect_all_of_pointers<std::int16_t>();
}

TEST(device_gather, brings_every_element_of_an_iterator_once) {
  for (const std::int64_t count : {0, 1, 31, 96, 97, 1000, 4000}) {
    expect_every_element_once(counting<std::int64_t>{0}, count);
  }
}

TEST(device_gather, divides_ranges_above_two_to_the_31) {
  const auto* const anywhere = reinterpret_cast<const float*>(std::uintptr_t{4096} + 4);
  constexpr std::int64_t count = (std::int64_t{1} << 33) + 7;
  division divided = divide(anywhere, count);
  EXPECT_EQ(divided.begin, 3);
  EXPECT_EQ(divided.loads, (std::int64_t{1} << 31) + 1);
  EXPECT_EQ(divided.end, count);
  EXPECT_EQ(divided.loose(), 3);
  count_rounds<4>(divided, 1000);
  EXPECT_EQ(divided.rounds, divided.loads / 4000);
  // If the last round is full, it is left over too.
  divided.loads = 12'000;
  count_rounds<4>(divided, 1000);
  EXPECT_EQ(divided.rounds, 2);
}

}  // namespace
