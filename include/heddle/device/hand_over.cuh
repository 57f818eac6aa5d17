// How the blocks of a grid hand their results to the one block that finishes, in one launch.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/workspace.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::device {

// Both ways leave their memory as they found it, all zero, so that the next call needs no clearing.

// The last block to arrive finishes. It reads what the others have written before they arrived.
//   called by   every thread of every block, once; what a block hands over is written before
//   counter     of kept() memory, zero between calls
//   result in   every thread: true in the block that finishes
//   cost        a fence and an atomic, one after the other: two ways to the second-level cache; two
//               barriers
[[nodiscard]] __device__ inline bool is_last_block(unsigned* counter) {
  __shared__ bool is_last;
  __syncthreads();  // all threads of the block have written
  if (thread_rank() == 0) {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    // Wraps to zero when the last block has come.
    is_last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  }
  __syncthreads();
  return is_last;
}

// A board with a slot for each block, which the last block of the grid reads as they are filled.
// Each word of a value stands beside a flag in the same eight bytes, which arrive together: neither
// fence nor counter, so only one way to the second-level cache and one back.
//   memory      kept() memory of bytes_for(blocks), zero between calls
//   progress    the last block waits for the others; blocks are started in the order of their
//               numbers, so those have started before it, and wait for nobody
template <exchangeable T>
class board {
 public:
  [[nodiscard]] static std::size_t bytes_for(int blocks) {
    return static_cast<std::size_t>(blocks) * words_of<T>::count * sizeof(slot);
  }

  __device__ explicit board(std::byte* memory) : slots_(reinterpret_cast<slot*>(memory)) {}

  // Fills the slot of a block.
  __device__ void post(int block, const T& value) {
    const words_of<T> posted(value);
#pragma unroll
    for (int i = 0; i < words_of<T>::count; ++i) {
      const slot filled = slot{1} << 32 | posted.words[i];
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(slot_of(block, i)), "l"(filled)
                   : "memory");
    }
  }

  // Waits for the value of a block and empties its slot.
  [[nodiscard]] __device__ T take(int block) {
    words_of<T> taken;
    slot found[words_of<T>::count];
    bool is_whole;
    // All words on one way to memory.
    do {
      is_whole = true;
#pragma unroll
      for (int i = 0; i < words_of<T>::count; ++i) {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(found[i])
                     : "l"(slot_of(block, i))
                     : "memory");
      }
#pragma unroll
      for (int i = 0; i < words_of<T>::count; ++i) is_whole = is_whole && found[i] >> 32 != 0;
    } while (!is_whole);
#pragma unroll
    for (int i = 0; i < words_of<T>::count; ++i) {
      taken.words[i] = static_cast<std::uint32_t>(found[i]);
      *slot_of(block, i) = 0;
    }
    return taken.value();
  }

 private:
  using slot = unsigned long long;
  // Word by word, so that neighbouring threads read neighbouring slots.
  __device__ slot* slot_of(int block, int word) {
    return slots_ + static_cast<std::size_t>(word) * gridDim.x + static_cast<std::size_t>(block);
  }
  slot* slots_;
};

}  // namespace heddle::device
