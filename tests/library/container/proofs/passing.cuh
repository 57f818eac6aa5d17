// Programs of pushes and pops for the proofs of queues and stacks, given on the command line.
#pragma once
#include <string>

#include "../../../support/container_models.hpp"
#include "../parcel.cuh"
#include "small_program.cuh"

namespace heddle_test {

// Pushes and pops numbers. For each number there is a word in memory that the object does not know:
// the contract lets the lane that pops the number read that word.
template <typename View>
struct pushing_and_popping {
  using value_type = typename View::value_type;
  View view;
  unsigned* known;  // one word per number; null if no memory is passed
  __device__ void operator()(const step& what, heddle::lane_mask members, unsigned* answer) const {
    const auto [pushes, number, stands_by] = what.words;  // the same operation in all members
    if (pushes != 0) {
      if (known != nullptr) known[number] = ~number;
      answer[0] = view.try_push(value_type(number), stands_by == 0, members);
      answer[1] = number;
      return;
    }
    value_type value{};
    answer[0] = view.try_pop(value, true, members);
    if (answer[0] == 0) return;
    answer[1] = static_cast<unsigned>(value);
    if (known != nullptr && known[answer[1]] != ~answer[1]) answer[1] = 0xbad;
  }
};

// CAPACITY LANES_OF_WARP BEFORE PROGRAM…: each program is a word of `+` for a push and `-` for a
// pop, for all lanes of a warp, and `^` for a push of its first lane alone. After the programs one
// lane pops what is left, and then finds nothing. LANES_OF_WARP may end with `w`, for the schedule
// `weak`, or with `n`, for no moments.
class passing_case {
 public:
  passing_case(int words, char** word) : capacity_(std::stoul(word[0])) {
    const auto lanes_of_warp = static_cast<unsigned>(std::stoul(word[1]));
    times_ = timing_of(word[1]);
    program_.meanwhile = lane_programs(lanes_of_warp, times_);
    program_.before.add(steps_of(word[2]));
    for (int i = 3; i < words; ++i) {
      for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        program_.meanwhile.add(steps_of(word[i], lane));
      }
    }
    program_.behind.add(steps_of(std::string(std::min(pushes_, capacity_) + 1, '-')));
  }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] timing times() const { return times_; }
  [[nodiscard]] unsigned lanes() const { return program_.meanwhile.lanes(); }

  // 0 if one order explains all results.
  template <typename View, typename Model>
  int judge_view(const View& view, const Model& model, bool passes_memory = true) const {
    const device_array<unsigned> known(numbers_);
    const pushing_and_popping<View> object{view, passes_memory ? known.data() : nullptr};
    using one_operation = operation<push_or_pop, outcome>;
    return judge<one_operation>(
        program_, object, model,
        [](const step& what, const record& result) {
          const outcome answer{result.words[0] != 0, result.words[1]};
          return one_operation{0, {what.words[0] != 0, what.words[1]}, answer, 0, 0};
        },
        [](const step& what) { return what.words[2] == 0; });
  }

 private:
  std::vector<step> steps_of(const std::string& signs, unsigned lane = 0) {
    std::vector<step> steps;
    for (const char sign : signs) {
      const bool pushes = sign != '-', stands_by = sign == '^' && lane != 0;
      steps.push_back({{pushes, numbers_++, stands_by}});
      pushes_ += pushes && !stands_by;
    }
    return steps;
  }

  small_program program_;
  timing times_;
  std::size_t capacity_;
  std::size_t pushes_ = 0;
  unsigned numbers_ = 1;
};

}  // namespace heddle_test
