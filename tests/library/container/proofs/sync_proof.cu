// Two lanes pass data by a flag, a channel, a lock or a barrier: sync_proof KIND ROUNDS. The data
// is in plain memory. Returns 0 if all of it has arrived.
#include <heddle/sync/block_barrier.cuh>
#include <heddle/sync/channel.cuh>
#include <heddle/sync/flag.cuh>
#include <heddle/sync/spin_lock.cuh>
#include <heddle/sync/ticket_lock.cuh>

#include <cstdio>
#include <string>

#include "support/on_device.cuh"

namespace {
using heddle_test::check;
namespace sync = heddle::sync;

constexpr unsigned most_rounds = 8;

__device__ unsigned number_of_warp() {
  return threadIdx.x / static_cast<unsigned>(heddle::warp_size);
}

struct by_flag {
  sync::flag<> ready;
  unsigned data[most_rounds];
  __device__ void operator()(unsigned who, unsigned rounds, unsigned* wrong) {
    for (unsigned i = 0; i < rounds; ++i) {
      if (who == 0) {
        data[i] = i + 7;
        ready.raise_to(i + 1);
      } else {
        ready.wait_for(i + 1);
        if (data[i] != i + 7) atomicAdd(wrong, 1u);
      }
    }
  }
};

struct by_channel {
  sync::channel<unsigned> through;
  unsigned data[most_rounds];
  __device__ void operator()(unsigned who, unsigned rounds, unsigned* wrong) {
    for (unsigned i = 0; i < rounds; ++i) {
      if (who == 0) {
        data[i] = i + 7;
        through.send(i);
      } else if (through.receive() != i || data[i] != i + 7) {
        atomicAdd(wrong, 1u);
      }
    }
  }
};

// Each lane increments what the lock guards.
template <typename Lock, bool tries>
struct by_lock {
  Lock lock;
  unsigned count;
  __device__ void operator()(unsigned, unsigned rounds, unsigned* wrong) {
    unsigned last = 0;
    for (unsigned i = 0; i < rounds; ++i) {
      if constexpr (tries) {
        for (sync::backoff wait; !lock.try_lock(); wait.pause()) {
        }
      } else {
        lock.lock();
      }
      const unsigned mine = ++count;
      lock.unlock();
      if (mine <= last || mine > 2 * rounds) atomicAdd(wrong, 1u);
      last = mine;
    }
  }
};

// Two blocks of two threads. The second thread of each reads what that of the other has written,
// and overwrites it after the next barrier.
struct by_barrier {
  sync::block_barrier barrier;
  unsigned data[2];
  __device__ void operator()(unsigned who, unsigned rounds, unsigned* wrong) {
    for (unsigned i = 0; i < rounds; ++i) {
      if (threadIdx.x == 1) data[who] = i + 7;
      barrier.wait(2);
      if (threadIdx.x == 1 && data[1 - who] != i + 7) atomicAdd(wrong, 1u);
      barrier.wait(2);
    }
  }
};

template <typename Conversation>
__global__ void talk(Conversation* what, unsigned rounds, unsigned* wrong) {
  if (gridDim.x > 1) {
    (*what)(blockIdx.x, rounds, wrong);
  } else if (threadIdx.x % static_cast<unsigned>(heddle::warp_size) == 0) {
    (*what)(number_of_warp(), rounds, wrong);
  }
}

// Between the first lanes of two warps, or between two blocks.
template <typename Conversation>
int judge(bool in_two_blocks, unsigned rounds) {
  Conversation* what = nullptr;
  check(cudaMalloc(&what, sizeof *what), "memory");
  check(cudaMemset(what, 0, sizeof *what), "memory");
  const heddle_test::device_array<unsigned> wrong(std::vector<unsigned>{0});
  unsigned* const count = wrong.data();
  const unsigned blocks = in_two_blocks ? 2 : 1;
  const unsigned threads = in_two_blocks ? 2 : static_cast<unsigned>(heddle::warp_size) + 1;
  talk<<<blocks, threads>>>(what, rounds, count);
  check(cudaDeviceSynchronize(), "the kernel");
  check(cudaFree(what), "memory");
  return wrong.values().front() == 0 ? 0 : 1;
}

}  // namespace

int main(int, char** arguments) {
  const std::string kind = arguments[1];
  const auto rounds = static_cast<unsigned>(std::stoul(arguments[2]));
  if (rounds > most_rounds) return 2;
  if (kind == "flag") return judge<by_flag>(false, rounds);
  if (kind == "channel") return judge<by_channel>(false, rounds);
  if (kind == "spin_lock") return judge<by_lock<sync::spin_lock<>, false>>(false, rounds);
  if (kind == "ticket_lock") return judge<by_lock<sync::ticket_lock<>, false>>(false, rounds);
  if (kind == "ticket_try_lock") return judge<by_lock<sync::ticket_lock<>, true>>(false, rounds);
  if (kind == "barrier") return judge<by_barrier>(true, rounds);
  return 2;
}
