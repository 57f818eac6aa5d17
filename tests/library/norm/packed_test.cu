// Sixteen bytes of a row: packing and unpacking match single conversions; loads and stores.
#include <heddle/norm/packed.cuh>

#include <cmath>
#include <cstring>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::caching;
using heddle::norm::detail::access;
using heddle::norm::detail::packed;
namespace detail = heddle::norm::detail;

// Numbers of all magnitudes, ties between two short floats, infinities, ±0.
__host__ __device__ float number_of(std::uint64_t seed, int i) {
  const float special[] = {0.0f,        -0.0f,    HUGE_VALF, -HUGE_VALF, 1.00390625f,
                           1.01171875f, 65519.0f, 65520.0f,  6e-8f,      3e-8f};
  if (i < 10) return special[i];
  const std::uint64_t bits = sample_bits(seed, static_cast<std::uint64_t>(i));
  return static_cast<float>(ldexp(static_cast<double>(static_cast<std::int32_t>(bits >> 32)),
                                  static_cast<int>(bits % 60) - 60));
}

template <typename T>
struct pack_and_unpack {
  static constexpr int length = packed<T>::length;
  std::uint64_t seed;
  struct answer {
    std::uint32_t words[4];
    float back[length];
  };
  __device__ answer operator()() const {
    float values[length];
    for (int i = 0; i < length; ++i) {
      values[i] = number_of(seed, static_cast<int>(threadIdx.x) * length + i);
    }
    packed<T> all;
    all.pack(values);
    all.forget_floats();
    answer found;
    std::memcpy(found.words, all.words, sizeof found.words);
    all.unpack(found.back);
    return found;
  }
};

template <typename T>
void expect_conversions() {
  constexpr int length = packed<T>::length;
  const auto answers = answers_of(pack_and_unpack<T>{seed()}, 64);
  for (std::size_t thread = 0; thread < answers.size(); ++thread) {
    T expected[length];
    for (int i = 0; i < length; ++i) {
      expected[i] = static_cast<T>(number_of(seed(), static_cast<int>(thread) * length + i));
    }
    ASSERT_EQ(std::memcmp(answers[thread].words, static_cast<const void*>(expected), 16), 0)
        << "thread " << thread;
    for (int i = 0; i < length; ++i) {
      const float back = static_cast<float>(expected[i]);
      ASSERT_EQ(std::memcmp(&answers[thread].back[i], &back, sizeof back), 0)
          << "thread " << thread << ", place " << i;
    }
  }
  T ones[length];
  for (T& one : ones) one = static_cast<T>(1.0f);
  std::uint32_t word;
  std::memcpy(&word, static_cast<const void*>(ones), sizeof word);
  EXPECT_EQ(packed<T>::word_of_ones, word);
}

TEST(norm_packed, converts_each_value_like_a_single_conversion) {
  HEDDLE_NAME_SEED();
  expect_conversions<float>();
  expect_conversions<__half>();
  expect_conversions<__nv_bfloat16>();
}

constexpr int pad = 24;  // elements before and after a row

// Thread i loads from column first + i and stores at the same place of the other row.
template <typename T, access kind>
__global__ void copy_packed(const T* from, T* to, int first, int step, int columns, float fill,
                            float* loaded) {
  constexpr int length = packed<T>::length;
  const int column = first + static_cast<int>(threadIdx.x) * step;
  const packed<T> own = detail::load_packed<kind, caching::normal>(from, column, columns, fill);
  float values[length];
  own.unpack(values);
  for (int i = 0; i < length; ++i) loaded[threadIdx.x * length + i] = values[i];
  detail::store_packed<kind>(to, column, columns, own);
}

// Every vector that begins at first, first + step, … and overlaps the row or is next to it.
template <typename T, access kind>
void expect_copied(int skipped, int first, int step, int columns) {
  SCOPED_TRACE(testing::Message() << columns << " columns " << skipped
                                  << " behind a boundary, vectors from " << first);
  constexpr int length = packed<T>::length;
  const auto threads = static_cast<unsigned>((columns - first) / step + 2);
  std::vector<T> row;
  for (int i = -pad - skipped; i < columns + pad; ++i)
    row.push_back(static_cast<T>(static_cast<float>(i + 60)));
  const device_array<T> from(row), to(row.size());
  const device_array<float> loaded(threads * static_cast<unsigned>(length));
  const int origin = pad + skipped;
  copy_packed<T, kind><<<1, threads>>>(from.data() + origin, to.data() + origin, first, step,
                                       columns, -7.0f, loaded.data());
  check(cudaDeviceSynchronize(), "the kernel");
  const auto values = loaded.values();
  for (unsigned i = 0; i < threads * length; ++i) {
    const int column = first + static_cast<int>(i / length) * step + static_cast<int>(i % length);
    const float expected =
        column >= 0 && column < columns ? static_cast<float>(column + 60) : -7.0f;
    ASSERT_EQ(values[i], expected) << "column " << column;
  }
  const auto stored = to.values();
  T poison;
  std::memset(static_cast<void*>(&poison), 0xa5, sizeof poison);
  for (int i = 0; i < static_cast<int>(stored.size()); ++i) {
    const int column = i - origin;
    const bool is_stored = column >= (first < 0 ? 0 : first) && column < columns;
    const T& expected = is_stored ? row[static_cast<std::size_t>(i)] : poison;
    ASSERT_EQ(std::memcmp(&stored[static_cast<std::size_t>(i)], &expected, sizeof(T)), 0)
        << "column " << column;
  }
}

// Rows hold small integers, which all three types represent.
template <typename T>
void expect_all_places() {
  constexpr int length = packed<T>::length;
  static_assert(pad % length == 0);
  for (const int vectors : {1, 2, 5}) {
    expect_copied<T, access::aligned>(0, 0, length, vectors * length);
  }
  for (int skipped = 0; skipped < length; ++skipped) {
    for (const int columns : {1, length - 1, length, length + 1, 3 * length + 1}) {
      expect_copied<T, access::ragged>(skipped, 0, length, columns);
      expect_copied<T, access::ragged>(skipped, -skipped, length, columns);  // from the boundary on
    }
  }
}

TEST(norm_packed, pads_partial_vectors_and_stores_only_the_row) {
  expect_all_places<float>();
  expect_all_places<__half>();
  expect_all_places<__nv_bfloat16>();
}

}  // namespace
