// Late loads: which stores a load may return, and which stores may be overtaken.
#include <random>
#include <set>

#include "axioms.hpp"
#include "scene.hpp"

namespace heddle_checker {
namespace {

// Memory with values, and a log of the events.
class late_loads : public scene {
 protected:
  explicit late_loads(unsigned blocks = 2) : scene(blocks) {
    detector.let_loads_be_late([this](unsigned count) { return choose(count); });
  }
  virtual unsigned choose(unsigned count) {
    offered = count;
    return std::min(next_choice, count - 1);
  }

  static std::uintptr_t address_of(unsigned location) { return flag + 8 * location; }

  std::uint64_t get(lane_name lane, unsigned location, order ordering = order::relaxed,
                    scope reach = scope::device) {
    late_value late = touch(lane, location, direction::read, ordering, reach, {});
    const std::uint64_t read = late.seen.value_or(memory[location]);
    note({model_event::kind::load, 0, 0, location, reach, ordering, read}, lane);
    return read;
  }
  void put(lane_name lane, unsigned location, std::uint64_t value, order ordering = order::relaxed,
           scope reach = scope::device) {
    const late_value late = touch(lane, location, direction::write, ordering, reach, value);
    overtaken += late.is_overtaken;
    if (!late.is_overtaken) memory[location] = value;
    note({model_event::kind::store, 0, 0, location, reach, ordering, 0, value}, lane);
  }
  std::uint64_t exchange(lane_name lane, unsigned location, std::uint64_t value,
                         order ordering = order::relaxed, scope reach = scope::device) {
    touch(lane, location, direction::update, ordering, reach, {});
    const std::uint64_t read = memory[location];
    memory[location] = value;
    note({model_event::kind::update, 0, 0, location, reach, ordering, read, value}, lane);
    return read;
  }
  void fence_now(lane_name lane, order ordering, scope reach = scope::device) {
    detector.fence(*block[lane.block], lane.thread, reach, ordering);
    note({model_event::kind::fence, 0, 0, 0, reach, ordering}, lane);
  }
  void meet(unsigned which, std::initializer_list<unsigned> players) {
    barrier(which);
    ++meetings;
    for (const unsigned thread : players) {
      model_event met{model_event::kind::barrier, 0, 0};
      met.meeting = meetings;
      note(met, {which, thread});
    }
  }

  std::vector<std::uint64_t> memory = std::vector<std::uint64_t>(4);
  std::vector<model_event> run;
  unsigned next_choice = ~0u;  // the oldest
  unsigned offered = 0;
  unsigned overtaken = 0;
  unsigned meetings = 0;

 private:
  late_value touch(lane_name lane, unsigned location, direction does, order ordering, scope reach,
                   std::optional<std::uint64_t> stored) {
    if (ordering == order::seq_cst) {
      note({model_event::kind::fence, 0, 0, 0, reach, ordering}, lane);
    }
    late_value late;
    late.held = memory[location];
    late.stored = stored;
    detector.strong_access(*block[lane.block], lane.thread, address_of(location), 4, does,
                           strength::atomic, reach, ordering, line(3), &late);
    return late;
  }
  void note(model_event what, lane_name lane) {
    what.lane = lane.block * threads + lane.thread;
    what.block = lane.block;
    run.push_back(what);
  }
};

constexpr lane_name one{0, 1};
constexpr lane_name two{1, 2};
constexpr lane_name three{1, 40};

TEST_F(late_loads, return_the_newest_store_if_it_is_chosen) {
  next_choice = 0;
  put(one, 0, 1);
  put(one, 0, 2);
  EXPECT_EQ(get(two, 0), 2u);
  EXPECT_EQ(offered, 3u);
}

TEST_F(late_loads, may_return_the_value_before_all_stores) {
  memory[0] = 7;
  put(one, 0, 1);
  put(one, 0, 2);
  EXPECT_EQ(get(two, 0), 7u);
}

TEST_F(late_loads, return_their_lanes_own_store) {
  put(one, 0, 1);
  EXPECT_EQ(get(one, 0), 1u);
}

TEST_F(late_loads, never_return_an_older_store_later) {
  put(one, 0, 1);
  put(one, 0, 2);
  next_choice = 1;
  EXPECT_EQ(get(two, 0), 1u);
  next_choice = ~0u;
  EXPECT_EQ(get(two, 0), 1u);
  EXPECT_EQ(get(three, 0), 0u);  // nothing orders this lane after the one above
  barrier(1);
  EXPECT_EQ(get(three, 0), 1u);  // now it does
}

TEST_F(late_loads, return_what_a_plain_write_has_stored) {
  put(one, 0, 1);
  barrier(0);
  write(one, address_of(0));
  memory[0] = 5;
  barrier(0);
  EXPECT_EQ(get({0, 3}, 0), 5u);
  EXPECT_EQ(offered, 0u);
}

TEST_F(late_loads, acquire_what_the_returned_store_released) {
  write(one);
  put(one, 0, 1, order::release);
  put(one, 0, 2);  // publishes what the release before it published
  write(one, data + 8);
  put(one, 0, 3, order::release);
  next_choice = 1;
  EXPECT_EQ(get(two, 0, order::acquire), 2u);
  read(two);
  expect_silence();
  read(two, data + 8);
  expect_race(one, two);
}

TEST_F(late_loads, keep_a_bounded_history) {
  for (std::uint64_t value = 1; value <= 100; ++value) put(one, 0, value);
  EXPECT_EQ(get(two, 0), 100 - past_stores::most_stores + 1);
}

TEST_F(late_loads, return_the_newest_store_in_a_failed_compare_and_swap) {
  put(one, 0, 1);
  late_value late;
  late.held = memory[0];
  late.takes_newest = true;
  detector.strong_access(*block[1], 2, address_of(0), 4, direction::read, strength::atomic,
                         scope::device, order::relaxed, line(3), &late);
  EXPECT_FALSE(late.seen);
  EXPECT_EQ(get(two, 0), 1u);  // the lane never reads an older value afterwards
}

TEST_F(late_loads, do_not_return_stores_of_an_earlier_block_in_shared_memory) {
  block_clock* const before = detector.begin_block(grid, 8, threads, flag, 64);
  block.push_back(before);
  put({2, 0}, 0, 1);
  put({2, 0}, 0, 2);
  detector.end_block(before);
  block[2] = detector.begin_block(grid, 9, threads, flag, 64);
  memory[0] = 9;
  EXPECT_EQ(get({2, 0}, 0), 9u);
}

TEST_F(late_loads, let_stores_be_overtaken_only_by_unordered_ones) {
  put(one, 0, 1);
  put(two, 0, 2);
  EXPECT_EQ(memory[0], 1u);  // the second is overtaken by the first
  put(two, 0, 3);
  EXPECT_EQ(memory[0], 1u);
  EXPECT_EQ(get(two, 0), 3u);
  EXPECT_EQ(get(one, 0), 1u);  // its own store is newer
  put(one, 0, 4);
  EXPECT_EQ(memory[0], 4u);
}

TEST_F(late_loads, put_no_store_between_an_update_and_what_it_read) {
  put(one, 0, 1);
  EXPECT_EQ(exchange(one, 0, 2), 1u);
  put(two, 0, 3);  // before the first store, not between it and the update
  EXPECT_EQ(memory[0], 2u);
  EXPECT_EQ(get(two, 0), 3u);
  next_choice = 1;
  EXPECT_EQ(get(three, 0), 1u);
}

// The axioms allow every run of random programs with random choices. The simple cases further down
// show that they can refuse a run.
class random_late_loads : public late_loads {
 protected:
  random_late_loads() : late_loads(3) {}
  unsigned choose(unsigned count) override {
    const unsigned chosen = static_cast<unsigned>(random() % count);
    late += chosen != 0;
    return chosen;
  }
  void play() {
    constexpr order load_orders[]{order::relaxed, order::relaxed, order::acquire, order::seq_cst};
    constexpr order store_orders[]{order::relaxed, order::relaxed, order::release, order::seq_cst};
    constexpr order update_orders[]{order::relaxed, order::acq_rel, order::release, order::acquire};
    constexpr lane_name players[]{{0, 0}, {0, 40}, {1, 0}, {1, 1}, {2, 0}};
    const unsigned locations = 1 + random() % 3;
    std::uint64_t value = 0;
    std::vector<unsigned> stores(locations);  // few, because every order of them is tried
    for (unsigned i = 0; i < 24; ++i) {
      const lane_name player = players[random() % 5];
      const unsigned location = static_cast<unsigned>(random() % locations);
      const scope reach = random() % 4 == 0 ? scope::block : scope::device;
      switch (random() % 8) {
        case 0:
        case 1:
          if (stores[location]++ < 5) {
            put(player, location, ++value, store_orders[random() % 4], reach);
          }
          break;
        case 2:
          if (stores[location]++ < 5) {
            exchange(player, location, ++value, update_orders[random() % 4], reach);
          }
          break;
        case 3:
          fence_now(player, random() % 2 == 0 ? order::acq_rel : order::seq_cst, reach);
          break;
        case 4:
          if (random() % 4 == 0) {
            player.block == 0   ? meet(0, {0, 40})
            : player.block == 1 ? meet(1, {0, 1})
                                : meet(2, {0});
            break;
          }
          [[fallthrough]];
        default:
          get(player, location, load_orders[random() % 4], reach);
      }
    }
  }
  std::mt19937 random;
  unsigned late = 0;
};

class one_random_run : public random_late_loads {
 public:
  void TestBody() override {}
  std::pair<unsigned, unsigned> check(unsigned seed) {
    random.seed(seed);
    play();
    EXPECT_TRUE(axioms(run).allow()) << "seed " << seed;
    return {late, overtaken};
  }
};

TEST(random_runs_with_late_loads, satisfy_the_axioms) {
  unsigned late = 0, overtaken = 0;
  for (unsigned seed = 1; seed <= 3000 && !::testing::Test::HasFailure(); ++seed) {
    const auto [some, others] = one_random_run().check(seed);
    late += some;
    overtaken += others;
  }
  EXPECT_GT(late, 3000u);
  EXPECT_GT(overtaken, 100u);
}

using kind = model_event::kind;

TEST(memory_model_axioms, refuse_a_lost_message) {
  std::vector<model_event> run{{kind::store, 0, 0, 0, scope::device, order::relaxed, 0, 1},
                               {kind::store, 0, 0, 1, scope::device, order::release, 0, 2},
                               {kind::load, 1, 1, 1, scope::device, order::acquire, 2},
                               {kind::load, 1, 1, 0, scope::device, order::relaxed, 0}};
  EXPECT_FALSE(axioms(run).allow());
  run[1].ordering = order::relaxed;
  EXPECT_TRUE(axioms(run).allow());
  run[1].ordering = order::release;
  run[2].reach = scope::block;
  EXPECT_TRUE(axioms(run).allow());
}

TEST(memory_model_axioms, refuse_store_buffering_with_seq_cst_fences) {
  std::vector<model_event> run{{kind::store, 0, 0, 0, scope::device, order::relaxed, 0, 1},
                               {kind::fence, 0, 0, 0, scope::device, order::seq_cst},
                               {kind::load, 0, 0, 1, scope::device, order::relaxed, 0},
                               {kind::store, 1, 1, 1, scope::device, order::relaxed, 0, 2},
                               {kind::fence, 1, 1, 0, scope::device, order::seq_cst},
                               {kind::load, 1, 1, 0, scope::device, order::relaxed, 0}};
  EXPECT_FALSE(axioms(run).allow());
  run[4].ordering = order::acq_rel;
  EXPECT_TRUE(axioms(run).allow());
}

TEST(memory_model_axioms, refuse_a_violation_of_coherence) {
  std::vector<model_event> run{{kind::store, 0, 0, 0, scope::device, order::relaxed, 0, 1},
                               {kind::store, 0, 0, 0, scope::device, order::relaxed, 0, 2},
                               {kind::load, 1, 1, 0, scope::device, order::relaxed, 2},
                               {kind::load, 1, 1, 0, scope::device, order::relaxed, 1}};
  EXPECT_FALSE(axioms(run).allow());
  std::swap(run[2].read, run[3].read);
  EXPECT_TRUE(axioms(run).allow());
}

}  // namespace
}  // namespace heddle_checker
