// What a look-back finds before a tile, if tiles are published early, late, or by earlier launches.
#include <heddle/device/kernel/look_back.cuh>
#include <heddle/device/scan.cuh>

#include <cmath>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace device = heddle::device;
using device::detail::look_back;
using device::detail::look_back_board;
using device::detail::look_back_header;

constexpr std::uint32_t tiles = 3000;
constexpr std::uint32_t launch = 9;

__host__ __device__ affine map_of_tile(std::uint32_t tile) { return {2 * tile + 1, tile * 7 + 3}; }

// Board memory as earlier launches leave it: full of their words, which must not count as new.
class used_board_memory {
 public:
  explicit used_board_memory(std::size_t bytes) : memory_(words_of_earlier_launches(bytes)) {}
  std::byte* data() const { return reinterpret_cast<std::byte*>(memory_.data()); }

 private:
  static std::vector<std::uint64_t> words_of_earlier_launches(std::size_t bytes) {
    std::vector<std::uint64_t> words(bytes / sizeof(std::uint64_t));
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = (i % 3 == 0 ? 0 : std::uint64_t{launch - 1} << 32) | sample_bits(77, i) >> 32;
    }
    return words;
  }
  device_array<std::uint64_t> memory_;
};

// The second block publishes all tiles while the first one looks at some of them, in the given
// order. So it has to wait for those that are not published yet.
template <typename T, typename Op, typename OfTile>
__global__ void publish_and_look(look_back_board<T> board, OfTile of_tile, bool has_initial,
                                 T initial, const std::uint32_t* asked, int count, bool keeps_apart,
                                 T* answers) {
  if (blockIdx.x == 1) {
    for (std::uint32_t tile = threadIdx.x; tile < board.tiles; tile += blockDim.x) {
      board.publish_aggregate(launch, tile, of_tile(tile));
    }
    return;
  }
  look_back<T, Op> going(board, launch, has_initial, initial, Op{});
  for (int i = 0; i < count; ++i) {
    // A new warp for each tile must look back to the beginning, or to a published prefix.
    look_back<T, Op> starting(board, launch, has_initial, initial, Op{});
    const T found = keeps_apart ? starting.before(asked[i]) : going.before(asked[i]);
    answers[i * heddle::warp_size + heddle::lane_id()] = found;
  }
}

struct affine_of_tile {
  __device__ affine operator()(std::uint32_t tile) const { return map_of_tile(tile); }
};
struct float_of_tile {
  std::uint64_t seed;
  __device__ float operator()(std::uint32_t tile) const { return sample<float>(seed, tile); }
};

template <typename T, typename Op, typename OfTile>
std::vector<T> looked_back(const std::vector<std::uint32_t>& asked, OfTile of_tile,
                           bool has_initial, T initial, bool keeps_apart) {
  using board = look_back_board<T>;
  const used_board_memory memory(board::bytes_for(tiles));
  const device_array<std::uint32_t> questions(asked);
  const device_array<T> answers(asked.size() * heddle::warp_size);
  publish_and_look<T, Op><<<2, heddle::warp_size>>>(
      board(memory.data(), tiles), of_tile, has_initial, initial, questions.data(),
      static_cast<int>(asked.size()), keeps_apart, answers.data());
  check(cudaGetLastError(), "the launch");
  check(cudaDeviceSynchronize(), "the kernel");
  return answers.values();
}

std::vector<std::uint32_t> ascending_tiles() {
  std::vector<std::uint32_t> asked;
  std::uint32_t tile = 0;
  for (std::uint64_t i = 0; tile < tiles; ++i) {
    asked.push_back(tile);
    const std::uint64_t bits = sample_bits(seed(), i);
    tile += 1 + static_cast<std::uint32_t>(bits % (bits >> 60 == 0 ? 900 : 70));
  }
  return asked;
}

TEST(device_look_back, keeps_the_order_of_tiles) {
  HEDDLE_NAME_SEED();
  const auto asked = ascending_tiles();
  for (const bool has_initial : {false, true}) {
    for (const bool keeps_apart : {false, true}) {
      const auto found = looked_back<affine, then>(asked, affine_of_tile{}, has_initial,
                                                   affine{5, 6}, keeps_apart);
      std::vector<affine> before(tiles);
      affine running{5, 6};
      for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        before[tile] = running;
        running = tile > 0 || has_initial ? then{}(running, map_of_tile(tile)) : map_of_tile(tile);
      }
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if (asked[i] == 0 && !has_initial) continue;
        for (std::size_t lane = 0; lane < heddle::warp_size; ++lane) {
          ASSERT_EQ(found[i * heddle::warp_size + lane], before[asked[i]]) << "tile " << asked[i];
        }
      }
    }
  }
}

TEST(device_look_back, gives_the_same_bits_on_every_path) {
  HEDDLE_NAME_SEED();
  const auto asked = ascending_tiles();
  const auto once =
      looked_back<float, heddle::plus>(asked, float_of_tile{seed()}, true, 0.5f, false);
  const auto apart =
      looked_back<float, heddle::plus>(asked, float_of_tile{seed()}, true, 0.5f, true);
  EXPECT_EQ(once, apart);
  std::vector<double> before(tiles);
  double sum = 0.5, magnitude = 0.5;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    before[tile] = sum;
    sum += sample<float>(seed(), tile);
    magnitude += std::abs(sample<float>(seed(), tile));
  }
  for (std::size_t i = 0; i < once.size(); ++i) {
    const std::uint32_t tile = asked[i / heddle::warp_size];
    ASSERT_NEAR(once[i], before[tile], 1e-5 * magnitude) << "tile " << tile;
  }
}

TEST(device_look_back, wraps_its_launch_number_after_2_to_the_32_launches) {
  HEDDLE_NAME_SEED();
  heddle::device::workspace work;
  const std::int64_t count = 70'000;
  std::vector<int> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = sample<int>(seed(), i);
  const device_array<int> input(values);
  const device_array<int> output(values.size());
  const auto scan = [&](std::int64_t scanned) {
    check(cudaMemset(output.data(), 0xa5, values.size() * sizeof(int)), "poison");
    device::inclusive_scan(work, static_cast<const int*>(input.data()), output.data(), scanned);
    check(cudaDeviceSynchronize(), "the scan");
    const auto results = output.values();
    unsigned sum = 0;
    for (std::int64_t i = 0; i < scanned; ++i) {
      sum += static_cast<unsigned>(values[static_cast<std::size_t>(i)]);
      ASSERT_EQ(static_cast<unsigned>(results[static_cast<std::size_t>(i)]), sum) << i;
    }
  };
  scan(count);  // leaves the words of launch 1 behind
  std::byte* const memory = work.kept<device::detail::scan_memory>(1);
  look_back_header header{};
  check(cudaMemcpy(&header, memory, sizeof(header), cudaMemcpyDeviceToHost), "read");
  EXPECT_EQ(header.launches_and_tile, 1ull << 32);
  const std::uint64_t words = header.words;
  header.launches_and_tile = static_cast<std::uint64_t>(look_back_board<int>::last_launch - 2)
                             << 32;
  check(cudaMemcpy(memory, &header, sizeof(header), cudaMemcpyHostToDevice), "write");
  scan(count);
  scan(10'000);  // fewer tiles than have words to clear
  check(cudaMemcpy(&header, memory, sizeof(header), cudaMemcpyDeviceToHost), "read");
  EXPECT_EQ(header.launches_and_tile, 0u);
  EXPECT_EQ(header.words, words);
  std::vector<std::uint64_t> left(words, 1);
  check(cudaMemcpy(left.data(), memory + device::detail::look_back_header_bytes, 8 * words,
                   cudaMemcpyDeviceToHost),
        "read");
  EXPECT_EQ(left, std::vector<std::uint64_t>(words, 0));
  scan(count);
  scan(count);
}

}  // namespace
