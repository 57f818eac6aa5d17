// A queue, or the ring in it, used by a few lanes: queue_proof KIND CAPACITY LANES_OF_WARP BEFORE
// PROGRAM…; see passing.cuh. Returns 0 if one order of the operations explains all results.
#include <heddle/container/queue.cuh>

#include "passing.cuh"

namespace {
using namespace heddle_test;
using heddle::container::passing;
using heddle::container::queue;
using heddle::container::detail::ring_view;

// A ring alone. It passes no memory, and can be full only if it has fewer than twice as many cells
// as values.
struct bare_ring {
  using value_type = unsigned;
  ring_view ring;
  __device__ bool try_push(unsigned value, bool wants, heddle::lane_mask members) const {
    return ring.put(value, wants, members);
  }
  __device__ bool try_pop(unsigned& value, bool wants, heddle::lane_mask members) const {
    return ring.take(value, wants, members);
  }
};

// With as few attempts per push as the proofs allow, pops are likely to get in its way every time.
queue_model model_of(const passing_case& parsed) {
  return queue_model(parsed.capacity(), parsed.times() == timing::exact);
}

int judge_ring(const passing_case& parsed, std::size_t cells) {
  const int log_cells = std::countr_zero(std::bit_ceil(cells));
  const std::size_t bytes = ring_view::bytes_for(log_cells);
  const device_array<std::byte> memory(std::vector<std::byte>(bytes, std::byte{0}));
  return parsed.judge_view(bare_ring{ring_view(memory.data(), log_cells)}, model_of(parsed), false);
}

template <typename T, passing how = passing::values_and_memory>
int judge_queue(const passing_case& parsed) {
  const queue<T, how> object(parsed.capacity(), nullptr, parsed.lanes());
  return parsed.judge_view(object.view(), model_of(parsed), how == passing::values_and_memory);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string kind = arguments[1];
  const passing_case parsed(count - 2, arguments + 2);
  if (kind == "ring") return judge_ring(parsed, 2 * parsed.capacity());
  if (kind == "tight_ring") return judge_ring(parsed, parsed.capacity());
  if (kind == "values") return judge_queue<unsigned, passing::values_alone>(parsed);
  if (kind == "words") return judge_queue<unsigned>(parsed);
  if (kind == "structs") return judge_queue<parcel>(parsed);
  return 2;
}
