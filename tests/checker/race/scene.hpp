// A fixture with two blocks, short functions for their lanes' accesses, and the reported races.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "checker/race/race_detector.hpp"

namespace heddle_checker {

struct lane_name {
  unsigned block;
  unsigned thread;
};

class scene : public ::testing::Test {
 protected:
  static constexpr std::uintptr_t base = std::uintptr_t{1} << 40;
  static constexpr std::size_t arena_bytes = std::size_t{1} << 24;
  static constexpr std::uintptr_t data = base + 64;
  static constexpr std::uintptr_t flag = base + 4096;
  static constexpr unsigned threads = 96;  // three warps

  explicit scene(unsigned count = 2, history_limits limits = {})
      : detector(
            base, arena_bytes, [this](const race& each) { reported.push_back(each); }, limits) {
    grid = detector.begin_grid({});
    for (unsigned i = 0; i < count; ++i) block.push_back(detector.begin_block(grid, i, threads));
  }

  static const void* line(unsigned number) {
    return reinterpret_cast<const void*>(std::uintptr_t{0x1000} + number);
  }

  void read(lane_name lane, std::uintptr_t address = data, unsigned bytes = 4, unsigned at = 1) {
    detector.access(*block[lane.block], lane.thread, address, bytes, direction::read, line(at));
  }
  void write(lane_name lane, std::uintptr_t address = data, unsigned bytes = 4, unsigned at = 2) {
    detector.access(*block[lane.block], lane.thread, address, bytes, direction::write, line(at));
  }
  void load(lane_name lane, std::uintptr_t address = flag, order ordering = order::relaxed,
            scope reach = scope::device, unsigned bytes = 4) {
    strong(lane, address, direction::read, ordering, reach, bytes, 3);
  }
  void store(lane_name lane, std::uintptr_t address = flag, order ordering = order::relaxed,
             scope reach = scope::device, unsigned bytes = 4) {
    strong(lane, address, direction::write, ordering, reach, bytes, 4);
  }
  void update(lane_name lane, std::uintptr_t address = flag, order ordering = order::relaxed,
              scope reach = scope::device, unsigned bytes = 4) {
    strong(lane, address, direction::update, ordering, reach, bytes, 5);
  }
  void load_volatile(lane_name lane, std::uintptr_t address = flag) {
    detector.strong_access(*block[lane.block], lane.thread, address, 4, direction::read,
                           strength::relaxed_volatile, scope::system, order::relaxed, line(6));
  }
  void store_volatile(lane_name lane, std::uintptr_t address = flag) {
    detector.strong_access(*block[lane.block], lane.thread, address, 4, direction::write,
                           strength::relaxed_volatile, scope::system, order::relaxed, line(7));
  }
  void fence(lane_name lane, scope reach = scope::device) {
    detector.fence(*block[lane.block], lane.thread, reach);
  }
  void barrier(unsigned which) { detector.block_barrier(*block[which]); }

  // Expects one race so far: an access of `first` with a later one of `second`.
  void expect_race(lane_name first, lane_name second) {
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_EQ(reported.at(0).first.block, first.block);
    EXPECT_EQ(reported.at(0).first.thread, first.thread);
    EXPECT_EQ(reported.at(0).second.block, second.block);
    EXPECT_EQ(reported.at(0).second.thread, second.thread);
  }
  void expect_silence() { EXPECT_EQ(reported.size(), 0u); }

  std::vector<race> reported;
  race_detector detector;
  agent grid;
  std::vector<block_clock*> block;

 private:
  void strong(lane_name lane, std::uintptr_t address, direction does, order ordering, scope reach,
              unsigned bytes, unsigned at) {
    detector.strong_access(*block[lane.block], lane.thread, address, bytes, does, strength::atomic,
                           reach, ordering, line(at));
  }
};

}  // namespace heddle_checker
