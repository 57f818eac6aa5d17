// Host threads wait for each other in every way that the standard library and POSIX offer.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

__global__ void count_up(int* sum) { atomicAdd(sum, 1); }

int* sum;
int first_value() {
  static const int value = [] {
    std::this_thread::sleep_for(2ms);
    return 7;
  }();
  return value;
}

// Uses its own stream.
int launch_and_wait() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  count_up<<<1, 32, 0, stream>>>(sum);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return 1;
}

template <typename One, typename Other>
void both(One one, Other other) {
  std::thread second(other);
  one();
  second.join();
}

int main() {
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  int done = 0;

  auto one = std::async(std::launch::async, launch_and_wait);
  auto another = std::async(std::launch::async, launch_and_wait);
  while (another.wait_for(0s) != std::future_status::ready) std::this_thread::yield();
  done += one.get() + another.get();

  std::promise<int> promised;
  both([&] { done += promised.get_future().get(); },
       [&] { promised.set_value(launch_and_wait()); });

  std::atomic<int> word{0};
  both(
      [&] {
        word.wait(0);
        done += word;
      },
      [&] {
        word = launch_and_wait();
        word.notify_all();
      });
  word = 0;
  both(
      [&] {
        while (word == 0)
          ;
        ++done;
      },
      [&] { word = launch_and_wait(); });

  std::counting_semaphore<4> tickets(0);
  both(
      [&] {
        tickets.acquire();
        ++done;
      },
      [&] {
        launch_and_wait();
        tickets.release();
      });
  std::latch latch(2);
  both(
      [&] {
        latch.arrive_and_wait();
        ++done;
      },
      [&] {
        launch_and_wait();
        latch.arrive_and_wait();
      });
  std::barrier barrier(2);
  both(
      [&] {
        for (int i = 0; i < 3; ++i) barrier.arrive_and_wait();
        ++done;
      },
      [&] {
        for (int i = 0; i < 3; ++i) {
          launch_and_wait();
          barrier.arrive_and_wait();
        }
      });

  std::once_flag once;
  const auto call = [&] {
    std::call_once(once, [&] {
      launch_and_wait();
      ++done;
    });
  };
  both(call, call);
  std::atomic<int> values{0};
  both([&] { values += first_value(); }, [&] { values += first_value(); });
  done += values == 14;

  std::shared_mutex shared;
  both(
      [&] {
        const std::unique_lock lock(shared);
        done += launch_and_wait();
      },
      [&] {
        const std::shared_lock lock(shared);
        launch_and_wait();
      });
  std::timed_mutex timed;
  both(
      [&] {
        const std::lock_guard lock(timed);
        std::this_thread::sleep_for(5ms);
        done += launch_and_wait();
      },
      [&] {
        while (!timed.try_lock_for(1ms))
          ;
        timed.unlock();
      });
  std::recursive_mutex again;
  both(
      [&] {
        const std::lock_guard lock(again), inner(again);
        done += launch_and_wait();
      },
      [&] {
        const std::lock_guard lock(again);
        launch_and_wait();
      });

  std::mutex mutex;
  std::condition_variable changed;
  bool is_set = false;
  both(
      [&] {
        std::unique_lock lock(mutex);
        done += changed.wait_for(lock, 100s, [&] { return is_set; });
      },
      [&] {
        launch_and_wait();
        const std::lock_guard lock(mutex);
        is_set = true;
        changed.notify_all();
      });
  {
    std::unique_lock lock(mutex);
    done += changed.wait_for(lock, 1ms) == std::cv_status::timeout;
  }
  both(
      [&] {
        std::unique_lock lock(mutex);
        done += !changed.wait_for(lock, 3ms, [] { return false; });
      },
      launch_and_wait);

  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  both(
      [&] {
        sem_wait(&semaphore);
        ++done;
      },
      [&] {
        launch_and_wait();
        sem_post(&semaphore);
      });
  sem_destroy(&semaphore);
  pthread_barrier_t meeting;
  pthread_barrier_init(&meeting, nullptr, 2);
  both(
      [&] {
        for (int i = 0; i < 3; ++i) pthread_barrier_wait(&meeting);
        ++done;
      },
      [&] {
        for (int i = 0; i < 3; ++i) {
          launch_and_wait();
          pthread_barrier_wait(&meeting);
        }
      });
  pthread_barrier_destroy(&meeting);
  pthread_spinlock_t spinning;
  pthread_spin_init(&spinning, PTHREAD_PROCESS_PRIVATE);
  const auto with_spinlock = [&] {
    pthread_spin_lock(&spinning);
    launch_and_wait();
    pthread_spin_unlock(&spinning);
  };
  both(with_spinlock, with_spinlock);

  std::printf("%d %d\n", done, *sum);
  cudaFree(sum);
}
