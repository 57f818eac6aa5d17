// Vector clocks agree with plain maps, joined and pruned.
#include "checker/race/vector_clock.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace heddle_checker {
namespace {

using plain = std::map<std::pair<instance_id, unsigned>, segment_id>;  // by block and thread

struct pair_of_both {
  vector_clock compact;
  plain full;
};

constexpr unsigned blocks = 40, threads = 70;

pair_of_both some(std::mt19937& random) {
  const instance_id block = 1 + random() % blocks * 977;
  const segment_id all = random() % 50;
  std::vector<unit_known> units;
  pair_of_both fresh;
  for (unsigned thread = 0; thread < threads; ++thread) fresh.full[{block, thread}] = all;
  for (unsigned warp = 0; warp < 3; ++warp) {
    if (random() % 2 == 0) continue;
    units.push_back({unit_known::warp(warp), static_cast<segment_id>(random() % 80)});
    for (unsigned thread = 32 * warp; thread < std::min(threads, 32 * warp + 32); ++thread) {
      segment_id& until = fresh.full[{block, thread}];
      until = std::max(until, units.back().until);
    }
  }
  for (unsigned thread = 0; thread < threads; ++thread) {
    if (random() % 20 != 0) continue;
    units.push_back({unit_known::lane(thread), static_cast<segment_id>(random() % 100)});
    segment_id& until = fresh.full[{block, thread}];
    until = std::max(until, units.back().until);
  }
  fresh.compact = vector_clock::of_block(block, all, units);
  return fresh;
}

void join(pair_of_both& into, const pair_of_both& other) {
  into.compact.join(other.compact);
  for (const auto& [who, until] : other.full) into.full[who] = std::max(into.full[who], until);
}

void expect_same(const pair_of_both& both) {
  for (unsigned block = 0; block < blocks; ++block) {
    for (unsigned thread = 0; thread < threads; ++thread) {
      const instance_id number = 1 + block * 977;
      const auto found = both.full.find({number, thread});
      const segment_id until = found == both.full.end() ? 0 : found->second;
      if (until != 0) {
        ASSERT_TRUE(both.compact.knows(number, thread, until));
      }
      ASSERT_FALSE(both.compact.knows(number, thread, until + 1));
    }
  }
}

TEST(vector_clock, agrees_with_plain_maps) {
  std::mt19937 random(7);
  std::vector<pair_of_both> all(12);
  for (unsigned round = 0; round < 3000; ++round) {
    pair_of_both& one = all[random() % all.size()];
    switch (random() % 4) {
      case 0:
        join(one, some(random));
        break;
      case 1:
        join(one, all[random() % all.size()]);
        break;
      case 2:
        one = all[random() % all.size()];
        break;
      case 3: {
        const instance_id block = 1 + random() % blocks * 977;
        one.compact.drop(block);
        std::erase_if(one.full, [&](const auto& each) { return each.first.first == block; });
      }
    }
    if (round % 50 == 0) expect_same(one);
  }
  for (const pair_of_both& each : all) expect_same(each);
}

TEST(vector_clock, keeps_its_tree_if_a_join_adds_nothing) {
  std::mt19937 random(8);
  vector_clock large;
  for (unsigned i = 0; i < 100; ++i) large.join(some(random).compact);
  const vector_clock before = large;
  large.join(before);
  EXPECT_TRUE(large == before);
  vector_clock part = some(random).compact;
  large.join(part);
  const vector_clock after = large;
  large.join(part);
  EXPECT_TRUE(large == after);
  part.join(large);
  EXPECT_TRUE(part == after);
}

TEST(vector_clock, keeps_agents_apart_from_blocks) {
  vector_clock both = vector_clock::of_block(5, 10);
  both.join(vector_clock::of_agent(5, 3));
  both.join(vector_clock::of_agent(9, 0));
  EXPECT_TRUE(both.knows(5, 0, 10));
  EXPECT_TRUE(both.knows_all_of(5, 3));
  EXPECT_FALSE(both.knows_all_of(5, 4));
  std::vector<agent> seen;
  both.any_agent([&](agent each) {
    seen.push_back(each);
    return false;
  });
  EXPECT_EQ(seen, (std::vector<agent>{5, 9}));
  both.drop_if([](instance_id which, segment_id last) { return which == 5 && last == 10; });
  EXPECT_FALSE(both.knows(5, 0, 1));
  EXPECT_TRUE(both.knows_all_of(5, 3));
}

}  // namespace
}  // namespace heddle_checker
