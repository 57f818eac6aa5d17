// The iterators of device-wide algorithms, read on the device.
#include <heddle/device/iterators.cuh>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
namespace device = heddle::device;

struct square {
  __host__ __device__ int operator()(int value) const { return value * value; }
};

struct read_all {
  const float* numbers;
  struct answer {
    std::int64_t counted, shifted;
    int squared, same;
    float zipped_number;
    int zipped_square;
    std::int64_t zipped_count;
    float shifted_number;
    int shifted_square, same_shifted;
  };
  __device__ answer operator()() const {
    const int i = static_cast<int>(threadIdx.x);
    const device::counting<std::int64_t> count{5'000'000'000};
    const device::transformed squares{device::counting<int>{3}, square{}};
    const device::constant same{42};
    const device::zipped both{numbers, device::zipped{squares, count}};
    const auto pair = both[i];
    const auto shifted = (both + 2)[i];
    return {count[i],
            shifted.second.second,
            squares[i],
            same[i],
            pair.first,
            pair.second.first,
            pair.second.second,
            shifted.first,
            shifted.second.first,
            (same + 9)[i]};
  }
};

TEST(iterators, give_their_values_on_the_device) {
  std::vector<float> numbers(40);
  for (int i = 0; i < 40; ++i) numbers[i] = 0.5f * static_cast<float>(i);
  const device_array<float> on_device(numbers);
  const auto answers = answers_of(read_all{on_device.data()});
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(answers[i].counted, 5'000'000'000 + i);
    EXPECT_EQ(answers[i].shifted, 5'000'000'002 + i);
    EXPECT_EQ(answers[i].squared, (3 + i) * (3 + i));
    EXPECT_EQ(answers[i].same, 42);
    EXPECT_EQ(answers[i].zipped_number, numbers[i]);
    EXPECT_EQ(answers[i].zipped_square, (3 + i) * (3 + i));
    EXPECT_EQ(answers[i].zipped_count, 5'000'000'000 + i);
    EXPECT_EQ(answers[i].shifted_number, numbers[i + 2]);
    EXPECT_EQ(answers[i].shifted_square, (5 + i) * (5 + i));
    EXPECT_EQ(answers[i].same_shifted, 42);
  }
}

TEST(iterators, have_the_element_types_of_their_ranges) {
  using device::element_of;
  EXPECT_TRUE((std::is_same_v<element_of<const float*>, float>));
  EXPECT_TRUE((std::is_same_v<element_of<device::counting<short>>, short>));
  EXPECT_TRUE((std::is_same_v<element_of<device::constant<double>>, double>));
  EXPECT_TRUE((std::is_same_v<element_of<device::transformed<const int*, square>>, int>));
  EXPECT_TRUE((std::is_same_v<element_of<device::zipped<int*, float*>>, device::pair<int, float>>));
  EXPECT_FALSE(device::readable<int>);
}

}  // namespace
