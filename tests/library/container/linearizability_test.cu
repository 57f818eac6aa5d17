// Random small programs on the containers: one order of the operations must explain all results.
#include <heddle/container/hash_map.cuh>
#include <heddle/container/hash_set.cuh>
#include <heddle/container/queue.cuh>
#include <heddle/container/stack.cuh>
#include <heddle/container/union_find.cuh>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "../../support/container_models.hpp"
#include "asking_maps.cuh"
#include "asking_sets.cuh"
#include "parcel.cuh"
#include "recording.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::container::hash_map;
using heddle::container::hash_set;
using heddle::container::hash_set_view;
using heddle::container::insertion;
using heddle::container::queue;
using heddle::container::stack;
using heddle::container::union_find;
using heddle::container::union_find_view;

// HEDDLE_ROUNDS sets fewer rounds for runs in which every access is checked.
unsigned rounds() {
  const char* const given = std::getenv("HEDDLE_ROUNDS");
  return given == nullptr ? 200 : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

// ---- Queues and stacks: {pushes, value} -> {succeeds, value}

template <typename View, typename T>
struct passing_on {
  View view;
  __device__ void operator()(const step& what, heddle::lane_mask members, unsigned* answer) const {
    const bool pushes = what.words[0] != 0;
    const bool is_in = view.try_push(T(what.words[1]), pushes, members);
    T value{};
    const bool is_out = view.try_pop(value, !pushes, members);
    answer[0] = pushes ? is_in : is_out;
    answer[1] = pushes ? what.words[1] : is_out ? static_cast<unsigned>(value) : 0;
  }
};

operation<push_or_pop, outcome> translated(const step& what, const record& result) {
  return {
      0, {what.words[0] != 0, what.words[1]}, outcome{result.words[0] != 0, result.words[1]}, 0, 0};
}

// `make` constructs the object from its capacity and the number of lanes that will use it.
template <typename T, typename Model, typename Make>
void expect_explained(Make make) {
  HEDDLE_NAME_SEED();
  std::mt19937 random(static_cast<unsigned>(seed()));
  for (unsigned round = 0; round < rounds(); ++round) {
    const formation where = random_formation(random);
    const bool together = random() % 3 == 0;
    const std::size_t capacity = 1 + random() % 3;
    // With few lanes there is time to go around a ring while one lane has stopped.
    const unsigned steps_of_lane =
        2 + static_cast<unsigned>(random() % (where.lanes() > 3 ? 3 : 10));
    const auto object = make(capacity, std::size_t{where.lanes()});
    std::vector<step> steps;
    for (unsigned i = 0; i < where.lanes() * steps_of_lane; ++i) {
      steps.push_back({{random() % 5 < 3, i + 1, 0}});
    }
    const passing_on<decltype(object.view()), T> program{object.view()};
    const auto history = history_of<operation<push_or_pop, outcome>>(
        steps, recorded(program, where, together, steps), where.lanes(), translated);
    ASSERT_TRUE(linearizability(Model(capacity)).explains(history))
        << "round " << round << ", capacity " << capacity << (together ? ", together, " : ", ")
        << text_of(where) << text_of(history);
  }
}

template <typename T>
queue<T> make_queue(std::size_t capacity, std::size_t lanes) {
  return queue<T>(capacity, nullptr, lanes);  // the smallest possible ring
}
template <typename T>
stack<T> make_stack(std::size_t capacity, std::size_t) {
  return stack<T>(capacity);
}

TEST(container_linearizability, holds_for_a_queue_of_words) {
  expect_explained<unsigned, queue_model>(make_queue<unsigned>);
}
TEST(container_linearizability, holds_for_a_queue_of_structs) {
  expect_explained<parcel, queue_model>(make_queue<parcel>);
}
TEST(container_linearizability, holds_for_a_stack_of_words) {
  expect_explained<unsigned, stack_model>(make_stack<unsigned>);
}
TEST(container_linearizability, holds_for_a_stack_of_structs) {
  expect_explained<parcel, stack_model>(make_stack<parcel>);
}

// ---- Union-find

TEST(container_linearizability, holds_for_sets_that_grow_together) {
  HEDDLE_NAME_SEED();
  std::mt19937 random(static_cast<unsigned>(seed()));
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  for (unsigned round = 0; round < rounds(); ++round) {
    const formation where = random_formation(random);
    const unsigned elements = 3 + below(4);
    const union_find object(elements);
    std::vector<step> steps;
    for (unsigned i = 0; i < where.lanes() * 3; ++i) {
      steps.push_back({{below(4) % 3, below(elements), below(elements)}});
    }
    using one_operation = operation<set_call, set_answer>;
    const auto history = history_of<one_operation>(
        steps, recorded(asking{object.view()}, where, false, steps), where.lanes(),
        [](const step& what, const record& result) {
          return one_operation{
              0,
              {static_cast<set_question>(what.words[0]), what.words[1], what.words[2]},
              set_answer{result.words[0]},
              0,
              0};
        });
    ASSERT_TRUE(linearizability(union_find_model(elements)).explains(history))
        << "round " << round << ", " << elements << " elements, " << text_of(where)
        << text_of(history);
  }
}

// ---- Maps

// A set as a map whose values are all 0.
template <typename Key, int bucket_slots>
struct set_as_map {
  hash_set_view<Key, bucket_slots> set;
  template <typename... Lanes>
  __device__ insertion insert(unsigned key, unsigned, Lanes... lanes) const {
    return set.insert(key, lanes...);
  }
  template <typename... Lanes>
  __device__ insertion insert_or_assign(unsigned key, unsigned, Lanes... lanes) const {
    return set.insert(key, lanes...);
  }
  __device__ bool find(unsigned key, unsigned&) const { return set.contains(key); }
  template <typename... Lanes>
  __device__ bool erase(unsigned key, Lanes... lanes) const {
    return set.erase(key, lanes...);
  }
};

// Few keys and few slots: some are free from the start, some were erased in the epoch before, and
// others are erased meanwhile. `as_map` turns the object into what lanes call.
template <typename Object, typename Value, typename AsMap>
void expect_map_explained(erased_slot rule, bool has_values, AsMap as_map) {
  HEDDLE_NAME_SEED();
  std::mt19937 random(static_cast<unsigned>(seed()));
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  const auto number = [&](map_method method) { return static_cast<unsigned>(method); };
  using one_operation = operation<map_call, map_answer>;
  for (unsigned round = 0; round < rounds(); ++round) {
    Object object(3 + below(8));
    const looking_up<decltype(as_map(object)), Value> program{as_map(object), below(1000)};
    const unsigned keys = 2 + below(4);
    const unsigned before = std::min(keys + 2, static_cast<unsigned>(object.capacity()));
    std::vector<std::optional<unsigned>> values(keys);
    std::vector<step> preparation, steps;
    for (unsigned key = 0; key < before; ++key) {
      preparation.push_back({{number(map_method::insert), key, has_values ? 100 + key : 0}});
    }
    for (unsigned key = 0; key < before; ++key) {
      if (key >= keys || below(2) == 0) {
        preparation.push_back({{number(map_method::erase), key, 0}});
      } else {
        values[key] = preparation[key].words[2];
      }
    }
    recorded(program, {1, 1, 1}, false, preparation);
    object.settle();

    const formation where = random_formation(random);
    const bool together = below(3) == 0;
    for (unsigned i = 0; i < where.lanes() * (where.lanes() > 3 ? 10 : 16); ++i) {
      const map_method methods[] = {map_method::insert, map_method::insert,
                                    map_method::insert_or_assign, map_method::find,
                                    map_method::erase};
      steps.push_back({{number(methods[below(5)]), below(keys), has_values ? i + 1 : 0}});
    }
    const auto history = history_of<one_operation>(steps, recorded(program, where, together, steps),
                                                   where.lanes(), answered);
    std::string at_first;
    for (unsigned key = 0; key < keys; ++key) {
      if (values[key]) at_first += " " + std::to_string(key);
    }
    ASSERT_TRUE(linearizability(map_model(object.capacity(), values, rule)).explains(history))
        << "round " << round << ", " << object.capacity() << " slots, keys at first:" << at_first
        << (together ? ", together, " : ", ") << text_of(where) << text_of(history);
  }
}

TEST(container_linearizability, holds_for_a_map_of_words) {
  using map = hash_map<unsigned, unsigned, 2>;
  expect_map_explained<map, unsigned>(erased_slot::is_used_up, true,
                                      [](const map& object) { return object.view(); });
}
TEST(container_linearizability, holds_for_a_map_with_nodes) {
  using map = hash_map<unsigned, parcel, 2>;
  expect_map_explained<map, parcel>(erased_slot::waits_for_its_key, true,
                                    [](const map& object) { return object.view(); });
}
TEST(container_linearizability, holds_for_a_set_of_long_keys) {
  using set = hash_set<unsigned long long, 2>;
  expect_map_explained<set, unsigned>(erased_slot::is_used_up, false, [](const set& object) {
    return set_as_map<unsigned long long, 2>{object.view()};
  });
}

}  // namespace
