// Splits a warp in two by a mask and runs both sides as groups, built in every possible way.
#pragma once
#include <heddle/group/lanes.cuh>
#include <heddle/group/members.cuh>
#include <heddle/group/split.cuh>

#include <algorithm>
#include <string>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace heddle_test {

// Every number of first lanes, halves and combs, lanes {0, 5, 31}, sparse and dense random sets.
inline std::vector<heddle::lane_mask> masks_of_interest(std::uint64_t seed) {
  std::vector<heddle::lane_mask> masks{0x80000021u, 0xffff0000u, 0xaaaaaaaau, 0x00ff00ffu,
                                       0x80000000u, 0x80000001u, 0x7ffffffeu};
  for (int count = 1; count <= 32; ++count) masks.push_back(0xffffffffu >> (32 - count));
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto random = [&](std::uint64_t k) {
      return static_cast<heddle::lane_mask>(sample_bits(seed, 1000 * i + k) >> 32);
    };
    const heddle::lane_mask thick = random(0), thin = thick & random(1) & random(2);
    masks.push_back(i % 2 == 0 ? thick : thin);
  }
  return masks;
}

// The lanes on the side of `lane`, in order.
inline std::vector<int> side_of(heddle::lane_mask mask, int lane) {
  std::vector<int> side;
  for (int other = 0; other < 32; ++other) {
    if ((mask >> other & 1) == (mask >> lane & 1)) side.push_back(other);
  }
  return side;
}

enum class made_as { lanes, coalesced_group, labelled_partition, part, count };

inline std::string name_of(made_as kind) {
  const char* const names[] = {"lanes", "a coalesced group", "a labelled partition", "a part"};
  return names[static_cast<int>(kind)];
}

// In block i both sides of masks[i] are groups, and each calls `verb(group)`, an object whose
// results have type `Verb::answer`.
template <typename Verb>
struct work_on_both_sides {
  const heddle::lane_mask* masks;
  made_as kind;
  Verb verb;
  __device__ typename Verb::answer operator()() const {
    namespace cg = cooperative_groups;
    const heddle::lane_mask mask = masks[blockIdx.x];
    const bool is_in = heddle::contains(mask, heddle::lane_id());
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    switch (kind) {
      case made_as::lanes:
        return verb(heddle::group::lanes(is_in ? mask : ~mask));
      case made_as::coalesced_group:
        return verb(cg::binary_partition(warp, is_in));
      case made_as::labelled_partition:
        return verb(cg::labeled_partition(warp, is_in ? 7 : -3));
      default:
        return verb(heddle::group::split_by_predicate(warp, is_in));
    }
  }
};

// Runs `verb` in every lane and checks each result with `is_right(answer, first, place, side)`:
// `side` holds the lanes of the group in order, `place` is the caller's rank among them, and
// `first` is the grid-wide number of its warp's first thread.
template <typename Verb, typename IsRight>
void expect_on_both_sides(const Verb& verb, const IsRight& is_right) {
  const auto masks = masks_of_interest(seed());
  const device_array<heddle::lane_mask> on_device(masks);
  for (int way = 0; way < static_cast<int>(made_as::count); ++way) {
    const auto kind = static_cast<made_as>(way);
    const work_on_both_sides<Verb> work{on_device.data(), kind, verb};
    const auto answers = answers_of(work, 32, static_cast<unsigned>(masks.size()));
    for (std::size_t block = 0; block < masks.size(); ++block) {
      for (int lane = 0; lane < 32; ++lane) {
        const auto side = side_of(masks[block], lane);
        const int place =
            static_cast<int>(std::find(side.begin(), side.end(), lane) - side.begin());
        const int first = static_cast<int>(32 * block);
        ASSERT_TRUE(is_right(answers[first + lane], first, place, side))
            << "lane " << lane << " of mask " << std::hex << masks[block] << " as "
            << name_of(kind);
      }
    }
  }
}

// Calls verb(tile) in tiles of `size` threads, 1 … 32.
template <typename Verb>
struct work_in_tiles {
  int size;
  Verb verb;
  __device__ typename Verb::answer operator()() const {
    namespace cg = cooperative_groups;
    const auto block = cg::this_thread_block();
    switch (size) {
      case 1:
        return verb(cg::tiled_partition<1>(block));
      case 2:
        return verb(cg::tiled_partition<2>(block));
      case 4:
        return verb(cg::tiled_partition<4>(block));
      case 8:
        return verb(cg::tiled_partition<8>(block));
      case 16:
        return verb(cg::tiled_partition<16>(block));
      default:
        return verb(cg::tiled_partition<32>(block));
    }
  }
};

// The same for tiles of every size in a block of 64 threads.
template <typename Verb, typename IsRight>
void expect_in_tiles(const Verb& verb, const IsRight& is_right) {
  for (int size = 1; size <= 32; size *= 2) {
    const auto answers = answers_of(work_in_tiles<Verb>{size, verb}, 64);
    for (int thread = 0; thread < 64; ++thread) {
      std::vector<int> tile;
      for (int i = 0; i < size; ++i) tile.push_back(thread / size * size + i);
      ASSERT_TRUE(is_right(answers[thread], 0, thread % size, tile))
          << "thread " << thread << " in tiles of " << size;
    }
  }
}

}  // namespace heddle_test
