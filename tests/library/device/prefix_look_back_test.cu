// What a warp finds before a tile when prefixes and aggregates come in any order.
#include <heddle/device/prefix_look_back.cuh>
#include <heddle/device/run_look_back.cuh>

#include <cstring>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::detail::join_run_parts;
using heddle::device::detail::prefix_board;
using heddle::device::detail::prefix_look_back;
using heddle::device::detail::run_look_back;
using heddle::device::detail::run_part;

constexpr std::uint32_t tiles = 700;
constexpr std::uint32_t launch = 9;

// Board memory as earlier launches leave it: full of their words, which nobody may take for new.
std::vector<std::uint64_t> words_of_earlier_launches(std::size_t bytes) {
  std::vector<std::uint64_t> words(bytes / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = (i % 3 == 0 ? 0 : std::uint64_t{launch - 1} << 32) | sample_bits(77, i) >> 32;
  }
  return words;
}

// The second block publishes the aggregates of all tiles, and prefixes where they are wanted, from
// the last tile to the first or the other way round; the first looks at all tiles, one warp each
// third.
template <typename LookBack, typename T, typename Op>
__global__ void publish_and_look(prefix_board<T> board, const T* aggregates, const T* prefixes,
                                 const int* has_prefix, bool goes_down, Op op, T* answers) {
  const int lane = heddle::lane_id();
  if (blockIdx.x == 1) {
    for (std::uint32_t i = threadIdx.x; i < board.tiles; i += blockDim.x) {
      const std::uint32_t tile = goes_down ? board.tiles - 1 - i : i;
      if (has_prefix[tile] != 2) board.publish_aggregate(launch, tile, aggregates[tile]);
      if (has_prefix[tile] != 0) board.publish_inclusive(launch, tile, prefixes[tile]);
    }
    return;
  }
  const LookBack earlier_tiles(board, launch, op);
  const auto warps = blockDim.x / heddle::warp_size;
  for (auto tile = static_cast<std::uint32_t>(heddle::warp_rank()); tile < board.tiles;
       tile += warps) {
    const T found = earlier_tiles.before(tile);
    answers[tile * heddle::warp_size + static_cast<std::uint32_t>(lane)] = found;
  }
}

// 1: a tile's prefix is published as well, 2: instead of its aggregate. The first tile's always is.
std::vector<int> published_prefixes(std::uint64_t mean, std::uint64_t stream) {
  std::vector<int> has_prefix(tiles, 0);
  for (std::size_t i = 0; i < tiles; ++i) {
    const std::uint64_t bits = sample_bits(seed() + stream, i);
    if (bits % mean == 0) has_prefix[i] = bits >> 63 == 0 ? 1 : 2;
  }
  has_prefix[0] = 2;
  return has_prefix;
}

template <typename T>
bool has_same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Against the tiles put together from left to right.
template <typename LookBack, typename T, typename Op>
void expect_prefixes(const std::vector<T>& aggregates, const std::vector<T>& prefixes, Op op) {
  using board = prefix_board<T>;
  const device_array<T> made(aggregates), including(prefixes);
  for (const std::uint64_t mean : {3, 150, 1'000'000}) {
    for (const bool goes_down : {false, true}) {
      const device_array<std::uint64_t> memory(words_of_earlier_launches(board::bytes_for(tiles)));
      const device_array<int> has_prefix(published_prefixes(mean, goes_down ? mean : 0));
      const device_array<T> answers(std::size_t{tiles} * heddle::warp_size);
      publish_and_look<LookBack><<<2, 3 * heddle::warp_size>>>(
          board(reinterpret_cast<std::byte*>(memory.data()), tiles), made.data(), including.data(),
          has_prefix.data(), goes_down, op, answers.data());
      check(cudaGetLastError(), "the launch");
      check(cudaDeviceSynchronize(), "the kernel");
      const auto found = answers.values();
      for (std::size_t tile = 1; tile < tiles; ++tile) {
        for (std::size_t lane = 0; lane < heddle::warp_size; ++lane) {
          ASSERT_TRUE(has_same_bytes(found[tile * heddle::warp_size + lane], prefixes[tile - 1]))
              << "tile " << tile << ", lane " << lane << ", a prefix at every " << mean;
        }
      }
    }
  }
}

template <typename T, typename Op>
std::vector<T> prefixes_of(const std::vector<T>& aggregates, Op op) {
  std::vector<T> prefixes = aggregates;
  for (std::size_t i = 1; i < prefixes.size(); ++i) prefixes[i] = op(prefixes[i - 1], prefixes[i]);
  return prefixes;
}

TEST(device_prefix_look_back, counts_in_words_of_both_sizes) {
  HEDDLE_NAME_SEED();
  std::vector<std::uint32_t> few(tiles);
  std::vector<std::int64_t> many(tiles);
  for (std::size_t i = 0; i < tiles; ++i) {
    few[i] = static_cast<std::uint32_t>(sample_bits(seed(), i));
    many[i] = static_cast<std::int64_t>(sample_bits(seed(), i) >> 20);
  }
  expect_prefixes<prefix_look_back<std::uint32_t, heddle::plus>>(
      few, prefixes_of(few, heddle::plus{}), heddle::plus{});
  expect_prefixes<prefix_look_back<std::int64_t, heddle::plus>>(
      many, prefixes_of(many, heddle::plus{}), heddle::plus{});
}

TEST(device_prefix_look_back, keeps_the_order_of_tiles) {
  HEDDLE_NAME_SEED();
  std::vector<affine> maps(tiles);
  for (std::size_t i = 0; i < tiles; ++i) {
    const std::uint64_t bits = sample_bits(seed(), i);
    maps[i] = {static_cast<std::uint32_t>(bits) | 1, static_cast<std::uint32_t>(bits >> 32)};
  }
  expect_prefixes<prefix_look_back<affine, then>>(maps, prefixes_of(maps, then{}), then{});
}

// Values that are rounded at every step, so that every other order gives other bits.
template <typename Place, typename T>
void expect_open_runs(std::uint64_t mean) {
  using part = run_part<Place, T>;
  using join = join_run_parts<Place, T, heddle::plus>;
  std::vector<part> parts(tiles);
  std::memset(static_cast<void*>(parts.data()), 0, tiles * sizeof(part));
  for (std::size_t i = 0; i < tiles; ++i) {
    const std::uint64_t bits = sample_bits(seed() + mean, i);
    parts[i].begins = i == 0 || bits % mean == 0 ? static_cast<Place>(1 + bits % 5) : Place{0};
    parts[i].value = static_cast<T>(sample<float>(seed(), i));
  }
  std::vector<part> prefixes = parts;
  for (std::size_t i = 1; i < tiles; ++i) {
    prefixes[i].begins += prefixes[i - 1].begins;
    if (parts[i].begins == 0) prefixes[i].value = prefixes[i - 1].value + parts[i].value;
  }
  expect_prefixes<run_look_back<part, join>>(parts, prefixes, join{});
}

TEST(device_run_look_back, combines_the_open_run_from_left_to_right) {
  HEDDLE_NAME_SEED();
  for (const std::uint64_t mean : {1, 7, 100, 1'000'000}) {
    SCOPED_TRACE("a tile of every " + std::to_string(mean) + " has a begin");
    expect_open_runs<std::uint32_t, float>(mean);
    expect_open_runs<std::int64_t, double>(mean);
  }
}

}  // namespace
