// A team of threads that run the parts of one job after another.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::cluster::detail {

// The caller, and threads that wait for its jobs. run() rethrows what a job throws.
//   called by   one thread, which is member 0
class host_team {
 public:
  // As many members as asked for; 0: one per processor.
  explicit host_team(int members) {
    if (members <= 0) members = static_cast<int>(std::thread::hardware_concurrency());
    try {
      for (int member = 1; member < members; ++member)
        others_.emplace_back([this, member] { serve(member); });
    } catch (...) {
      dismiss();
      throw;
    }
  }
  host_team(const host_team&) = delete;
  host_team& operator=(const host_team&) = delete;
  ~host_team() { dismiss(); }

  [[nodiscard]] int size() const { return static_cast<int>(others_.size()) + 1; }

  // Calls job(member) once for each member, all concurrently, and waits for all.
  template <typename Job>
  void run(Job&& job) {
    if (others_.empty()) return job(0);
    job_ = &job;
    call_ = [](void* what, int member) {
      (*static_cast<std::remove_reference_t<Job>*>(what))(member);
    };
    busy_.store(static_cast<int>(others_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    take_part(0);
    for (int left = busy_.load(std::memory_order_acquire); left != 0;
         left = busy_.load(std::memory_order_acquire))
      busy_.wait(left, std::memory_order_acquire);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  // Calls part(begin, end, member) for pieces of [0, count) of up to `grain` items; a free member
  // takes the next piece.
  template <typename Part>
  void for_ranges(std::size_t count, std::size_t grain, Part&& part) {
    if (count <= grain || others_.empty()) {
      if (count != 0) part(std::size_t{0}, count, 0);
      return;
    }
    std::atomic<std::size_t> next = 0;
    run([&](int member) {
      for (;;) {
        const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) return;
        part(begin, std::min(begin + grain, count), member);
      }
    });
  }

 private:
  void serve(int member) {
    for (std::uint32_t seen = 0;; ++seen) {
      round_.wait(seen, std::memory_order_acquire);
      if (is_over_.load(std::memory_order_relaxed)) return;
      take_part(member);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }

  void take_part(int member) {
    try {
      call_(job_, member);
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void dismiss() {
    is_over_.store(true, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& other : others_) other.join();
    others_.clear();
  }

  std::vector<std::thread> others_;
  std::atomic<std::uint32_t> round_ = 0;
  std::atomic<int> busy_ = 0;
  std::atomic<bool> is_over_ = false;
  void* job_ = nullptr;
  void (*call_)(void*, int) = nullptr;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace heddle::cluster::detail
