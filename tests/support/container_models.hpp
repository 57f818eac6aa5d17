// Sequential models of the containers, for the linearizability check.
#pragma once
#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <tuple>

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

// A bounded container. `empty` must be exact. `full` is allowed if values and operations in flight
// may hold all places: an overlapping push that has not taken effect, or that fails in the end,
// may already hold a place, and an overlapping pop may not have released its place yet. With
// `pops_may_be_in_the_way`, any push that overlaps a pop may fail with `full`.
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
  // A stopped operation that would fail counts as one that has not happened.
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

// ---- Union-find

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

// The state maps each element to the smallest element of its set.
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

// ---- Maps

enum class map_method { insert, insert_or_assign, find, erase };
struct map_call {
  map_method method;
  unsigned key, value;
};
enum class map_word { yes, no, full };
struct map_answer {
  map_word said;   // whether the key was inserted, found or erased
  unsigned value;  // the value that was found
};
inline std::string text_of(const map_call& call) {
  const char* const names[] = {"insert", "insert_or_assign", "find", "erase"};
  const std::string first = names[static_cast<int>(call.method)] + (' ' + std::to_string(call.key));
  const bool brings =
      call.method == map_method::insert || call.method == map_method::insert_or_assign;
  return brings ? first + " = " + std::to_string(call.value) : first;
}
inline std::string text_of(const map_answer& answer) {
  const char* const names[] = {"yes", "no", "full"};
  return names[static_cast<int>(answer.said)] + (", " + std::to_string(answer.value));
}

// When the slot of an erased key becomes free: in the next epoch for any key, or before that for
// the same key. In the second case, an insertion takes its slot before it takes effect.
enum class erased_slot { is_used_up, waits_for_its_key };

// Models one epoch.
class map_model {
 public:
  using call = map_call;
  using answer = map_answer;
  struct state {
    std::vector<std::optional<unsigned>> values;  // of the keys 0, 1, …
    std::vector<unsigned> have_slots;             // for each key, whether it has a slot
    std::size_t used_slots;
    bool operator<(const state& other) const {
      return std::tie(values, have_slots, used_slots) <
             std::tie(other.values, other.have_slots, other.used_slots);
    }
  };
  using one_operation = operation<call, answer>;

  map_model(std::size_t slots, std::vector<std::optional<unsigned>> values, erased_slot rule)
      : slots_(slots), values_(std::move(values)), rule_(rule) {}
  [[nodiscard]] state first() const {
    state now{values_, std::vector<unsigned>(values_.size()), 0};
    for (std::size_t key = 0; key < values_.size(); ++key) {
      if (values_[key]) take_slot(now, key);
    }
    return now;
  }
  [[nodiscard]] std::vector<state> next(const state& now, std::size_t at,
                                        const std::vector<one_operation>& history,
                                        operation_set done) const {
    const auto& [method, key, value] = history[at].call;
    const std::optional<answer>& given = history[at].answer;
    const auto may_say = [&given = given](map_word word) { return !given || given->said == word; };
    const bool is_there = now.values[key].has_value();
    state then = now;
    if (method == map_method::find) {
      const bool is_right =
          !given || (is_there ? given->said == map_word::yes && given->value == *now.values[key]
                              : given->said == map_word::no);
      return is_right ? std::vector{now} : std::vector<state>{};
    }
    if (method == map_method::erase) {
      if (!may_say(is_there ? map_word::yes : map_word::no)) return {};
      then.values[key].reset();
      return {then};
    }
    if (is_there) {
      if (!may_say(map_word::no)) return {};
      if (method == map_method::insert_or_assign) then.values[key] = value;
      return {then};
    }
    const bool has_slot = now.have_slots[key] != 0;
    if (given && given->said == map_word::full) {
      const bool may_be_full =
          !has_slot && now.used_slots + slots_under_way(at, history, done) >= slots_;
      return may_be_full ? std::vector{now} : std::vector<state>{};
    }
    if (!may_say(map_word::yes) || (!has_slot && now.used_slots == slots_)) return {};
    then.values[key] = value;
    if (!has_slot) take_slot(then, key);
    return {then};
  }

 private:
  void take_slot(state& now, std::size_t key) const {
    ++now.used_slots;
    now.have_slots[key] = rule_ == erased_slot::waits_for_its_key;
  }
  std::size_t slots_under_way(std::size_t at, const std::vector<one_operation>& history,
                              operation_set done) const {
    if (rule_ == erased_slot::is_used_up) return 0;
    std::size_t slots = 0;
    for (operation_set left = overlapping(history, at) & ~done; left != 0; left &= left - 1) {
      const map_method method =
          history[static_cast<std::size_t>(std::countr_zero(left))].call.method;
      slots += method == map_method::insert || method == map_method::insert_or_assign;
    }
    return slots;
  }

  std::size_t slots_;
  std::vector<std::optional<unsigned>> values_;
  erased_slot rule_;
};

}  // namespace heddle_test
