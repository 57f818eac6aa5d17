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

// Every lane has one of its own, for one visit.
template <typename Task, int priorities, int slots>
class context {
 public:
  // The lanes that visit a task of the same kind together with the caller: all of them, and only
  // they, call the visitor now, so collectives over them are in order.
  [[nodiscard]] __device__ lane_mask members() const { return members_; }
  // The worker's number among all of them.
  [[nodiscard]] __device__ std::uint32_t worker() const { return worker_; }

  // True if the task will be visited, unless the run is stopped; false, and nothing has happened,
  // if there is no memory for it: then do its work at once, or do without.
  //   called by   single lanes, in any number and as often as they like
  //   priority    0 … priorities - 1; 0 goes first
  //   order       the visit of the task sees what this lane has written before
  //   cost        an addition in shared memory; where the worker has no room there, a batch in
  //               device memory for each lane, so a lane had better spawn many tasks of one
  //               priority in a row
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

  // Stops the run: workers visit no more tasks but those that they have begun.
  __device__ void cancel() const { pool_->stop(stop_reason::cancelled); }

 private:
  template <typename, int>
  friend class detail::worker;
  using cache = detail::cache<Task, slots>;

  __device__ context(const detail::pool_view<Task, priorities>& pool, cache* caches,
                     std::uint32_t worker, lane_mask members)
      : pool_(&pool), caches_(caches), worker_(worker), members_(members) {}

  // Hands the lane's own batch to everybody. It is counted first: see worker::tell().
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
  cache* caches_;  // of each priority
  std::uint32_t worker_;
  lane_mask members_;
  // The batch that this lane fills, if it has any tasks.
  std::uint32_t open_batch_ = 0;
  int open_tasks_ = 0;
  int open_priority_ = 0;
  int published_tasks_ = 0;
  int published_batches_ = 0;
  int refused_ = 0;
};

}  // namespace heddle::task
