// The linearizability check: histories that it must accept, and mistakes that it must refuse.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "container_models.hpp"
#include "support/seed.hpp"

namespace heddle_test {
namespace {

using passing_operation = operation<push_or_pop, outcome>;
using passing_history = std::vector<passing_operation>;

passing_operation push(unsigned value, moment from, moment to, bool succeeds = true) {
  return {0, {true, value}, outcome{succeeds, value}, from, to};
}
passing_operation pop(unsigned value, moment from, moment to) {
  return {1, {false, 0}, outcome{true, value}, from, to};
}
passing_operation empty(moment from, moment to) {
  return {1, {false, 0}, outcome{false, 0}, from, to};
}
passing_operation stopped(passing_operation one) {
  one.answer.reset();
  return one;
}
bool fits_queue(const passing_history& what, std::size_t capacity = 3) {
  return linearizability(queue_model(capacity)).explains(what);
}
bool fits_stack(const passing_history& what, std::size_t capacity = 3) {
  return linearizability(stack_model(capacity)).explains(what);
}

TEST(linearizability_test, accepts_only_the_order_of_time) {
  EXPECT_TRUE(fits_queue({}));
  EXPECT_TRUE(fits_queue({push(1, 0, 1), push(2, 2, 3), pop(1, 4, 5), pop(2, 6, 7)}));
  EXPECT_FALSE(fits_queue({push(1, 0, 1), push(2, 2, 3), pop(2, 4, 5), pop(1, 6, 7)}));
  EXPECT_TRUE(fits_stack({push(1, 0, 1), push(2, 2, 3), pop(2, 4, 5), pop(1, 6, 7)}));
  EXPECT_FALSE(fits_stack({push(1, 0, 1), push(2, 2, 3), pop(1, 4, 5), pop(2, 6, 7)}));
}

TEST(linearizability_test, accepts_either_order_of_overlapping_operations) {
  EXPECT_TRUE(fits_queue({push(1, 0, 3), push(2, 1, 2), pop(2, 4, 5), pop(1, 6, 7)}));
  EXPECT_TRUE(fits_queue({push(1, 0, 1), push(2, 2, 3), pop(2, 4, 7), pop(1, 5, 6)}));
  EXPECT_TRUE(fits_stack({push(1, 0, 3), push(2, 1, 2), pop(1, 4, 5), pop(2, 6, 7)}));
  // 2 is popped twice.
  EXPECT_FALSE(fits_queue(
      {push(1, 0, 3), push(2, 1, 2), pop(2, 4, 5), pop(1, 6, 7), push(3, 8, 9), pop(2, 10, 11)}));
}

TEST(linearizability_test, notices_a_lost_value) {
  EXPECT_FALSE(fits_queue({push(1, 0, 1), empty(2, 3)}));
  EXPECT_FALSE(fits_stack({push(1, 0, 1), push(2, 2, 3), pop(2, 4, 5), empty(6, 7)}));
}

TEST(linearizability_test, notices_a_duplicated_or_invented_value) {
  EXPECT_FALSE(fits_queue({push(1, 0, 1), pop(1, 2, 5), pop(1, 3, 4)}));
  EXPECT_FALSE(fits_stack({push(1, 0, 1), pop(1, 2, 5), pop(1, 3, 4)}));
  EXPECT_FALSE(fits_queue({push(1, 0, 1), pop(7, 2, 3)}));
  EXPECT_FALSE(fits_queue({pop(1, 0, 1), push(1, 2, 3)}));
}

TEST(linearizability_test, notices_a_wrong_empty) {
  EXPECT_TRUE(fits_queue({push(1, 0, 2), empty(1, 3)}));
  // The queue is never empty during the failed pop: 2 is pushed before 1 is popped.
  EXPECT_FALSE(fits_queue({push(1, 0, 1), empty(2, 7), push(2, 3, 4), pop(1, 5, 6)}));
  EXPECT_TRUE(fits_queue({push(1, 0, 1), empty(2, 7), push(2, 3, 5), pop(1, 4, 6)}));
}

TEST(linearizability_test, notices_a_wrong_full) {
  EXPECT_TRUE(fits_queue({push(1, 0, 1), push(2, 2, 3, false)}, 1));
  EXPECT_FALSE(fits_queue({push(1, 0, 1), push(2, 2, 3, false)}, 2));
  EXPECT_FALSE(fits_queue({push(1, 0, 1), pop(1, 2, 3), push(2, 4, 5, false)}, 1));
  EXPECT_FALSE(fits_stack({push(1, 0, 1), push(2, 2, 3), push(3, 4, 5)}, 2));
}

TEST(linearizability_test, counts_the_places_of_operations_in_flight) {
  // The pop has taken its value but may not have released the place.
  EXPECT_TRUE(fits_queue({push(1, 0, 1), pop(1, 2, 5), push(2, 3, 4, false)}, 1));
  EXPECT_TRUE(fits_queue({push(1, 0, 3), push(2, 1, 2, false)}, 1));
  // The other push can hold only one of the two places.
  EXPECT_FALSE(fits_queue({push(1, 0, 3), push(2, 1, 2, false)}, 2));
  EXPECT_FALSE(fits_queue({empty(0, 3), push(2, 1, 2, false)}, 1));
}

TEST(linearizability_test, lets_a_pop_make_a_push_fail_if_the_model_allows_it) {
  const passing_history overlap{push(1, 0, 2, false), empty(1, 3)};
  EXPECT_FALSE(linearizability(queue_model(3)).explains(overlap));
  EXPECT_TRUE(linearizability(queue_model(3, true)).explains(overlap));
  const passing_history apart{push(1, 0, 1, false), empty(2, 3)};
  EXPECT_FALSE(linearizability(queue_model(3, true)).explains(apart));
  const passing_history other_push{push(1, 0, 2, false), push(2, 1, 3)};
  EXPECT_FALSE(linearizability(queue_model(3, true)).explains(other_push));
}

TEST(linearizability_test, accepts_a_stopped_operation_with_or_without_its_effect) {
  const passing_operation half_done = stopped(push(1, 0, 0));
  EXPECT_TRUE(fits_queue({half_done, empty(1, 2)}));
  EXPECT_TRUE(fits_queue({half_done, empty(1, 2), pop(1, 3, 4)}));
  EXPECT_TRUE(fits_queue({half_done, pop(1, 1, 2)}));
  EXPECT_FALSE(fits_queue({half_done, pop(1, 1, 2), pop(1, 3, 4)}));
  EXPECT_TRUE(fits_queue({push(1, 0, 1), stopped(pop(0, 2, 0)), empty(3, 4)}));
  EXPECT_FALSE(fits_queue({push(1, 0, 1), push(2, 2, 3), stopped(pop(0, 4, 0)), empty(5, 6)}));
  // The stopped push holds one place, not two.
  EXPECT_TRUE(fits_queue({half_done, push(2, 1, 2, false)}, 1));
  EXPECT_FALSE(fits_queue({half_done, push(2, 1, 2, false)}, 2));
}

using set_operation = operation<set_call, set_answer>;
set_operation unite(unsigned one, unsigned other, bool answer, moment from, moment to) {
  return {0, {set_question::unite, one, other}, set_answer{answer}, from, to};
}
set_operation are_united(unsigned one, unsigned other, bool answer, moment from, moment to) {
  return {0, {set_question::are_united, one, other}, set_answer{answer}, from, to};
}
set_operation find(unsigned one, unsigned answer, moment from, moment to) {
  return {0, {set_question::find, one, 0}, set_answer{answer}, from, to};
}
bool fits_sets(const std::vector<set_operation>& what) {
  return linearizability(union_find_model(4)).explains(what);
}

TEST(linearizability_test, models_union_find) {
  EXPECT_TRUE(
      fits_sets({unite(1, 2, true, 0, 1), find(2, 1, 2, 3), are_united(0, 2, false, 4, 5)}));
  EXPECT_FALSE(fits_sets({unite(1, 2, true, 0, 1), find(2, 2, 2, 3)}));
  EXPECT_TRUE(fits_sets({unite(1, 2, true, 0, 3), find(2, 2, 1, 2)}));
  // Two lanes unite the same sets: exactly one of them succeeds.
  EXPECT_FALSE(fits_sets({unite(1, 2, true, 0, 3), unite(2, 1, true, 1, 2)}));
  EXPECT_FALSE(fits_sets({unite(1, 2, false, 0, 3), unite(2, 1, false, 1, 2)}));
  EXPECT_TRUE(fits_sets({unite(1, 2, false, 0, 3), unite(2, 1, true, 1, 2)}));
  // United sets stay united.
  EXPECT_FALSE(fits_sets(
      {unite(1, 2, true, 0, 9), are_united(1, 2, true, 1, 2), are_united(1, 2, false, 3, 4)}));
}

using map_operation = operation<map_call, map_answer>;
map_operation put(map_method method, unsigned key, unsigned value, map_word said, moment from,
                  moment to) {
  return {0, {method, key, value}, map_answer{said, 0}, from, to};
}
map_operation insert(unsigned key, unsigned value, map_word said, moment from, moment to) {
  return put(map_method::insert, key, value, said, from, to);
}
map_operation assign(unsigned key, unsigned value, map_word said, moment from, moment to) {
  return put(map_method::insert_or_assign, key, value, said, from, to);
}
map_operation erase(unsigned key, map_word said, moment from, moment to) {
  return put(map_method::erase, key, 0, said, from, to);
}
map_operation look(unsigned key, map_word said, unsigned value, moment from, moment to) {
  return {0, {map_method::find, key, 0}, map_answer{said, value}, from, to};
}
// A map of three keys; at the start it contains only the last one, with the value 9.
bool fits_map(const std::vector<map_operation>& what, std::size_t slots = 3,
              erased_slot rule = erased_slot::is_used_up) {
  return linearizability(map_model(slots, {std::nullopt, std::nullopt, 9u}, rule)).explains(what);
}

TEST(linearizability_test, models_maps) {
  constexpr map_word yes = map_word::yes, no = map_word::no;
  EXPECT_TRUE(fits_map({insert(0, 1, yes, 0, 1), insert(0, 2, no, 2, 3), look(0, yes, 1, 4, 5)}));
  EXPECT_TRUE(fits_map({insert(0, 1, yes, 0, 1), assign(0, 2, no, 2, 3), look(0, yes, 2, 4, 5)}));
  EXPECT_FALSE(fits_map({insert(0, 1, yes, 0, 1), insert(0, 2, no, 2, 3), look(0, yes, 2, 4, 5)}));
  EXPECT_FALSE(fits_map({insert(0, 1, yes, 0, 1), assign(0, 2, no, 2, 3), look(0, yes, 1, 4, 5)}));
  EXPECT_TRUE(fits_map({look(2, yes, 9, 0, 1), erase(2, yes, 2, 3), look(2, no, 0, 4, 5)}));
  EXPECT_FALSE(fits_map({erase(2, yes, 0, 1), look(2, yes, 9, 2, 3)}));
  EXPECT_FALSE(fits_map({look(2, no, 0, 0, 1)}));
  EXPECT_FALSE(fits_map({look(2, yes, 8, 0, 1)}));
  // If two lanes insert or erase a key at the same time, exactly one of them succeeds.
  EXPECT_FALSE(fits_map({insert(0, 1, yes, 0, 3), insert(0, 2, yes, 1, 2)}));
  EXPECT_FALSE(fits_map({insert(0, 1, no, 0, 3), insert(0, 2, no, 1, 2)}));
  EXPECT_FALSE(fits_map({erase(2, yes, 0, 3), erase(2, yes, 1, 2)}));
  EXPECT_TRUE(fits_map({insert(0, 1, yes, 0, 5), erase(0, yes, 2, 3), insert(0, 2, yes, 1, 4)}));
  // The stopped operation may or may not have replaced the value.
  map_operation half_done = assign(2, 1, no, 0, 0);
  half_done.answer.reset();
  EXPECT_TRUE(fits_map({half_done, look(2, yes, 9, 1, 2), look(2, yes, 1, 3, 4)}));
  EXPECT_FALSE(fits_map({half_done, look(2, yes, 1, 1, 2), look(2, yes, 9, 3, 4)}));
}

TEST(linearizability_test, counts_the_slots_of_a_map) {
  constexpr map_word yes = map_word::yes, full = map_word::full;
  constexpr erased_slot waits = erased_slot::waits_for_its_key;
  EXPECT_TRUE(fits_map({insert(0, 1, yes, 0, 1), insert(1, 1, full, 2, 3)}, 2));
  EXPECT_FALSE(fits_map({insert(0, 1, yes, 0, 1), insert(1, 1, full, 2, 3)}, 3));
  EXPECT_FALSE(fits_map({insert(0, 1, yes, 0, 1), insert(1, 1, yes, 2, 3)}, 2));
  // The slot of an erased key is used up until the next epoch, or only the same key can reuse it.
  EXPECT_TRUE(fits_map({erase(2, yes, 0, 1), insert(2, 1, full, 2, 3)}, 1));
  EXPECT_FALSE(fits_map({erase(2, yes, 0, 1), insert(2, 1, yes, 2, 3)}, 1));
  EXPECT_FALSE(fits_map({erase(2, yes, 0, 1), insert(2, 1, full, 2, 3)}, 1, waits));
  EXPECT_TRUE(fits_map({erase(2, yes, 0, 1), insert(2, 1, yes, 2, 3)}, 1, waits));
  EXPECT_FALSE(fits_map({erase(2, yes, 0, 1), insert(0, 1, yes, 2, 3)}, 1, waits));
  // An insertion in flight may hold a slot before its value is visible.
  const std::vector<map_operation> claims{insert(0, 1, yes, 0, 7), insert(1, 1, full, 1, 2),
                                          look(0, map_word::no, 0, 3, 4)};
  EXPECT_TRUE(fits_map(claims, 2, waits));
  EXPECT_FALSE(fits_map(claims, 3, waits));
  EXPECT_FALSE(fits_map(claims, 2));
}

// Applies the operations to a real object one after another. The interval of each one contains the
// moment at which it was applied, and the intervals of a lane do not overlap.
template <leaves_first which>
passing_history history_of_a_real_object(std::mt19937& random, std::size_t capacity) {
  constexpr moment stride = 16;
  std::array<moment, 4> lane_is_free_from{};
  std::vector<unsigned> object;
  passing_history history;
  for (unsigned i = 0; i < 14; ++i) {
    const unsigned lane = static_cast<unsigned>(random() % lane_is_free_from.size());
    const moment happens = (i + 1) * stride;
    const moment earliest = lane_is_free_from[lane];
    passing_operation one{lane, {random() % 2 == 0, i}, outcome{}, 0, 0};
    one.invoked = earliest + random() % (happens - earliest);
    one.returned = happens + random() % (stride - 1);
    lane_is_free_from[lane] = one.returned + 1;
    if (one.call.pushes) {
      one.answer = outcome{object.size() < capacity, i};
      if (one.answer->succeeds) object.push_back(i);
    } else if (!object.empty()) {
      const auto leaves = which == leaves_first::oldest ? object.begin() : object.end() - 1;
      one.answer = outcome{true, *leaves};
      object.erase(leaves);
    }
    history.push_back(one);
  }
  std::shuffle(history.begin(), history.end(), random);
  return history;
}

TEST(linearizability_test, accepts_histories_of_a_real_object) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 300; ++round) {
    const std::size_t capacity = 1 + round % 4;
    const auto in_order = history_of_a_real_object<leaves_first::oldest>(random, capacity);
    ASSERT_TRUE(fits_queue(in_order, capacity)) << text_of(in_order);
    const auto piled = history_of_a_real_object<leaves_first::newest>(random, capacity);
    ASSERT_TRUE(fits_stack(piled, capacity)) << text_of(piled);
  }
}

TEST(linearizability_test, refuses_a_real_history_with_a_changed_answer) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 300; ++round) {
    auto history = history_of_a_real_object<leaves_first::oldest>(random, 3);
    for (passing_operation& one : history) {
      if (one.call.pushes || !one.answer->succeeds) continue;
      one.answer->value += 1000;  // never pushed
      ASSERT_FALSE(fits_queue(history, 3)) << text_of(history);
      break;
    }
  }
}

TEST(linearizability_test, refuses_more_than_64_operations) {
  EXPECT_THROW(static_cast<void>(fits_queue(passing_history(65, empty(0, 1)))),
               std::invalid_argument);
}

}  // namespace
}  // namespace heddle_test
