// What the containers promise, as models for the judge of histories.
#pragma once
#include <algorithm>
#include <bit>
#include <numeric>

#include "linearizability.hpp"

namespace heddle_test {

// ---- Queues and stacks

struct push_or_pop {
  bool pushes;
  unsigned value;  // of a push
};
struct outcome {
  bool succeeds;   // false: full or empty
  unsigned value;  // of a pop that succeeds
};
inline std::string text_of(const push_or_pop& call) {
  return call.pushes ? "push " + std::to_string(call.value) : "pop";
}
inline std::string text_of(const outcome& answer) {
  return answer.succeeds ? "yes, " + std::to_string(answer.value) : "no";
}

enum class leaves_first { oldest, newest };

// Bounded; `empty` is exact. `full` is allowed where values and operations under way may fill all
// places: a push that overlaps this one and is not in yet may have a place already, also one that
// gets none in the end, and a pop may not have given back the place of the value it has taken.
// Besides, where `pops_may_be_in_the_way`, any push that a pop overlaps may be told so.
template <leaves_first which>
class bounded_model {
 public:
  using call = push_or_pop;
  using answer = outcome;
  using state = std::vector<unsigned>;
  using one_operation = operation<call, answer>;

  explicit bounded_model(std::size_t capacity, bool pops_may_be_in_the_way = false)
      : capacity_(capacity), pops_may_be_in_the_way_(pops_may_be_in_the_way) {}
  [[nodiscard]] state first() const { return {}; }
  [[nodiscard]] std::vector<state> next(const state& now, std::size_t at,
                                        const std::vector<one_operation>& history,
                                        operation_set done) const {
    const one_operation& one = history[at];
    std::vector<state> then;
    if (one.call.pushes) {
      if (succeeds_or_is_open(one) && now.size() < capacity_) {
        then.push_back(now);
        then.back().push_back(one.call.value);
      }
      const bool may_be_full = now.size() + kept_places(at, history, done) >= capacity_ ||
                               (pops_may_be_in_the_way_ && a_pop_overlaps(at, history));
      if (fails(one) && may_be_full) then.push_back(now);
    } else if (now.empty()) {
      if (fails(one)) then.push_back(now);
    } else {
      const unsigned value = which == leaves_first::oldest ? now.front() : now.back();
      if (!one.answer || (one.answer->succeeds && one.answer->value == value)) {
        then.push_back(now);
        then.back().erase(which == leaves_first::oldest ? then.back().begin()
                                                        : then.back().end() - 1);
      }
    }
    return then;
  }

 private:
  static bool succeeds_or_is_open(const one_operation& one) {
    return !one.answer || one.answer->succeeds;
  }
  // One that has stopped and would fail is one that has not happened.
  static bool fails(const one_operation& one) { return one.answer && !one.answer->succeeds; }
  static std::size_t kept_places(std::size_t at, const std::vector<one_operation>& history,
                                 operation_set done) {
    std::size_t places = 0;
    for (operation_set left = overlapping(history, at); left != 0; left &= left - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(left));
      const bool is_done = (done >> other & 1) != 0;
      const one_operation& one = history[other];
      places += one.call.pushes ? !is_done || fails(one) : is_done && succeeds_or_is_open(one);
    }
    return places;
  }
  static bool a_pop_overlaps(std::size_t at, const std::vector<one_operation>& history) {
    for (operation_set left = overlapping(history, at); left != 0; left &= left - 1) {
      if (!history[static_cast<std::size_t>(std::countr_zero(left))].call.pushes) return true;
    }
    return false;
  }

  std::size_t capacity_;
  bool pops_may_be_in_the_way_;
};
using queue_model = bounded_model<leaves_first::oldest>;
using stack_model = bounded_model<leaves_first::newest>;

// ---- Sets that grow together

enum class set_question { unite, find, are_united };
struct set_call {
  set_question question;
  unsigned one, other;
};
struct set_answer {
  unsigned number;  // of a find; otherwise 1 for yes
};
inline std::string text_of(const set_call& call) {
  const char* const names[] = {"unite", "find", "are_united"};
  const std::string first =
      names[static_cast<int>(call.question)] + (' ' + std::to_string(call.one));
  return call.question == set_question::find ? first : first + ' ' + std::to_string(call.other);
}
inline std::string text_of(const set_answer& answer) { return std::to_string(answer.number); }

// The state has the smallest element of each element's set.
class union_find_model {
 public:
  using call = set_call;
  using answer = set_answer;
  using state = std::vector<unsigned>;
  using one_operation = operation<call, answer>;

  explicit union_find_model(std::size_t elements) : elements_(elements) {}
  [[nodiscard]] state first() const {
    state alone(elements_);
    std::iota(alone.begin(), alone.end(), 0u);
    return alone;
  }
  [[nodiscard]] std::vector<state> next(const state& now, std::size_t at,
                                        const std::vector<one_operation>& history,
                                        operation_set /*done*/) const {
    const auto& [question, one, other] = history[at].call;
    const bool is_one_set = now[one] == now[other];
    const unsigned right = question == set_question::find    ? now[one]
                           : question == set_question::unite ? !is_one_set
                                                             : is_one_set;
    if (history[at].answer && history[at].answer->number != right) return {};
    state then = now;
    if (question == set_question::unite) {
      const unsigned root = std::min(now[one], now[other]);
      const unsigned gone = std::max(now[one], now[other]);
      std::replace(then.begin(), then.end(), gone, root);
    }
    return {then};
  }

 private:
  std::size_t elements_;
};

}  // namespace heddle_test
