// Runs the host threads one at a time, so that the same schedule gives the same run.
#pragma once
#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "checker/schedule/thread_turns.hpp"

namespace heddle_checker {

// One thread has the turn. It gives the turn away when it waits, exits, or reaches a point where
// the schedule wants another thread. An address identifies what a thread waits for. A thread that
// waits for something else, which is not intercepted, loses its turn after some time. It asks for a
// turn again at its next call. If that happens often, all threads run freely.
//
// Some threads of the process do not take part; what they do must not depend on turns.
class host_threads {
 public:
  using clock = std::chrono::steady_clock;
  using deadline = std::optional<clock::time_point>;  // none: waits forever
  using thread = thread_turns::thread;

  // Real time, even if the program's clocks are slowed down.
  static clock::time_point now();

  explicit host_threads(clock::duration look_every = std::chrono::milliseconds(50))
      : look_every_(look_every) {}

  void decide_by(std::optional<random_generator> random);
  // Called once, by a thread that has waited for long because all others wait, too.
  void when_all_wait(std::function<void()> listener) { all_wait_ = std::move(listener); }

  // The calling thread is the first one, and it runs.
  void begin();
  // The running thread creates another, which calls arrive() and waits there for its first turn.
  thread add();
  void is_called(thread fresh, pthread_t handle);
  void forget(thread fresh);  // it could not be created
  void arrive(thread fresh);
  void leave();  // the calling thread exits
  // Becomes true when the thread leaves; its address is the key to wait for. Null: no such thread
  // takes part, or it has left.
  [[nodiscard]] std::shared_ptr<const std::atomic<bool>> end_of(pthread_t handle);
  [[nodiscard]] bool has_thread(pid_t number);  // by Linux thread id

  // The calling thread is inside one of these functions.
  [[nodiscard]] static bool is_at_work();
  // The calling thread takes part.
  [[nodiscard]] bool is_taking_part() const;
  // There is more than one thread.
  [[nodiscard]] bool are_several() const { return are_several_.load(std::memory_order_relaxed); }
  // The calling thread and others take part. False while this class is at work, and while the
  // thread runs a kernel.
  [[nodiscard]] bool takes_turns() const;

  // The functions below are for threads that take turns, but any thread may call wake().
  // Another thread may run here, if the schedule wants it and this one is not in a quiet section.
  void pass_point();
  // Lets others run first, as far as they can.
  void step_back();
  // Another thread could run in place of this one.
  [[nodiscard]] bool has_choice() const { return has_choice_.load(std::memory_order_relaxed); }
  // Lets others run until `is_done` returns true. Calls it again at each wake() of the key. False:
  // the deadline came first.
  template <typename Condition>
  bool wait_until(const void* key, deadline until, Condition is_done);
  // Waits for one wake() of the key, unless `prepare` returns false. `prepare` runs under the lock,
  // so no wake() is missed after what it checks or releases. Wakes the threads that wait for
  // `gives`.
  template <typename Preparation>
  bool wait_once(const void* key, deadline until, Preparation prepare, const void* gives = nullptr);
  unsigned wake(const void* key, unsigned most = thread_turns::all);

  // The calling thread runs a kernel, for as long as that takes.
  void runs_kernel(bool now);

  // Around fork(): the copy has only the calling thread.
  void before_fork();
  void after_fork(bool is_copy);

 private:
  struct member {
    thread number = thread_turns::no_thread;
    pthread_t handle{};
    pid_t kernels_number = 0;
    bool has_turn = false;
    std::atomic<bool> runs_kernel{false};
    std::atomic<bool> is_lost{false};
    std::atomic<bool> is_inside{false};  // this class's code, where it waits only for the others
    std::condition_variable may_go_on;
    std::shared_ptr<std::atomic<bool>> has_ended = std::make_shared<std::atomic<bool>>(false);
    std::atomic<std::uint64_t> signs{0};  // signs of life
    // As of the last look.
    std::uint64_t signs_seen = 0;
    double work_seen = 0;     // seconds of processor time
    double work_at_sign = 0;  // when the last new sign was seen
  };
  // While one exists, calls by this thread are not intercepted.
  class internal_section {
   public:
    explicit internal_section(host_threads& of);
    ~internal_section();
    void belongs_to(member* one);
    std::unique_lock<std::mutex> lock;

   private:
    member* whose_ = nullptr;
  };
  static member*& of_this_thread();
  void come_back(internal_section& inside);
  void give_turns();
  void stop(internal_section& inside, deadline until);
  void await_turn(internal_section& inside, deadline until);
  void look_at_running();
  [[nodiscard]] static bool is_stuck(member& who);
  bool wait(internal_section& inside, const void* key, deadline until);

  const clock::duration look_every_;
  std::mutex mutex_;  // protects everything below
  thread_turns turns_;
  std::map<thread, std::shared_ptr<member>> members_;
  bool is_free_ = false;  // all threads run freely
  unsigned times_lost_ = 0;
  clock::time_point looked_{};
  std::optional<clock::time_point> all_wait_since_;
  std::function<void()> all_wait_;
  // Read without the lock.
  std::atomic<bool> are_several_{false};
  std::atomic<bool> has_choice_{false};
  std::atomic<bool> may_switch_{false};  // in pass_point()
};

template <typename Condition>
bool host_threads::wait_until(const void* key, deadline until, Condition is_done) {
  internal_section inside(*this);
  come_back(inside);
  while (!is_done()) {
    if (!wait(inside, key, until)) return is_done();
  }
  return true;
}

template <typename Preparation>
bool host_threads::wait_once(const void* key, deadline until, Preparation prepare,
                             const void* gives) {
  internal_section inside(*this);
  come_back(inside);
  if (!prepare()) return true;
  if (gives != nullptr) turns_.wake(gives);
  return wait(inside, key, until);
}

}  // namespace heddle_checker
