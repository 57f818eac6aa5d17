// Checks whether a concurrent history is linearizable.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace heddle_test {

using moment = std::uint64_t;

// One lane's call and answer, with their times by a counter that all lanes share. Without an
// answer, the lane stopped in the middle: the operation may or may not have taken effect, and
// `returned` is meaningless.
template <typename Call, typename Answer>
struct operation {
  unsigned lane;
  Call call;
  std::optional<Answer> answer;
  moment invoked;
  moment returned;

  [[nodiscard]] bool ends_before(const operation& other) const {
    return answer && returned < other.invoked;
  }
};

// A set of operations, as bits by their position in the history.
using operation_set = std::uint64_t;

// Searches for an order in which every operation takes effect at one moment between its call and
// its answer (Wing and Gong, 1993). It remembers what it has tried (Lowe, 2017): each pair of a
// set of completed operations and the state that they lead to is tried only once.
//
// A model has:
//   call, answer    types
//   state           has operator<
//   first()         the initial state
//   next(state, at, history, done)
//                   the states that history[at] may lead to; none if its answer is impossible
//                   in `state`. Without an answer, one state for each possible answer that
//                   changes the state. `done` are the operations before it.
template <typename Model>
class linearizability {
 public:
  using one_operation = operation<typename Model::call, typename Model::answer>;
  using history = std::vector<one_operation>;

  explicit linearizability(Model model) : model_(std::move(model)) {}

  // A history has at most 64 operations.
  [[nodiscard]] bool explains(const history& what) {
    if (what.size() > 64) throw std::invalid_argument("a history has at most 64 operations");
    tried_.clear();
    before_.assign(what.size(), 0);
    needed_ = 0;
    for (std::size_t i = 0; i < what.size(); ++i) {
      if (what[i].answer) needed_ |= operation_set{1} << i;
      for (std::size_t j = 0; j < what.size(); ++j) {
        if (what[j].ends_before(what[i])) before_[i] |= operation_set{1} << j;
      }
    }
    return goes_on(what, 0, model_.first());
  }

 private:
  bool goes_on(const history& what, operation_set done, const typename Model::state& now) {
    if ((needed_ & ~done) == 0) return true;
    if (!tried_.insert({done, now}).second) return false;
    for (std::size_t i = 0; i < what.size(); ++i) {
      const operation_set mine = operation_set{1} << i;
      if ((done & mine) != 0 || (before_[i] & ~done) != 0) continue;
      for (const auto& then : model_.next(now, i, what, done)) {
        if (goes_on(what, done | mine, then)) return true;
      }
    }
    return false;
  }

  Model model_;
  std::vector<operation_set> before_;  // operations that ended before this one began
  operation_set needed_ = 0;           // operations that must have taken effect
  std::set<std::pair<operation_set, typename Model::state>> tried_;
};

// The other operations whose intervals overlap that of history[at].
template <typename Operation>
operation_set overlapping(const std::vector<Operation>& history, std::size_t at) {
  operation_set found = 0;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const bool is_apart =
        history[i].ends_before(history[at]) || history[at].ends_before(history[i]);
    if (i != at && !is_apart) found |= operation_set{1} << i;
  }
  return found;
}

// One line for each operation; there must be a text_of for calls and answers.
template <typename Operation>
std::string text_of(const std::vector<Operation>& history) {
  std::ostringstream text;
  for (const Operation& one : history) {
    text << "  lane " << one.lane << "  " << one.invoked << " to ";
    if (one.answer) {
      text << one.returned << "  " << text_of(one.call) << " -> " << text_of(*one.answer) << '\n';
    } else {
      text << "ever  " << text_of(one.call) << " -> no answer\n";
    }
  }
  return text.str();
}

}  // namespace heddle_test
