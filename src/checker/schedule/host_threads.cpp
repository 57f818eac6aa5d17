// How a host thread gives its turn away and gets it back.
#include "checker/schedule/host_threads.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "checker/hooks/real_function.hpp"
#include "checker/schedule/quiet_section.hpp"

namespace heddle_checker {
namespace {

constexpr unsigned most_losses = 16;
constexpr double most_work_without_sign = 10;  // seconds
constexpr int looks_if_all_wait = 40;

thread_local unsigned depth_of_business = 0;

double work_of(pthread_t thread) {
  clockid_t work;
  timespec spent;
  if (pthread_getcpuclockid(thread, &work) != 0 || clock_gettime(work, &spent) != 0) return 0;
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

// Whether the operating system has put the thread to sleep.
bool sleeps(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return false;
  char text[256] = {};
  const std::string read(text, std::fread(text, 1, sizeof text, file));
  std::fclose(file);
  const std::size_t name_ends = read.rfind(") ");
  return name_ends != read.npos && read[name_ends + 2] == 'S';
}

}  // namespace

host_threads::clock::time_point host_threads::now() {
  timespec time{};
  HEDDLE_REAL(clock_gettime)(CLOCK_MONOTONIC, &time);
  return clock::time_point(std::chrono::seconds(time.tv_sec) +
                           std::chrono::nanoseconds(time.tv_nsec));
}

host_threads::internal_section::internal_section(host_threads& of)
    : lock(of.mutex_, std::defer_lock) {
  ++depth_of_business;
  belongs_to(of_this_thread());
  lock.lock();
}

host_threads::internal_section::~internal_section() {
  lock.unlock();
  if (whose_ != nullptr) whose_->is_inside = false;
  --depth_of_business;
}

void host_threads::internal_section::belongs_to(member* one) {
  whose_ = one;
  if (one != nullptr) one->is_inside = true;
}

host_threads::member*& host_threads::of_this_thread() {
  static thread_local member* mine = nullptr;
  return mine;
}

bool host_threads::is_at_work() { return depth_of_business != 0; }

bool host_threads::is_taking_part() const { return !is_at_work() && of_this_thread() != nullptr; }

bool host_threads::takes_turns() const {
  if (!are_several() || is_at_work()) return false;
  member* const mine = of_this_thread();
  if (mine == nullptr || mine->runs_kernel.load(std::memory_order_relaxed)) return false;
  mine->signs.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void host_threads::decide_by(std::optional<random_generator> random) {
  const internal_section inside(*this);
  turns_.decide_by(random);
  may_switch_ = random.has_value();
}

void host_threads::begin() {
  const thread first = add();
  is_called(first, pthread_self());
  arrive(first);
}

host_threads::thread host_threads::add() {
  const internal_section inside(*this);
  const thread fresh = turns_.begin();
  members_[fresh] = std::make_shared<member>();
  members_[fresh]->number = fresh;
  has_choice_ = turns_.has_choice();
  are_several_ = members_.size() > 1;
  return fresh;
}

void host_threads::is_called(thread fresh, pthread_t handle) {
  const internal_section inside(*this);
  // If threads run freely, it may already have come and gone.
  if (const auto found = members_.find(fresh); found != members_.end()) {
    found->second->handle = handle;
  }
}

void host_threads::forget(thread fresh) {
  const internal_section inside(*this);
  turns_.end(fresh);
  members_.erase(fresh);
  give_turns();
}

void host_threads::arrive(thread fresh) {
  internal_section inside(*this);
  member& me = *members_.at(fresh);
  of_this_thread() = &me;
  inside.belongs_to(&me);
  me.handle = pthread_self();
  me.kernels_number = gettid();
  await_turn(inside, {});  // it may already have one
}

void host_threads::leave() {
  member* const me = std::exchange(of_this_thread(), nullptr);
  if (me == nullptr) return;
  const internal_section inside(*this);
  const auto ended = me->has_ended;
  *ended = true;
  turns_.end(me->number);
  turns_.wake(ended.get());
  members_.erase(me->number);
  give_turns();
}

std::shared_ptr<const std::atomic<bool>> host_threads::end_of(pthread_t handle) {
  const internal_section inside(*this);
  for (const auto& [number, one] : members_) {
    if (pthread_equal(one->handle, handle)) return one->has_ended;
  }
  return nullptr;
}

bool host_threads::has_thread(pid_t number) {
  const internal_section inside(*this);
  return std::ranges::any_of(
      members_, [&](const auto& each) { return each.second->kernels_number == number; });
}

// The lock is held here and below.
void host_threads::give_turns() {
  while (is_free_ || !turns_.has_running()) {
    const thread next = turns_.choose(now());
    if (next == thread_turns::no_thread) break;
    member& chosen = *members_.at(next);
    chosen.has_turn = true;
    chosen.signs.fetch_add(1, std::memory_order_relaxed);
    chosen.may_go_on.notify_one();
  }
  has_choice_ = turns_.has_choice();
  are_several_ = members_.size() > 1;
  if (!turns_.all_wait_forever()) {
    all_wait_since_.reset();
  } else if (!all_wait_since_) {
    all_wait_since_ = now();
  }
}

void host_threads::stop(internal_section& inside, deadline until) {
  of_this_thread()->has_turn = false;
  await_turn(inside, until);
}

// Returns once the calling thread has a turn.
void host_threads::await_turn(internal_section& inside, deadline until) {
  member& me = *of_this_thread();
  give_turns();
  while (!me.has_turn) {
    const clock::time_point next_look = now() + look_every_;
    me.may_go_on.wait_until(inside.lock, until ? std::min(*until, next_look) : next_look);
    if (me.has_turn) break;
    if (!turns_.has_running() || is_free_) {
      give_turns();
    } else {
      look_at_running();
    }
    if (all_wait_since_ && now() - *all_wait_since_ > looks_if_all_wait * look_every_) {
      all_wait_since_.reset();
      if (const auto report = std::exchange(all_wait_, nullptr)) {
        inside.lock.unlock();
        report();
        inside.lock.lock();
      }
    }
    if (until && *until < now()) until.reset();  // others go first; do not look again at once
  }
}

void host_threads::come_back(internal_section& inside) {
  member& me = *of_this_thread();
  if (!me.is_lost.exchange(false)) return;
  turns_.offer(me.number);
  stop(inside, {});
}

bool host_threads::wait(internal_section& inside, const void* key, deadline until) {
  member& me = *of_this_thread();
  turns_.wait(me.number, key, until, now());
  stop(inside, until);
  return !turns_.gave_up(me.number);
}

void host_threads::pass_point() {
  if (quiet_section::depth() != 0) return;
  member& me = *of_this_thread();
  if (!may_switch_.load(std::memory_order_relaxed) && !me.is_lost) return;
  internal_section inside(*this);
  come_back(inside);
  if (!turns_.wants_switch()) return;
  turns_.offer(me.number);
  stop(inside, {});
}

void host_threads::step_back() {
  internal_section inside(*this);
  come_back(inside);
  turns_.step_back(of_this_thread()->number);
  stop(inside, {});
}

unsigned host_threads::wake(const void* key, unsigned most) {
  internal_section inside(*this);
  member* const me = of_this_thread();
  if (me != nullptr) come_back(inside);
  const unsigned woken = turns_.wake(key, most);
  if (woken > 0) give_turns();  // if no thread runs
  return woken;
}

void host_threads::runs_kernel(bool now) {
  if (member* const me = of_this_thread()) me->runs_kernel = now;
}

void host_threads::look_at_running() {
  const clock::time_point moment = now();
  if (moment - looked_ < look_every_) return;
  looked_ = moment;
  for (auto& [number, one] : members_) {
    if (!one->has_turn || !is_stuck(*one)) continue;
    one->has_turn = false;
    one->is_lost = true;
    turns_.lose(number);
    is_free_ = ++times_lost_ == most_losses || is_free_;
  }
  give_turns();
}

// The thread has slept since the last look, or works for very long without a call that is seen
// here.
bool host_threads::is_stuck(member& who) {
  // On a busy machine a thread may need long to get the lock, or to wake up for its turn.
  if (who.runs_kernel || who.is_inside || who.kernels_number == 0) return false;
  const std::uint64_t signs = who.signs.load(std::memory_order_relaxed);
  const double work = work_of(who.handle);
  const bool has_slept = signs == who.signs_seen && work == who.work_seen;
  if (signs != who.signs_seen) who.work_at_sign = work;
  who.signs_seen = signs;
  who.work_seen = work;
  return work - who.work_at_sign > most_work_without_sign ||
         (has_slept && sleeps(who.kernels_number));
}

void host_threads::before_fork() {
  ++depth_of_business;
  mutex_.lock();
}

void host_threads::after_fork(bool is_copy) {
  if (is_copy) {
    member* const me = of_this_thread();
    std::shared_ptr<member> left;
    for (const auto& [number, one] : members_) {
      if (one.get() == me) {
        left = one;
      } else {
        turns_.end(number);
      }
    }
    // Never destroyed: threads still seem to wait there.
    new auto(std::exchange(members_, {}));
    if (left != nullptr) {
      left->kernels_number = gettid();
      members_[left->number] = left;
    }
    give_turns();
  }
  mutex_.unlock();
  --depth_of_business;
}

}  // namespace heddle_checker
