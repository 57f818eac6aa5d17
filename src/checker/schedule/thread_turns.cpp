// Chooses the next host thread by number or at random, and passes none over for long.
#include "checker/schedule/thread_turns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

namespace heddle_checker {
namespace {
constexpr unsigned most_turns_of_others = 64;  // before a thread has its own
constexpr std::chrono::milliseconds short_time{1024};

// Rounded up so far that it is the same in each run, although the clock never is.
std::uint64_t milliseconds(thread_turns::moment from, thread_turns::moment to) {
  const auto all = std::chrono::ceil<std::chrono::milliseconds>(to - from).count();
  return std::bit_ceil(static_cast<std::uint64_t>(std::max<decltype(all)>(all, 1)));
}
}  // namespace

void thread_turns::decide_by(std::optional<random_generator> random) {
  random_ = random;
  constexpr std::array<unsigned, 4> rarities{2, 3, 8, 24};
  if (random_) rarity_ = rarities[random_->below(rarities.size())];
}

thread_turns::thread thread_turns::begin() {
  const thread fresh = begun_++;
  threads_[fresh];
  return fresh;
}

void thread_turns::end(thread who) { threads_.erase(who); }

void thread_turns::wait(thread who, const void* what, std::optional<moment> until, moment now) {
  record& one = threads_.at(who);
  one.is = state::waiting;
  one.gave_up = false;
  one.what = what;
  one.until = until;
  one.due = until ? time_ + milliseconds(now, *until) : 0;
  one.is_short = until && *until - now <= short_time;
  one.since = waits_++;
}

unsigned thread_turns::wake(const void* what, unsigned most) {
  std::vector<record*> waiting;
  for (auto& [who, one] : threads_) {
    if (one.is == state::waiting && one.what == what) waiting.push_back(&one);
  }
  std::ranges::sort(waiting, {}, &record::since);
  unsigned woken = 0;
  for (; woken < most && !waiting.empty(); ++woken) {
    const auto left = static_cast<unsigned>(waiting.size());
    const unsigned chosen = random_ && left > 1 && most != all ? random_->below(left) : 0;
    waiting[chosen]->is = state::ready;
    waiting.erase(waiting.begin() + chosen);
  }
  return woken;
}

std::vector<thread_turns::thread> thread_turns::those_that_are(state how) const {
  std::vector<thread> found;
  for (const auto& [who, one] : threads_) {
    if (one.is == how) found.push_back(who);
  }
  const auto after_last = std::ranges::upper_bound(found, last_);
  std::rotate(found.begin(), after_last, found.end());
  return found;
}

thread_turns::thread thread_turns::one_of(const std::vector<thread>& some) {
  const auto count = static_cast<unsigned>(some.size());
  return some[random_ && count > 1 ? random_->below(count) : 0];
}

thread_turns::thread thread_turns::find_next(moment now) {
  const auto ready = those_that_are(state::ready);
  const auto yielding = those_that_are(state::yielding);
  for (const auto& some : {ready, yielding}) {
    for (const thread who : some) {
      if (threads_.at(who).passed_over >= most_turns_of_others) return who;
    }
  }
  if (!ready.empty()) return one_of(ready);
  const thread timed = first_in_time();
  const bool is_time_up = timed != no_thread && *threads_.at(timed).until <= now;
  if (yielding.empty()) return is_time_up ? timed : no_thread;
  if (timed == no_thread) return one_of(yielding);
  // A thread that keeps letting others go first waits for one of them.
  const bool comes_first =
      threads_.at(timed).is_short ? turns_of_yielding_ >= most_turns_of_others : is_time_up;
  if (!comes_first) return one_of(yielding);
  return is_time_up ? timed : no_thread;
}

thread_turns::thread thread_turns::first_in_time() const {
  const auto key = [](const record& one) { return std::tuple(one.due, one.since); };
  thread first = no_thread;
  for (const auto& [who, one] : threads_) {
    if (one.is != state::waiting || !one.until) continue;
    if (first == no_thread || key(one) < key(threads_.at(first))) first = who;
  }
  return first;
}

thread_turns::thread thread_turns::choose(moment now) {
  const thread next = find_next(now);
  if (next == no_thread) return no_thread;
  for (auto& [who, one] : threads_) {
    if (one.is == state::ready || one.is == state::yielding) ++one.passed_over;
  }
  record& chosen = threads_.at(next);
  chosen.gave_up = chosen.is == state::waiting;
  if (chosen.gave_up) time_ = std::max(time_, chosen.due);
  turns_of_yielding_ = chosen.is == state::yielding ? turns_of_yielding_ + 1 : 0;
  chosen.is = state::running;
  chosen.passed_over = 0;
  last_ = next;
  return next;
}

bool thread_turns::wants_switch() {
  return random_ && has_choice() && random_->below(rarity_) == 0;
}

bool thread_turns::has_choice() const {
  return std::ranges::any_of(threads_, [](const auto& each) {
    return each.second.is == state::ready || each.second.is == state::yielding;
  });
}

bool thread_turns::has_running() const {
  return std::ranges::any_of(threads_,
                             [](const auto& each) { return each.second.is == state::running; });
}

bool thread_turns::all_wait_forever() const {
  return !threads_.empty() && std::ranges::all_of(threads_, [](const auto& each) {
    return each.second.is == state::waiting && !each.second.until;
  });
}

}  // namespace heddle_checker
