// Random small programs on the containers: one order of the operations explains all answers.
#include <heddle/container/queue.cuh>
#include <heddle/container/stack.cuh>
#include <heddle/container/union_find.cuh>

#include <cstdlib>

#include "../../support/container_models.hpp"
#include "recording.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::container::queue;
using heddle::container::stack;
using heddle::container::union_find;
using heddle::container::union_find_view;

// Fewer, by HEDDLE_ROUNDS, where every access is watched.
unsigned rounds() {
  const char* const given = std::getenv("HEDDLE_ROUNDS");
  return given == nullptr ? 200 : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

// Above 4 bytes, and easily told from a torn one.
struct parcel {
  unsigned number;
  unsigned copies[2];
  __host__ __device__ parcel(unsigned n = 0) : number(n), copies{n + 1, ~n} {}
  __host__ __device__ explicit operator unsigned() const {
    return copies[0] == number + 1 && copies[1] == ~number ? number : 0xdeadbeef;
  }
};

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

operation<push_or_pop, outcome> translated(const step& what, const record& told) {
  return {0, {what.words[0] != 0, what.words[1]}, outcome{told.words[0] != 0, told.words[1]}, 0, 0};
}

// `make` makes the object from its capacity and the number of lanes that will use it.
template <typename T, typename Model, typename Make>
void expect_explained(Make make) {
  HEDDLE_NAME_SEED();
  std::mt19937 random(static_cast<unsigned>(seed()));
  for (unsigned round = 0; round < rounds(); ++round) {
    const formation where = random_formation(random);
    const bool together = random() % 3 == 0;
    const std::size_t capacity = 1 + random() % 3;
    // Few lanes have time to go around a ring while one of them has stopped.
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
  return queue<T>(capacity, nullptr, lanes);  // no larger ring than need be
}
template <typename T>
stack<T> make_stack(std::size_t capacity, std::size_t) {
  return stack<T>(capacity);
}

TEST(Linearizability, OfAQueueOfWords) {
  expect_explained<unsigned, queue_model>(make_queue<unsigned>);
}
TEST(Linearizability, OfAQueueOfStructs) {
  expect_explained<parcel, queue_model>(make_queue<parcel>);
}
TEST(Linearizability, OfAStackOfWords) {
  expect_explained<unsigned, stack_model>(make_stack<unsigned>);
}
TEST(Linearizability, OfAStackOfStructs) {
  expect_explained<parcel, stack_model>(make_stack<parcel>);
}

// ---- Sets: {question, one, other} -> {number}

struct asking {
  union_find_view sets;
  __device__ void operator()(const step& what, heddle::lane_mask, unsigned* answer) const {
    const auto [question, one, other] = what.words;
    switch (static_cast<set_question>(question)) {
      case set_question::unite:
        answer[0] = sets.unite(one, other);
        break;
      case set_question::find:
        answer[0] = sets.find(one);
        break;
      case set_question::are_united:
        answer[0] = sets.are_united(one, other);
        break;
    }
  }
};

TEST(Linearizability, OfSetsThatGrowTogether) {
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
        [](const step& what, const record& told) {
          return one_operation{
              0,
              {static_cast<set_question>(what.words[0]), what.words[1], what.words[2]},
              set_answer{told.words[0]},
              0,
              0};
        });
    ASSERT_TRUE(linearizability(union_find_model(elements)).explains(history))
        << "round " << round << ", " << elements << " elements, " << text_of(where)
        << text_of(history);
  }
}

}  // namespace
