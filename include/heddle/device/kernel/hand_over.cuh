// How the blocks of a grid pass their results to the one block that finishes, within one launch.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/workspace.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::device::detail {

using heddle::detail::words_of;

// Both methods leave their memory all zero, as they found it, so the next call needs no clearing.

// The last block to arrive finishes. It may read what the others wrote before they arrived.
//   called by   every thread of every block, once, after the block has written what it hands over
//   counter     in kept() memory, zero between calls
//   result in   every thread: true in the block that finishes
//   cost        a fence, then an atomic: two dependent round trips to L2; two barriers
[[nodiscard]] __device__ inline bool is_last_block(unsigned* counter) {
  __shared__ bool is_last;
  __syncthreads();  // all threads of the block have written
  if (thread_rank() == 0) {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    // Wraps to zero when the last block arrives.
    is_last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  }
  __syncthreads();
  return is_last;
}

// A board with one slot per block, which the last block of the grid reads as the slots fill. Each
// word of a value shares eight bytes with a flag, and both arrive together. So there is neither
// fence nor counter: one store to L2 and one load from it.
//   memory      kept() memory of bytes_for(blocks), zero between calls
//   progress    the last block waits for the others. Blocks start in the order of their numbers, so
//               the others have started before it, and they wait for nobody
template <exchangeable T>
class board {
 public:
  [[nodiscard]] static std::size_t bytes_for(int blocks) {
    return static_cast<std::size_t>(blocks) * words_of<T>::count * sizeof(flagged_word);
  }

  __device__ explicit board(std::byte* memory) : words_(reinterpret_cast<flagged_word*>(memory)) {}

  // Fills the slot of a block.
  __device__ void post(int block, const T& value) {
    const words_of<T> posted(value);
#pragma unroll
    for (int i = 0; i < words_of<T>::count; ++i) {
      const flagged_word filled = flagged_word{1} << 32 | posted.words[i];
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word_of(block, i)), "l"(filled)
                   : "memory");
    }
  }

  // Waits for the value of a block and empties its slot.
  [[nodiscard]] __device__ T take(int block) {
    words_of<T> taken;
    flagged_word found[words_of<T>::count];
    bool is_whole;
    // Polls all words in one round trip to memory.
    do {
      is_whole = true;
#pragma unroll
      for (int i = 0; i < words_of<T>::count; ++i) {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(found[i])
                     : "l"(word_of(block, i))
                     : "memory");
      }
#pragma unroll
      for (int i = 0; i < words_of<T>::count; ++i) is_whole = is_whole && found[i] >> 32 != 0;
    } while (!is_whole);
#pragma unroll
    for (int i = 0; i < words_of<T>::count; ++i) {
      taken.words[i] = static_cast<std::uint32_t>(found[i]);
      *word_of(block, i) = 0;
    }
    return taken.value();
  }

 private:
  using flagged_word = unsigned long long;
  // Word by word, so that neighbouring threads read neighbouring slots.
  __device__ flagged_word* word_of(int block, int word) {
    return words_ + static_cast<std::size_t>(word) * gridDim.x + static_cast<std::size_t>(block);
  }
  flagged_word* words_;
};

}  // namespace heddle::device::detail
