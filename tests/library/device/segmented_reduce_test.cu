// device::segmented_reduce against plain loops over each segment.
#include <heddle/device/segmented_reduce.cuh>

#include <cmath>
#include <cstring>
#include <functional>

#include "device/guards.cuh"
#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::workspace;
namespace device = heddle::device;

constexpr std::int64_t tile = 896;  // of one warp, for values of four bytes

using lengths = std::vector<std::int64_t>;

std::vector<std::int64_t> offsets_of(const lengths& all, std::int64_t first = 0) {
  std::vector<std::int64_t> offsets{first};
  for (const std::int64_t length : all) offsets.push_back(offsets.back() + length);
  return offsets;
}

std::uint64_t random_below(std::uint64_t stream, std::uint64_t index, std::uint64_t limit) {
  return sample_bits(seed() + stream, index) % limit;
}

// Lengths of 0 … 2 * mean, `empty` percent of them 0, until they add up to `count`.
lengths random_lengths(std::int64_t count, std::uint64_t mean, std::uint64_t empty) {
  lengths all;
  std::int64_t held = 0;
  for (std::uint64_t i = 0; held < count; ++i) {
    const bool is_empty = random_below(mean, 2 * i, 100) < empty;
    const auto length = static_cast<std::int64_t>(random_below(mean, 2 * i + 1, 2 * mean + 1));
    all.push_back(is_empty ? 0 : std::min(length, count - held));
    held += all.back();
  }
  return all;
}

// A few long segments among many short ones.
lengths skewed_lengths(std::int64_t count) {
  lengths all;
  std::int64_t held = 0;
  for (std::uint64_t i = 0; held < count; ++i) {
    const double place = static_cast<double>(random_below(77, i, 1 << 20) + 1) / (1 << 20);
    const auto length = static_cast<std::int64_t>(std::pow(place, -1.4));
    all.push_back(std::min(length - 1, count - held));
    held += all.back();
  }
  return all;
}

template <typename T>
T value_for(std::uint64_t index) {
  const std::uint64_t bits = sample_bits(seed(), index);
  if constexpr (std::is_same_v<T, affine>) {
    return {static_cast<std::uint32_t>(bits) | 1, static_cast<std::uint32_t>(bits >> 32)};
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits);
  } else {
    return static_cast<T>(static_cast<float>(static_cast<int>(bits % 201) - 100));
  }
}

template <typename T>
std::vector<T> samples(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = value_for<T>(i);
  return values;
}

template <typename Carried, typename T, typename Op>
std::vector<Carried> reduced(const std::vector<T>& values, const std::vector<std::int64_t>& offsets,
                             Op op, bool has_initial, const Carried& initial) {
  std::vector<Carried> results(offsets.size() - 1, initial);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    for (std::int64_t j = offsets[i]; j < offsets[i + 1]; ++j) {
      const auto value = static_cast<Carried>(values[static_cast<std::size_t>(j)]);
      const bool is_first = j == offsets[i] && !has_initial;
      results[i] = is_first ? value : static_cast<Carried>(op(results[i], value));
    }
  }
  return results;
}

template <typename T>
std::vector<T> results_in_guards(std::size_t count, const std::function<void(T*)>& call) {
  const guarded_array<T> output(count);
  call(output.data());
  return output.values();
}

template <typename T, typename Tuning = device::segment_tuning, typename Op>
void expect_reduced(workspace& work, const lengths& all, Op op, const std::string& what,
                    std::int64_t first = 0) {
  using value = heddle::carried<T, Op>;
  const auto offsets = offsets_of(all, first);
  const auto values = samples<T>(static_cast<std::size_t>(offsets.back()));
  const device_array<T> input(values);
  const device_array<std::int64_t> begins(offsets);
  const auto results = results_in_guards<value>(all.size(), [&](value* output) {
    device::segmented_reduce<Tuning>(work, input.data(), begins.data(),
                                     static_cast<std::int64_t>(all.size()), output, op);
  });
  const auto expected = reduced(values, offsets, op, false, heddle::identity<Op, value>());
  const std::int64_t wrong = first_difference(results, expected);
  EXPECT_EQ(wrong, -1) << what << ": segment of " << all[static_cast<std::size_t>(wrong)]
                       << " values from " << offsets[static_cast<std::size_t>(wrong)] << " on";
}

std::vector<lengths> lengths_of_interest() {
  std::vector<lengths> all;
  for (const std::int64_t count : {0, 1, 2, 31, 33}) all.push_back(lengths(1, count));
  for (const std::int64_t edge : {tile, 2 * tile, 16 * tile}) {
    for (std::int64_t count = edge - 2; count <= edge + 2; ++count) {
      all.push_back(lengths(1, count));
      all.push_back(lengths(9, count));
      all.push_back(lengths(static_cast<std::size_t>(count), 1));
      all.push_back(lengths(static_cast<std::size_t>(count), 0));
      all.push_back({count, 0, 1, count});
    }
  }
  for (const std::int64_t length : {2, 3, 4, 5, 7, 8, 32, 100, 127, 128, 129, 256}) {
    all.push_back(lengths(static_cast<std::size_t>(16000 / length), length));
  }
  return all;
}

TEST(segmented_reduce, adds_segments_of_equal_lengths) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const auto& all : lengths_of_interest()) {
    expect_reduced<int>(work, all, heddle::plus{},
                        std::to_string(all.size()) + " times " + std::to_string(all[0]));
  }
}

TEST(segmented_reduce, keeps_order_in_segments_of_random_lengths) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::uint64_t mean : {1, 3, 10, 60, 500, 3000, 30000}) {
    for (const std::uint64_t empty : {0, 30, 97}) {
      const auto all = random_lengths(mean < 10 && empty > 90 ? 3000 : 30000, mean, empty);
      const std::string what =
          "mean " + std::to_string(mean) + ", " + std::to_string(empty) + " % empty";
      expect_reduced<affine>(work, all, then{}, what);
      expect_reduced<float>(work, all, heddle::plus{}, what);
    }
  }
  expect_reduced<affine>(work, skewed_lengths(60000), then{}, "skewed");
}

TEST(segmented_reduce, takes_many_empty_segments_between_values) {
  HEDDLE_NAME_SEED();
  workspace work;
  lengths all{3, 700, 1};
  all.resize(20000, 0);
  all.insert(all.end(), {5, 0, 0, 4000});
  all.resize(40000, 0);
  all.push_back(1);
  expect_reduced<int>(work, all, heddle::plus{}, "many empty");
  all.assign(30000, 0);
  expect_reduced<int>(work, all, heddle::plus{}, "all empty");
  all.back() = 9000;
  expect_reduced<int>(work, all, heddle::plus{}, "values at the end");
  all.front() = 9000;
  expect_reduced<int>(work, all, heddle::plus{}, "values at both ends");
}

// A warp keeps fewer ends than a tile has values, and reads the tile again for the others.
TEST(segmented_reduce, takes_more_ends_in_a_tile_than_a_warp_keeps) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t before : {std::int64_t{1}, tile - 1, tile, tile + 1, 3 * tile}) {
    // Short segments after a long one, with empty ones at the tile's end and in the middle.
    lengths all{before};
    const auto append = [&](int times, std::int64_t length) {
      for (int i = 0; i < times; ++i) all.push_back(length);
    };
    append(300, 1);
    append(2000, 0);
    append(250, 2);
    append(700, 0);
    append(1, 2 * tile);
    const std::string what = "behind " + std::to_string(before);
    expect_reduced<affine>(work, all, then{}, what);
    expect_reduced<int>(work, all, heddle::plus{}, what);
  }
}

// A GPU has more warps to share the work.
bool is_on_gpu() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "properties");
  return properties.multiProcessorCount >= 16;
}

// Tiles so small that a warp's share has many of them, even on a device with many warps.
struct small_tiles : device::segment_tuning {
  static constexpr int vectors = 1;
  static constexpr int end_bytes = 8192;
};
struct three_stages : small_tiles {
  static constexpr int stages = 3;
};

// Each lane takes one segment while all nearby are short; from the first longer one on, lanes scan.
TEST(segmented_reduce, takes_many_short_segments) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::size_t count = is_on_gpu() ? 3'000'000 : 30'000;
  for (const std::uint64_t one_of : {5u, 100u, 1000u, 1u << 30}) {
    for (const std::uint64_t most : {1, 2, 4}) {
      lengths all(count);
      for (std::size_t i = 0; i < count; ++i) {
        const bool is_long = random_below(one_of, 2 * i, one_of) == 1;
        const std::uint64_t length = random_below(most, 2 * i + 1, is_long ? 700 : most + 1);
        all[i] = most == 1 && !is_long ? 1 : static_cast<std::int64_t>(length);
      }
      const std::string what =
          "up to " + std::to_string(most) + ", longer one of " + std::to_string(one_of);
      if (one_of > 5) expect_reduced<affine, small_tiles>(work, all, then{}, what);
      expect_reduced<int, small_tiles>(work, all, heddle::plus{}, what);
      expect_reduced<int, three_stages>(work, all, heddle::plus{}, what);
      // Here a tile has several chunks of ends; a chunk of short segments is processed at once.
      expect_reduced<int>(work, all, heddle::plus{}, what);
      expect_reduced<affine>(work, all, then{}, what);
    }
  }
}

// Most tiles contain no segment end, and shares begin anywhere.
TEST(segmented_reduce, takes_long_segments_in_small_tiles) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::int64_t count = is_on_gpu() ? 8'000'000 : 200'000;
  for (const std::uint64_t mean : {200u, 1500u, 100'000u}) {
    for (const std::int64_t first : {0, 1, 35}) {
      const auto all = random_lengths(count, mean, 10);
      const std::string what = "mean " + std::to_string(mean) + " from " + std::to_string(first);
      expect_reduced<int, three_stages>(work, all, heddle::plus{}, what, first);
    }
  }
}

TEST(segmented_reduce, puts_the_initial_value_once_before_each_of_many_segments) {
  HEDDLE_NAME_SEED();
  workspace work;
  lengths all(is_on_gpu() ? 3'000'000 : 30'000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<std::int64_t>(random_below(1, i, i % 1000 == 999 ? 700 : 4));
  }
  const auto offsets = offsets_of(all);
  const auto values = samples<int>(static_cast<std::size_t>(offsets.back()));
  const device_array<int> input(values);
  const device_array<std::int64_t> begins(offsets);
  const auto expected = reduced(values, offsets, heddle::plus{}, true, 7);
  const auto expect_with = [&](auto tuning) {
    const auto results = results_in_guards<int>(all.size(), [&](int* output) {
      device::segmented_reduce<decltype(tuning)>(work, input.data(), begins.data(),
                                                 static_cast<std::int64_t>(all.size()), output,
                                                 heddle::plus{}, 7);
    });
    EXPECT_EQ(first_difference(results, expected), -1);
  };
  expect_with(small_tiles{});
  expect_with(three_stages{});
}

// Bulk copies begin at multiples of 16 bytes; offsets need not.
TEST(segmented_reduce, reads_offsets_of_any_alignment_and_size) {
  HEDDLE_NAME_SEED();
  workspace work;
  const auto all = random_lengths(20000, 3, 20);
  const auto offsets = offsets_of(all);
  const auto values = samples<int>(static_cast<std::size_t>(offsets.back()));
  const device_array<int> input(values);
  const auto expected = reduced(values, offsets, heddle::plus{}, false, 0);
  const auto expect_with = [&](auto first, std::size_t lead) {
    using offset = decltype(first);
    std::vector<offset> shifted(lead, first);
    for (const std::int64_t each : offsets) shifted.push_back(static_cast<offset>(each));
    const device_array<offset> begins(shifted);
    const auto results = results_in_guards<int>(all.size(), [&](int* output) {
      device::segmented_reduce(work, input.data(), begins.data() + lead,
                               static_cast<std::int64_t>(all.size()), output);
    });
    EXPECT_EQ(first_difference(results, expected), -1) << sizeof(offset) << " bytes, " << lead;
  };
  for (std::size_t lead = 0; lead < 4; ++lead) {
    expect_with(std::int32_t{-1}, lead);
    expect_with(std::uint16_t{0xffff}, lead);
    expect_with(std::int64_t{-1}, lead);
  }
}

// More parts than the blocks of any grid have threads to read them.
TEST(segmented_reduce, joins_a_segment_that_all_blocks_have_parts_of) {
  HEDDLE_NAME_SEED();
  workspace work;
  expect_reduced<int>(work, {3, 2'500'000, 0, 5}, heddle::plus{}, "a sum");
  expect_reduced<affine>(work, {1'500'000, 1}, then{}, "maps");
}

TEST(segmented_reduce, starts_anywhere) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (std::int64_t first = 0; first < 9; ++first) {
    const std::string what = "first value " + std::to_string(first);
    expect_reduced<std::uint8_t>(work, random_lengths(9000, 11, 20), heddle::plus{}, what, first);
    expect_reduced<float>(work, random_lengths(9000, 11, 20), heddle::plus{}, what, first);
    expect_reduced<double>(work, random_lengths(5000, 300, 20), heddle::maximum{}, what, first);
    // Whole tiles that begin and end on boundaries, and some that just miss them.
    expect_reduced<float>(work, lengths(40, tile), heddle::plus{}, what, first);
  }
}

// They would fill vectors, but do not start on a boundary.
TEST(segmented_reduce, takes_structs_that_lie_across_boundaries) {
  HEDDLE_NAME_SEED();
  static_assert(sizeof(affine) == 8 && alignof(affine) == 4);
  workspace work;
  const auto all = random_lengths(9000, 30, 20);
  const auto offsets = offsets_of(all);
  const auto values = samples<affine>(static_cast<std::size_t>(offsets.back()));
  std::vector<std::uint32_t> words(1 + 2 * values.size());
  std::memcpy(words.data() + 1, values.data(), values.size() * sizeof(affine));
  const device_array<std::uint32_t> shifted(words);
  const device_array<std::int64_t> begins(offsets);
  const auto results = results_in_guards<affine>(all.size(), [&](affine* output) {
    device::segmented_reduce(work, reinterpret_cast<affine*>(shifted.data() + 1), begins.data(),
                             static_cast<std::int64_t>(all.size()), output, then{});
  });
  const auto expected = reduced(values, offsets, then{}, false, heddle::identity<then, affine>());
  EXPECT_EQ(first_difference(results, expected), -1);
}

TEST(segmented_reduce, builds_sums_of_half_in_float) {
  HEDDLE_NAME_SEED();
  workspace work;
  expect_reduced<__half>(work, random_lengths(20000, 40, 10), heddle::plus{}, "into float");
  const lengths all(5, 4096);
  const auto offsets = offsets_of(all);
  const std::vector<__half> values(static_cast<std::size_t>(offsets.back()), __half(1.0f));
  const device_array<__half> input(values);
  const device_array<std::int64_t> begins(offsets);
  const auto results = results_in_guards<__half>(all.size(), [&](__half* output) {
    device::segmented_reduce(work, input.data(), begins.data(), 5, output);
  });
  for (const __half result : results) EXPECT_EQ(static_cast<float>(result), 4096.0f);
}

// Values that do not fill a vector, and large values.
template <int count>
struct several {
  std::uint32_t words[count];
  friend __host__ __device__ bool operator==(const several& a, const several& b) {
    for (int i = 0; i < count; ++i) {
      if (a.words[i] != b.words[i]) return false;
    }
    return true;
  }
};
// x -> scale * x + shift in the first and last word, sums in between; has no identity.
template <int count>
struct then_several {
  __host__ __device__ several<count> operator()(const several<count>& a,
                                                const several<count>& b) const {
    several<count> result;
    for (int i = 0; i < count; ++i) result.words[i] = a.words[i] + b.words[i];
    result.words[0] = a.words[0] * b.words[0];
    result.words[count - 1] = a.words[count - 1] * b.words[0] + b.words[count - 1];
    return result;
  }
};

template <int count>
void expect_structs_reduced() {
  workspace work;
  const auto all = random_lengths(6000, 17, 20);
  const auto offsets = offsets_of(all);
  std::vector<several<count>> values(static_cast<std::size_t>(offsets.back()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (int j = 0; j < count; ++j) {
      values[i].words[j] = static_cast<std::uint32_t>(sample_bits(seed() + j, i)) | 1;
    }
  }
  several<count> initial{};
  for (int j = 0; j < count; ++j) initial.words[j] = static_cast<std::uint32_t>(2 * j + 3);
  const device_array<several<count>> input(values);
  const std::vector<int> narrow(offsets.begin(), offsets.end());
  const device_array<int> begins(narrow);
  const then_several<count> op;
  const auto results = results_in_guards<several<count>>(all.size(), [&](several<count>* output) {
    device::segmented_reduce(work, input.data(), begins.data(),
                             static_cast<std::int64_t>(all.size()), output, op, initial);
  });
  EXPECT_EQ(first_difference(results, reduced(values, offsets, op, true, initial)), -1);
}

TEST(segmented_reduce, combines_structs_after_an_initial_value) {
  HEDDLE_NAME_SEED();
  expect_structs_reduced<3>();
  expect_structs_reduced<4>();
  expect_structs_reduced<16>();
}

struct squared {
  __host__ __device__ std::uint32_t operator()(std::int64_t i) const {
    return static_cast<std::uint32_t>(i * i);
  }
};
struct every_seventh {
  __host__ __device__ std::int64_t operator()(std::int64_t i) const { return 7 * i + (5ll << 32); }
};

TEST(segmented_reduce, reads_iterators_far_above_two_to_the_31) {
  workspace work;
  const device::transformed<device::counting<>, squared> input{{0}, {}};
  const device::transformed<device::counting<>, every_seventh> offsets{{0}, {}};
  const auto results = results_in_guards<std::uint32_t>(2000, [&](std::uint32_t* output) {
    device::segmented_reduce(work, input, offsets, 2000, output);
  });
  for (std::int64_t i = 0; i < 2000; ++i) {
    std::uint32_t expected = 0;
    for (std::int64_t j = 0; j < 7; ++j) expected += squared{}(every_seventh{}(i) + j);
    ASSERT_EQ(results[static_cast<std::size_t>(i)], expected) << i;
  }
}

TEST(segmented_reduce, does_nothing_without_segments_and_refuses_fewer) {
  workspace work;
  const device_array<int> input(1), begins(std::vector<int>{0});
  results_in_guards<int>(0, [&](int* output) {
    device::segmented_reduce(work, input.data(), begins.data(), 0, output);
  });
  EXPECT_THROW(device::segmented_reduce(work, input.data(), begins.data(), -1, input.data()),
               heddle::error);
}

TEST(segmented_reduce, gives_the_same_bits_on_every_run) {
  HEDDLE_NAME_SEED();
  workspace work;
  const auto all = random_lengths(60000, 900, 5);
  const auto offsets = offsets_of(all);
  std::vector<float> values(static_cast<std::size_t>(offsets.back()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = sample<float>(seed(), i);
  const device_array<float> input(values);
  const device_array<std::int64_t> begins(offsets);
  std::vector<float> before;
  for (int run = 0; run < 5; ++run) {
    SCOPED_TRACE("run " + std::to_string(run));
    const auto results = results_in_guards<float>(all.size(), [&](float* output) {
      device::segmented_reduce(work, input.data(), begins.data(),
                               static_cast<std::int64_t>(all.size()), output);
    });
    for (std::size_t i = 0; i < results.size(); ++i) {
      double exact = 0, magnitude = 0;
      for (std::int64_t j = offsets[i]; j < offsets[i + 1]; ++j) {
        exact += values[static_cast<std::size_t>(j)];
        magnitude += std::abs(values[static_cast<std::size_t>(j)]);
      }
      ASSERT_NEAR(results[i], exact, 40 * 0x1p-24 * magnitude) << "segment " << i;
    }
    if (run > 0) {
      ASSERT_EQ(first_difference(results, before), -1);
    }
    before = results;
  }
}

TEST(segmented_reduce, can_be_captured_and_replayed_with_other_contents) {
  HEDDLE_NAME_SEED();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "stream");
  {
    workspace work(stream);
    constexpr std::size_t segments = 300, count = 30000;
    const device_array<int> input(count), output(segments);
    const device_array<std::int64_t> begins(segments + 1);
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    device::segmented_reduce(work, input.data(), begins.data(), segments, output.data());
    device::segmented_reduce(work, input.data(), begins.data(), segments, output.data());
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "capture");
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    EXPECT_EQ(nodes, 2u) << "one launch for each call";
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
    for (std::uint64_t replay = 0; replay < 4; ++replay) {
      auto all = lengths(segments, 0);
      for (std::size_t i = 0; i < segments; ++i) {
        all[i] = static_cast<std::int64_t>(random_below(replay, i, i % 50 == replay ? 3000 : 20));
      }
      const auto offsets = offsets_of(all);
      std::vector<int> values(count);
      for (std::size_t i = 0; i < count; ++i) values[i] = sample<int>(seed() + replay, i);
      check(cudaMemcpy(input.data(), values.data(), count * sizeof(int), cudaMemcpyHostToDevice),
            "copy");
      check(cudaMemcpy(begins.data(), offsets.data(), (segments + 1) * sizeof(std::int64_t),
                       cudaMemcpyHostToDevice),
            "copy");
      check(cudaGraphLaunch(ready, stream), "replay");
      check(cudaStreamSynchronize(stream), "replay");
      EXPECT_EQ(
          first_difference(output.values(), reduced(values, offsets, heddle::plus{}, false, 0)), -1)
          << "replay " << replay;
    }
    check(cudaGraphExecDestroy(ready), "destroy");
    check(cudaGraphDestroy(graph), "destroy");
  }
  check(cudaStreamDestroy(stream), "stream");
}

}  // namespace
