// Runs a grid on the calling thread, helped by threads that live as long as the program.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <pthread.h>

#include <heddle_host/launch.hpp>
#include <heddle_host/options.hpp>
#include <heddle_host/own_threads.hpp>
#include <heddle_host/schedule.hpp>

#include "machine/descendants.hpp"
#include "machine/faults.hpp"
#include "machine/grid_state.hpp"
#include "machine/listeners.hpp"
#include "machine/worker.hpp"

namespace heddle_host {
namespace {

class helpers {
 public:
  static helpers& instance() {
    // Never destroyed: a grid may still run while the program exits.
    static helpers* const only = new helpers;
    return *only;
  }

  void offer(grid_state& grid) {
    {
      std::lock_guard lock(mutex_);
      while (threads_ + 1 < worker_count()) {
        const starts_own_thread own;
        std::thread([this] { help(); }).detach();
        ++threads_;
      }
      open_.push_back(&grid);
    }
    something_open_.notify_all();
  }

  void withdraw(grid_state& grid) {
    std::lock_guard lock(mutex_);
    std::erase(open_, &grid);
  }

 private:
  void help() {
    pthread_setname_np(pthread_self(), "heddle-worker");
    std::unique_lock lock(mutex_);
    for (;;) {
      grid_state* grid = nullptr;
      something_open_.wait(lock, [&] {
        for (grid_state* each : open_) {
          if (each->has_unclaimed() && !each->has_failed()) grid = each;
        }
        return grid != nullptr;
      });
      grid->join();
      lock.unlock();
      worker::of_this_thread().run(*grid);
      grid->leave();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable something_open_;
  std::vector<grid_state*> open_;
  unsigned threads_ = 0;
};

}  // namespace

cudaError_t run_grid(const launch_request& request, child_work& children) {
  allow_preemption_in_module_of(reinterpret_cast<const void*>(request.kernel->run_lanes));
  grid_state grid(request, children);
  if (schedule* const order = current_schedule()) {
    order->grid_begins(std::uint64_t{request.grid.x} * request.grid.y * request.grid.z,
                       request.block.x * request.block.y * request.block.z);
  }
  if (observer* watching = current_observer()) watching->grid_begins(request);
  grid.join();
  const bool wants_help = grid.clusters() > 1 && worker_count() > 1;
  if (wants_help) helpers::instance().offer(grid);
  worker::of_this_thread().run(grid);
  if (wants_help) helpers::instance().withdraw(grid);
  grid.leave();
  grid.wait_for_workers();
  if (observer* watching = current_observer()) watching->grid_ends(request, grid.error());
  return grid.error();
}

}  // namespace heddle_host
