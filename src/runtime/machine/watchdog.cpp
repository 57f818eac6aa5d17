// One thread samples all workers a few thousand times a second while grids run, and sleeps
// otherwise.
#include "machine/watchdog.hpp"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include <heddle_host/lane.hpp>
#include <heddle_host/options.hpp>
#include <heddle_host/own_threads.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "machine/block_state.hpp"
#include "machine/faults.hpp"
#include "machine/grid_state.hpp"
#include "machine/published.hpp"

namespace heddle_host {
namespace {

using std::chrono::microseconds;

// Keeps real time even where a checked program's clocks are slowed down.
struct clock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<clock, duration>;
  static time_point now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return time_point{std::chrono::seconds(time.tv_sec) + duration(time.tv_nsec)};
  }
};

// A condition variable would use the program's clock for its deadline.
void sleep_for(microseconds how_long) {
  const timespec span{0, std::chrono::nanoseconds(how_long).count()};
  nanosleep(&span, nullptr);
}

constexpr microseconds shortest_slice{200};
constexpr microseconds longest_slice{20'000};
// Even if the lanes of a block yield to each other, a signal is sent this often, to see whether
// they compute anything new.
constexpr microseconds longest_unseen{50'000};

// What a worker was doing when last sampled. If unchanged, the same lane has run all the time; a
// sample that mixes two moments only costs a needless signal.
struct glimpse {
  const block_state* block = nullptr;
  unsigned thread = 0;
  unsigned next_unstarted = 0;
  bool operator==(const glimpse&) const = default;
};

struct watched {
  pthread_t thread;
  const lane_state* lane;
  grid_state* grid;
  glimpse last;
  microseconds slice = shortest_slice;
  clock::time_point looked{};
  clock::time_point signalled{};
};

// A grid makes progress when threads start, exit or complete a warp operation or barrier, and when
// a checker says so. A worker switches between blocks, so each block is compared with its own last
// sample.
struct progress_record {
  std::uint64_t claimed = 0;
  std::uint64_t noted = 0;
  // Changes when a thread of the block starts or exits, or completes a warp operation or barrier.
  std::unordered_map<std::uint64_t, std::uint64_t> state_of_block;
  double since = 0;
};

// The time on the clock that measures progress, in seconds. A checked run is one thread that never
// waits for another, so its CPU time counts: a busy machine must not end a run that an idle one
// would complete.
double work_seconds(pthread_t worker, clock::time_point now) {
  clockid_t work;
  timespec spent;
  if (policy().counts_processor_time && pthread_getcpuclockid(worker, &work) == 0 &&
      clock_gettime(work, &spent) == 0) {
    return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
  }
  return std::chrono::duration<double>(now.time_since_epoch()).count();
}

class watchdog {
 public:
  // Never destroyed: workers may outlive static objects.
  static watchdog*& instance() {
    static watchdog* only = new watchdog;
    return only;
  }

  // Takes the lock, so that the watchdog's thread is not sending a signal: otherwise the child
  // would inherit a lock that is never released.
  static int copy_process() {
    watchdog& before = *instance();
    std::lock_guard lock(before.mutex_);
    const int copy = fork();
    if (copy != 0) return copy;
    instance() = new watchdog;
    for (const watched& each : before.workers_) instance()->add(*each.grid);
    return copy;
  }

  void add(grid_state& grid) {
    std::lock_guard lock(mutex_);
    const clock::time_point now = clock::now();
    workers_.push_back({pthread_self(), &lane_now, &grid, {}, shortest_slice, now, now});
    if (!thread_.joinable()) {
      const starts_own_thread own;
      thread_ = std::thread([this] { watch(); });
    }
    if (workers_.size() == 1) has_workers_.notify_one();
  }

  void remove(const grid_state& grid) {
    std::lock_guard lock(mutex_);
    std::erase_if(workers_, [&](const watched& each) {
      return pthread_equal(each.thread, pthread_self()) && each.grid == &grid;
    });
    const bool still_runs = std::any_of(workers_.begin(), workers_.end(),
                                        [&](const watched& each) { return each.grid == &grid; });
    if (!still_runs) progress_.erase(&grid);
  }

 private:
  void watch() {
    pthread_setname_np(pthread_self(), "heddle-watchdog");
    std::unique_lock lock(mutex_);
    for (;;) {
      has_workers_.wait(lock, [this] { return !workers_.empty(); });
      lock.unlock();
      sleep_for(shortest_slice);
      lock.lock();
      const clock::time_point now = clock::now();
      for (watched& each : workers_) look_at(each, now);
    }
  }

  void look_at(watched& who, clock::time_point now) {
    if (now - who.looked < who.slice) return;
    who.looked = now;
    check_progress(who, now);
    const glimpse seen{peek_object(who.lane->block), peek(who.lane->thread),
                       peek(who.lane->next_unstarted)};
    if (seen.block == nullptr) return;
    const bool is_same = seen == who.last;
    if (is_same || now - who.signalled > longest_unseen) {
      who.signalled = now;
      pthread_kill(who.thread, preemption_signal());
    }
    if (is_same) {
      // Double the slice for a lane that resumes alone after each signal.
      who.slice = std::min(who.slice * 2, longest_slice);
    } else {
      who.slice = shortest_slice;
    }
    who.last = seen;
  }

  void check_progress(const watched& who, clock::time_point now) {
    const double limit = timeout_seconds();
    if (limit <= 0) return;
    auto [found, is_new] = progress_.try_emplace(who.grid);
    progress_record& record = found->second;
    bool has_progressed = is_new;
    if (const std::uint64_t claimed = who.grid->claimed(); claimed != record.claimed) {
      record.claimed = claimed;
      record.state_of_block.clear();
      has_progressed = true;
    }
    if (const std::uint64_t noted = who.grid->progress.load(std::memory_order_relaxed);
        noted != record.noted) {
      record.noted = noted;
      has_progressed = true;
    }
    if (const block_state* block = peek_object(who.lane->block)) {
      const std::uint64_t state = (std::uint64_t{peek(who.lane->next_unstarted)} << 48) +
                                  (std::uint64_t{block->exited()} << 36) + block->met();
      auto [last, is_first_sight] = record.state_of_block.try_emplace(block->linear_index(), state);
      if (is_first_sight || last->second != state) has_progressed = true;
      last->second = state;
    }
    const double seconds = work_seconds(who.thread, now);
    if (has_progressed) {
      record.since = seconds;
    } else if (seconds - record.since > limit) {
      who.grid->has_timed_out = true;
    }
  }

  std::mutex mutex_;
  std::condition_variable has_workers_;
  std::vector<watched> workers_;
  std::unordered_map<const grid_state*, progress_record> progress_;
  std::thread thread_;
};

}  // namespace

watched_worker::watched_worker(grid_state& grid) : grid_(grid) { watchdog::instance()->add(grid); }
watched_worker::~watched_worker() { watchdog::instance()->remove(grid_); }

int copy_process() { return watchdog::copy_process(); }

}  // namespace heddle_host
