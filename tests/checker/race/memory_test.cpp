// Single bytes, access sizes, reader sets, and memory that was allocated again.
#include "scene.hpp"

namespace heddle_checker {
namespace {

class detector_memory : public scene {};

TEST_F(detector_memory, lets_different_lanes_write_adjacent_bytes) {
  for (unsigned i = 0; i < 96; ++i) write({0, i}, data + i, 1);
  expect_silence();
  read({1, 0}, data + 5, 1);
  expect_race({0, 5}, {1, 0});
}

TEST_F(detector_memory, lets_different_lanes_write_adjacent_halves) {
  for (unsigned i = 0; i < 96; ++i) write({0, i}, data + 2 * i, 2);
  expect_silence();
  write({1, 0}, data + 6, 2);
  expect_race({0, 3}, {1, 0});
}

TEST_F(detector_memory, compares_bytes_whatever_the_access_sizes) {
  for (const unsigned first : {1u, 2u, 4u, 8u, 16u}) {
    for (const unsigned second : {1u, 2u, 4u, 8u, 16u}) {
      for (unsigned i = 0; i < 16 / first; ++i) {
        for (unsigned j = 0; j < 16 / second; ++j) {
          detector.forget(data, 64);
          const unsigned begin = i * first, other = j * second;
          write({0, 1}, data + begin, first, 100 + first * 16 + i);
          read({1, 1}, data + other, second, 1000 + second * 16 + j);
          const bool overlaps = begin < other + second && other < begin + first;
          EXPECT_EQ(reported.size(), overlaps ? 1u : 0u) << begin << " " << other;
          reported.clear();
        }
      }
    }
  }
}

TEST_F(detector_memory, keeps_the_history_of_a_word_when_its_bytes_are_accessed) {
  write({0, 1}, data, 4);
  write({0, 1}, data + 8, 1);
  read({1, 1}, data + 2, 1);
  expect_race({0, 1}, {1, 1});
}

TEST_F(detector_memory, keeps_reader_sets_when_bytes_are_accessed) {
  for (unsigned thread = 0; thread < threads; ++thread) read({0, thread});
  read({0, 0}, data + 64, 2);
  write({0, 0}, data + 66, 1);
  barrier(0);
  write({0, 5}, data + 1, 1);
  expect_silence();
  write({1, 5}, data + 3, 1);
  ASSERT_EQ(reported.size(), 1u);
}

TEST_F(detector_memory, handles_accesses_across_words_and_lines) {
  write({0, 1}, data + 1023 - 64, 7);
  read({1, 1}, data + 1029 - 64, 1);
  expect_race({0, 1}, {1, 1});
}

TEST_F(detector_memory, covers_addresses_outside_the_arena) {
  write({0, 1}, 4096, 4);
  read({0, 1}, 4096, 4);
  read({1, 1}, 4100, 4);
  expect_silence();
  read({1, 1}, 4098, 2);
  expect_race({0, 1}, {1, 1});
}

TEST_F(detector_memory, covers_all_bytes_of_a_copy) {
  write({0, 1}, data, 5000);
  barrier(0);
  read({0, 50}, data + 16, 5000 - 16);
  expect_silence();
  read({1, 1}, data + 4996, 4);
  expect_race({0, 1}, {1, 1});
}

TEST_F(detector_memory, has_no_history_after_forget) {
  write({0, 1}, data, 4);
  write({0, 1}, data + 4, 1);
  write({0, 1}, 4096, 4);
  detector.forget(data, 8);
  detector.forget(4096, 4);
  write({1, 1}, data, 8);
  write({1, 1}, 4096, 4);
  expect_silence();
}

TEST_F(detector_memory, keeps_the_history_next_to_forgotten_memory) {
  write({0, 1}, data, 12);
  detector.forget(data + 4, 4);
  write({1, 1}, data + 4, 4);
  expect_silence();
  write({1, 1}, data + 8, 4);
  expect_race({0, 1}, {1, 1});
}

TEST_F(detector_memory, forgets_large_ranges) {
  constexpr unsigned all = 8u << 20;
  write({0, 1}, base, all);
  read({0, 1}, base + 1001, 1);
  detector.forget(base + 4, all - 8);
  write({1, 1}, base + 4, all - 8);
  expect_silence();
  read({1, 1}, base, 4);
  expect_race({0, 1}, {1, 1});
}

TEST_F(detector_memory, clears_shared_memory_for_each_block) {
  block_clock* const first = detector.begin_block(grid, 5, threads, data, 256);
  detector.access(*first, 1, data, 4, direction::write, line(1));
  for (unsigned thread = 0; thread < threads; ++thread) {
    detector.access(*first, thread, data + 8, 4, direction::read, line(1));
  }
  detector.end_block(first);
  block_clock* const second = detector.begin_block(grid, 6, threads, data, 256);
  detector.access(*second, 2, data, 4, direction::read, line(1));
  detector.access(*second, 2, data + 8, 4, direction::write, line(1));
  expect_silence();
  detector.access(*second, 3, data + 8, 4, direction::read, line(1));
  EXPECT_EQ(reported.size(), 1u);
}

TEST_F(detector_memory, remembers_readers_of_one_warp) {
  for (unsigned thread = 0; thread < 32; ++thread) read({0, thread});
  detector.warp_sync(*block[0], 0, 0x7fffffff);
  write({0, 3});
  expect_race({0, 31}, {0, 3});
}

TEST_F(detector_memory, reports_an_unordered_write_after_a_million_reads) {
  for (unsigned i = 0; i < 1 << 14; ++i) {
    block_clock* const fresh = detector.begin_block(grid, 2 + i, 64);
    for (unsigned thread = 0; thread < 64; ++thread) {
      detector.access(*fresh, thread, data, 4, direction::read, line(1));
    }
    detector.end_block(fresh);
  }
  expect_silence();
  write({1, 3});
  EXPECT_EQ(reported.size(), 1u);
}

TEST_F(detector_memory, accepts_an_ordered_write_after_a_million_reads) {
  for (unsigned i = 0; i < 1 << 14; ++i) {
    block_clock* const fresh = detector.begin_block(grid, 2 + i, 64);
    for (unsigned thread = 0; thread < 64; ++thread) {
      detector.access(*fresh, thread, data, 4, direction::read, line(1));
    }
    detector.end_block(fresh);
  }
  detector.grid_barrier(grid);
  write({1, 3});
  expect_silence();
}

TEST_F(detector_memory, returns_reader_sets_to_the_pool) {
  for (unsigned round = 0; round < 1000; ++round) {
    for (unsigned i = 0; i < 64; ++i) {
      for (unsigned thread = 0; thread < threads; thread += 8) read({0, thread}, data + 4 * i);
    }
    barrier(0);
    for (unsigned i = 0; i < 64; ++i) write({0, i}, data + 4 * i);
    barrier(0);
  }
  expect_silence();
  EXPECT_EQ(detector.reader_sets_in_use(), 0u);
}

TEST_F(detector_memory, reclaims_forgotten_reader_sets) {
  for (unsigned round = 0; round < 2000; ++round) {
    for (unsigned i = 0; i < 64; ++i) {
      for (unsigned thread = 0; thread < threads; thread += 32) read({0, thread}, data + 4 * i);
    }
    detector.forget(data, 4 * 64);
  }
  expect_silence();
  EXPECT_LT(detector.reader_sets_in_use(), 40000u);
}

TEST_F(detector_memory, reports_a_race_once_for_all_lanes) {
  for (unsigned thread = 0; thread < threads; ++thread) write({0, thread}, data + 4 * thread);
  for (unsigned thread = 0; thread < threads; ++thread) read({1, thread}, data + 4 * thread);
  EXPECT_EQ(reported.size(), 1u);
  ASSERT_EQ(detector.races().size(), 1u);
  EXPECT_EQ(detector.races().at(0).times, threads);
  write({0, 0}, data, 4, 77);
  EXPECT_EQ(reported.size(), 2u);
}

TEST_F(detector_memory, reports_one_race_for_an_access_of_several_words) {
  write({0, 1}, data, 16);
  read({1, 1}, data, 16);
  ASSERT_EQ(detector.races().size(), 1u);
  EXPECT_EQ(detector.races().at(0).times, 1u);
}

// More synchronisations than there are segment numbers.
class short_memory : public scene {
 protected:
  short_memory() : scene(2, {.most_segments = 1000}) {}
};

TEST_F(short_memory, drops_history_without_a_false_alarm) {
  for (unsigned round = 0; round < 10000; ++round) {
    for (unsigned thread = 0; thread < threads; ++thread) write({0, thread}, data + 4 * thread);
    barrier(0);
    for (unsigned thread = 0; thread < threads; ++thread) {
      read({0, thread}, data + 4 * (threads - 1 - thread));
    }
    barrier(0);
    update({0, 3}, flag, order::acq_rel);
    update({1, 3}, flag, order::acq_rel);
    fence({1, 4});
    detector.warp_sync(*block[1], 0, 0xff);
  }
  expect_silence();
  EXPECT_GT(detector.losses(), 10u);
  write({0, 1});
  write({0, 2});
  expect_race({0, 1}, {0, 2});
}

TEST_F(short_memory, drops_nothing_when_everything_is_ordered) {
  race_detector long_run(base, arena_bytes, {}, {.worth_clearing = 100});
  agent last = long_run.begin_grid({});
  for (unsigned i = 0; i < 1000; ++i) {
    block_clock* const one = long_run.begin_block(last, 0, 32);
    long_run.access(*one, i % 32, data, 4, direction::write, line(1));
    long_run.end_block(one);
    long_run.end_grid(last);
    last = long_run.begin_grid({&last, 1});
  }
  EXPECT_EQ(long_run.losses(), 0u);
  EXPECT_TRUE(long_run.races().empty());
}

}  // namespace
}  // namespace heddle_checker
