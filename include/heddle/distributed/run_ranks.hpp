// The frame of a multi-rank program: whatever happens to one rank, all of them end.
#pragma once
#include <heddle/distributed/communicator.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace heddle::distributed {

// Ends all ranks of the job at once, after printing one line to stderr.
[[noreturn]] inline void end_all_ranks(const std::string& sentence, int exit_code = 1) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

namespace detail {

// Ends the process if a call takes too long: for MPI calls that cannot be polled.
class watchdog {
 public:
  watchdog(const char* call, time_limit limit)
      : thread_([this, call, limit] {
          std::unique_lock lock(mutex_);
          if (condition_.wait_for(lock, limit, [this] { return is_over_; })) return;
          std::fprintf(stderr, "heddle: %s has not ended in %s; a rank has failed or hangs\n", call,
                       text_of(limit).c_str());
          std::fflush(stderr);
          std::_Exit(1);
        }) {}
  ~watchdog() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    condition_.notify_all();
    thread_.join();
  }
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace detail

// The main() of a multi-rank program: initialises MPI, calls body(communicator) and finalises MPI.
// Returns what body returns. An exception from body ends all ranks, with what() and exit code 1.
//   called by   every rank, once
template <typename Body>
int run_ranks(int* argc, char*** argv, const Body& body, time_limit limit = default_time_limit()) {
  {
    const detail::watchdog guard("MPI_Init", limit);
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
  }
  int result = 1;
  try {
    communicator ranks(MPI_COMM_WORLD, limit);
    result = body(ranks);
    ranks.barrier();  // a missing rank is noticed here, not in MPI_Finalize
  } catch (const std::exception& thrown) {
    end_all_ranks(std::string("heddle: ") + thrown.what());
  }
  const detail::watchdog guard("MPI_Finalize", limit);
  MPI_Finalize();
  return result;
}

}  // namespace heddle::distributed
