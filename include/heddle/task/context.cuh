// What a visitor can ask of the scheduler while it visits a task.
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/task/cache.cuh>
#include <heddle/task/pool.cuh>

#include <cstdint>

namespace heddle::task {

namespace detail {
template <typename Task, int priorities>
class worker;
}

// Each lane has its own, for the duration of one visit.
template <typename Task, int priorities, int slots>
class context {
 public:
  // The lanes that visit a task of the same kind together with the caller. Exactly these lanes are
  // calling the visitor now, so it may use collectives over them.
  [[nodiscard]] __device__ lane_mask members() const { return members_; }
  // The worker's index among all workers.
  [[nodiscard]] __device__ std::uint32_t worker() const { return worker_; }

  // Returns true if the task will be visited, unless the run is stopped. Returns false, with no
  // effect, if there is no memory for it: then do its work at once, or drop it.
  //   called by   single lanes, any number of them, any number of times
  //   priority    0 … priorities - 1; 0 goes first
  //   order       the visit of the task sees what this lane has written before
  //   cost        an addition in shared memory; when the worker's cache is full, a batch in device
  //               memory for each lane, so it is best to spawn many tasks of one priority in a row
  [[nodiscard]] __device__ bool spawn(const Task& task, int priority = 0) {
    HEDDLE_EXPECTS(priority >= 0 && priority < priorities, "there is no such priority");
    if (caches_[priority].put(task)) return true;
    if (open_tasks_ != 0 && priority != open_priority_) publish();
    if (open_tasks_ == 0) {
      if (!pool_->take_free(open_batch_, true, lane_mask{1} << lane_id())) {
        ++refused_;
        return false;
      }
      open_priority_ = priority;
    }
    pool_->tasks_of(open_batch_)[open_tasks_++] = task;
    if (open_tasks_ == warp_size) publish();
    return true;
  }

  // Stops the run: workers finish the tasks that they have begun and visit no others.
  __device__ void cancel() const { pool_->stop(stop_reason::cancelled); }

 private:
  template <typename, int>
  friend class detail::worker;
  using cache = detail::cache<Task, slots>;

  __device__ context(const detail::pool_view<Task, priorities>& pool, cache* caches,
                     std::uint32_t worker, lane_mask members)
      : pool_(&pool), caches_(caches), worker_(worker), members_(members) {}

  // Publishes this lane's batch for all workers. The tasks are counted first: see
  // worker::report_count().
  __device__ void publish() {
    if (open_tasks_ == 0) return;
    pool_->sizes[open_batch_] = static_cast<std::uint32_t>(open_tasks_);
    sync::add(&pool_->state->unfinished, static_cast<unsigned long long>(open_tasks_));
    pool_->published_by(worker_, open_priority_).push(open_batch_, true, lane_mask{1} << lane_id());
    published_tasks_ += open_tasks_;
    ++published_batches_;
    open_tasks_ = 0;
  }

  const detail::pool_view<Task, priorities>* pool_;
  cache* caches_;  // one per priority
  std::uint32_t worker_;
  lane_mask members_;
  // The batch that this lane is filling; valid if `open_tasks_` is not 0.
  std::uint32_t open_batch_ = 0;
  int open_tasks_ = 0;
  int open_priority_ = 0;
  int published_tasks_ = 0;
  int published_batches_ = 0;
  int refused_ = 0;
};

}  // namespace heddle::task
