// How streams do their work: the thread that holds a stream's runner role runs its operations.
#include "stream/queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <thread>

#include <heddle_host/devices.hpp>
#include <heddle_host/observer.hpp>
#include <heddle_host/own_threads.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>
#include <heddle_host/stream_work.hpp>

#include "stream/capture.hpp"
#include "stream/fault.hpp"

namespace heddle_host::stream {
namespace {

using clock = std::chrono::steady_clock;

// Blocking and waking cost about this much; for shorter waits, polling is faster.
constexpr auto spin_time = std::chrono::microseconds(8);
// How long an exiting program waits for operations that still run.
constexpr auto exit_timeout = std::chrono::seconds(1);

thread_local bool inside_host_code = false;
thread_local bool serves_streams = false;

// Of all streams. Waiting threads read it, even before the device exists.
std::atomic<std::size_t> operations_left{0};

// The streams of all devices.
struct all_streams {
  std::mutex order;
  std::vector<queue_pointer> queues;
  std::vector<queue_pointer> legacy;  // by device
  std::mutex serving;  // in a checked run: held by the thread that does the streams' work
  std::atomic<bool> is_exiting{false};
  std::atomic<int> operations_running{0};
};

void abandon_work();
void reach(const point& where);
void notify_of_wait(const point& where);

// Never destroyed: the streams' threads outlive main.
all_streams& the_streams() {
  static all_streams& only = [&]() -> all_streams& {
    all_streams& fresh = *new all_streams;
    for (int device = 0; device < device_count(); ++device) {
      fresh.legacy.push_back(std::make_shared<queue>(device, cudaStreamDefault, 0, true));
    }
    fresh.queues = fresh.legacy;
    std::atexit(abandon_work);
    return fresh;
  }();
  return only;
}

// At program exit, work that has not started is dropped, as a GPU's context drops it.
void abandon_work() {
  all_streams& of = the_streams();
  if (policy().works_when_awaited) {  // the checker must see all submitted work
    for (int device = 0; device < device_count(); ++device) {
      for (const point& each : pending_work_of(device)) {
        reach(each);
        notify_of_wait(each);
      }
    }
  }
  of.is_exiting = true;
  const auto deadline = clock::now() + exit_timeout;
  while (of.operations_running > 0 && !inside_host_code && clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void notify_of_begin(const operation& what, const queue& in) {
  observer* const watching = current_observer();
  if (watching == nullptr) return;
  std::vector<work_point> before;
  for (const point& needed : what.waits) before.push_back({needed.on->name, needed.number});
  watching->work_begins(what.submitted_as, in.name, before.data(), before.size());
}

void notify_of_wait(const point& where) {
  observer* const watching = current_observer();
  if (watching == nullptr || !where.on) return;
  watching->host_has_waited(where.on->name, where.number);
}

// In a checked run one thread at a time does the streams' work. User functions are excluded: they
// may wait for threads that wait for streams.
class service {
 public:
  explicit service(bool is_wanted) : was_serving_(serves_streams) { become(is_wanted); }
  ~service() { become(was_serving_); }
  service(const service&) = delete;
  service& operator=(const service&) = delete;

 private:
  static void become(bool serving) {
    if (serving == serves_streams || !policy().works_when_awaited) return;
    if (serving) {
      the_streams().serving.lock();
    } else {
      the_streams().serving.unlock();
    }
    serves_streams = serving;
  }
  const bool was_serving_;
};

void perform(operation& what, const queue& in) {
  all_streams& on = the_streams();
  for (const point& needed : what.waits) reach(needed);
  notify_of_begin(what, in);
  on.operations_running.fetch_add(1);
  const bool is_dropped =
      on.is_exiting || !what.run || (fault() != cudaSuccess && !what.runs_after_fault);
  if (!is_dropped) {
    inside_host_code = what.is_host_code;
    const service done_here(!what.is_host_code);
    const cudaError_t error = what.run();
    inside_host_code = false;
    if (error != cudaSuccess) raise_fault(error);
  }
  on.operations_running.fetch_sub(1);
  what = operation{};  // a closure may own memory, which must not be freed under the lock
}

void run_stream(queue_pointer which);

// The caller holds order(), as for all functions here that take the lock.
void call_thread(const queue_pointer& of) {
  if (of->has_thread) {
    of->work_arrived.notify_one();
  } else {
    of->has_thread = true;
    const starts_own_thread own;
    std::thread(run_stream, of).detach();
  }
}

// A closed stream is removed once its last operation is done.
void forget_if_over(const queue_pointer& which) {
  if (!which->is_closing || !which->waiting.empty() || which->has_runner) return;
  std::erase(the_streams().queues, which);
}

enum class runner { own_thread, guest };

// Takes the runner role, which must be free, until the stream has completed `number` operations.
void run_until(std::unique_lock<std::mutex>& lock, const queue_pointer& which, std::uint64_t number,
               runner who) {
  queue& stream = *which;
  stream.has_runner = true;
  while (stream.completed.load(std::memory_order_relaxed) < number && !stream.waiting.empty()) {
    if (stream.waiting.front().is_host_code && who == runner::guest && !policy().works_when_awaited)
      break;
    operation next = std::move(stream.waiting.front());
    stream.waiting.pop_front();
    // Through a user function the host learns how far the stream is, and may pass that on to other
    // threads.
    const bool host_learns = next.is_host_code;
    const point before{which, stream.completed.load(std::memory_order_relaxed)};
    lock.unlock();
    if (host_learns) notify_of_wait(before);
    perform(next, stream);
    lock.lock();
    const std::uint64_t done = stream.completed.fetch_add(1, std::memory_order_release) + 1;
    operations_left.fetch_sub(1, std::memory_order_relaxed);
    if (observer* const watching = current_observer()) watching->work_ends(stream.name, done);
    if (host_learns) notify_of_wait({which, done});
    stream.progressed.notify_all();
  }
  stream.has_runner = false;
  // In a checked run the rest waits until someone needs it, so that runs are deterministic.
  if (!stream.waiting.empty() && !policy().works_when_awaited) call_thread(which);
  stream.progressed.notify_all();
  forget_if_over(which);
}

void run_stream(queue_pointer which) {
  std::unique_lock lock(order());
  for (;;) {
    which->work_arrived.wait(
        lock, [&] { return which->waiting.empty() ? which->is_closing : !which->has_runner; });
    if (which->waiting.empty()) return;
    run_until(lock, which, UINT64_MAX, runner::own_thread);
  }
}

// Polls for a moment, without the lock, whether the stream reaches `number`.
bool spin_until(const queue& which, std::uint64_t number) {
  const auto deadline = clock::now() + spin_time;
  do {
    for (int look = 0; look < 64; ++look) {
      if (which.completed.load(std::memory_order_acquire) >= number) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      asm volatile("isb");
#endif
    }
  } while (clock::now() < deadline);
  return false;
}

bool nothing_is_before(const queue& to) {
  return !to.has_runner && to.waiting.size() == 1 &&
         std::all_of(to.waiting.front().waits.begin(), to.waiting.front().waits.end(),
                     [](const point& needed) { return needed.is_reached(); });
}

// A checked run records an ordering even if there is nothing left to wait for.
bool is_worth_waiting_for(const queue& which) {
  return policy().works_when_awaited || !which.is_idle();
}

// Whether the legacy stream has to wait for work in the other stream.
bool meets_legacy(const queue& other, const queue& legacy) {
  return other.device == legacy.device && other.orders_with_legacy() && is_worth_waiting_for(other);
}

void add_legacy_order(const queue_pointer& to, operation& what) {
  all_streams& of = the_streams();
  const queue_pointer& legacy = of.legacy[static_cast<std::size_t>(to->device)];
  if (to->is_legacy) {
    for (const queue_pointer& other : of.queues) {
      if (meets_legacy(*other, *to)) what.waits.push_back({other, other->submitted});
    }
  } else if (to->orders_with_legacy() && is_worth_waiting_for(*legacy)) {
    what.waits.push_back({legacy, legacy->submitted});
  }
}

}  // namespace

bool point::is_reached() const {
  return on == nullptr || on->completed.load(std::memory_order_acquire) >= number;
}

std::mutex& order() { return the_streams().order; }

const std::vector<queue_pointer>& all_queues() { return the_streams().queues; }

queue_pointer legacy_queue() {
  return the_streams().legacy[static_cast<std::size_t>(current_device())];
}

queue_pointer open_queue(unsigned flags, int priority) {
  auto fresh = std::make_shared<queue>(current_device(), flags, priority, false);
  const std::lock_guard lock(order());
  the_streams().queues.push_back(fresh);
  return fresh;
}

queue_pointer thread_queue() {
  struct owner {
    queue_pointer own = open_queue(cudaStreamDefault, 0);
    ~owner() { close_queue(own); }
  };
  thread_local std::map<int, owner> by_device;
  return by_device[current_device()].own;
}

void close_queue(const queue_pointer& which) {
  const std::lock_guard lock(order());
  which->is_closing = true;
  which->work_arrived.notify_one();
  forget_if_over(which);
}

submission submit(const queue_pointer& to, operation what, urgency how) {
  std::unique_lock lock(order());
  if (to->capturing != nullptr) {
    return {capture_operation(*to, std::move(what)), true, {}};
  }
  if (to->is_legacy) {
    if (const cudaError_t error = forbid_legacy_work(); error != cudaSuccess) {
      return {error, false, {}};
    }
  }
  add_legacy_order(to, what);
  operations_left.fetch_add(1, std::memory_order_relaxed);
  if (observer* const watching = current_observer()) {
    what.submitted_as = watching->work_is_submitted();
  }
  to->waiting.push_back(std::move(what));
  const std::uint64_t number = ++to->submitted;
  if (policy().works_when_awaited) return {cudaSuccess, false, {to, number}};
  if (how == urgency::inline_if_idle && nothing_is_before(*to)) {
    run_until(lock, to, number, runner::guest);
  } else if (how != urgency::caller_waits && !to->has_runner) {
    call_thread(to);
  }
  return {cudaSuccess, false, {to, number}};
}

void wait_for(const point& where) {
  observer* const watching = current_observer();
  if (watching != nullptr && !where.is_reached()) watching->host_is_to_wait();
  reach(where);
  notify_of_wait(where);
}

namespace {

void reach(const point& where) {
  if (where.is_reached()) return;
  queue& stream = *where.on;
  const auto can_run = [&] {
    return !stream.has_runner && !stream.waiting.empty() &&
           (policy().works_when_awaited || !stream.waiting.front().is_host_code);
  };
  std::unique_lock lock(order(), std::defer_lock);
  while (!where.is_reached()) {
    lock.lock();
    const bool is_runner = can_run();
    lock.unlock();
    if (!is_runner && spin_until(stream, where.number)) return;
    // A thread that waits for another runner must not hold up that runner.
    const service here(is_runner);
    lock.lock();
    if (is_runner && can_run()) run_until(lock, where.on, where.number, runner::guest);
    if (!is_runner && !where.is_reached() && !can_run()) stream.progressed.wait(lock);
    lock.unlock();
  }
}

}  // namespace

std::vector<point> pending_work(const queue_pointer& of) {
  const std::lock_guard lock(order());
  std::vector<point> pending;
  if (is_worth_waiting_for(*of)) pending.push_back({of, of->submitted});
  if (!of->is_legacy) return pending;
  for (const queue_pointer& other : the_streams().queues) {
    if (meets_legacy(*other, *of)) pending.push_back({other, other->submitted});
  }
  return pending;
}

std::vector<point> pending_work_of(int device) {
  const std::lock_guard lock(order());
  std::vector<point> pending;
  for (const queue_pointer& each : the_streams().queues) {
    if (each->device == device && is_worth_waiting_for(*each)) {
      pending.push_back({each, each->submitted});
    }
  }
  return pending;
}

bool in_host_code() { return inside_host_code; }

}  // namespace heddle_host::stream

namespace heddle_host {

bool is_stream_work_left() { return stream::operations_left.load(std::memory_order_relaxed) != 0; }

void do_stream_work() {
  stream::point next;
  {
    const std::lock_guard lock(stream::order());
    for (const stream::queue_pointer& each : stream::all_queues()) {
      if (each->waiting.empty() || each->has_runner) continue;
      next = {each, each->completed.load(std::memory_order_relaxed) + 1};
      break;
    }
  }
  if (next.on != nullptr) stream::reach(next);
}

}  // namespace heddle_host
