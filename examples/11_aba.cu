// Why a stack needs a version next to its top: a lane that stops in the middle of a pop does not
// see that the top was removed and came back, and hands out a node that another lane holds.
// `heddle check examples/11_aba.cu` reports the first stack, and nothing for the second.
#include <heddle/sync/access.cuh>
#include <heddle/sync/flag.cuh>

#include <cstdio>

using namespace heddle;
using word = unsigned long long;

// A linked list in an array: next[n] follows node n, and 0 is the end.
template <bool has_version>
struct node_stack {
  word top;  // low half: the node; high half: how often it was changed
  unsigned next[4];

  __device__ static unsigned node_of(word top) { return static_cast<unsigned>(top); }

  // A pop in two steps, so that other lanes can run in between.
  __device__ void look(word& seen, unsigned& below) {
    seen = sync::load_acquire(&top);
    below = sync::load(&next[node_of(seen)]);
  }
  __device__ bool take(word seen, unsigned below) { return exchange(seen, below); }

  __device__ unsigned pop() {
    for (;;) {
      word seen;
      unsigned below;
      look(seen, below);
      if (node_of(seen) == 0 || take(seen, below)) return node_of(seen);
    }
  }
  __device__ void push(unsigned node) {
    for (;;) {
      const word seen = sync::load(&top);
      sync::store(&next[node], node_of(seen));
      sync::fence();
      if (exchange(seen, node)) return;
    }
  }
  __device__ bool exchange(word seen, unsigned node) {
    const word version = has_version ? (seen >> 32) + 1 : 0;
    return sync::compare_exchange(&top, seen, version << 32 | node) == seen;
  }
};

// The stack is 1, 2, 3. Lane 0 has read 1 as the top and 2 as the next node. Lane 1 then pops both
// and pushes 1 back.
template <bool has_version>
__global__ void meddle(node_stack<has_version>* stack, sync::flag<>* turns, unsigned* held) {
  if (threadIdx.x == 0) {
    word seen;
    unsigned below;
    stack->look(seen, below);
    turns[0].raise();
    turns[1].wait_for();
    held[0] = stack->take(seen, below) ? stack->node_of(seen) : stack->pop();
    held[1] = stack->pop();
  } else {
    turns[0].wait_for();
    const unsigned one = stack->pop();
    held[2] = stack->pop();
    stack->push(one);
    turns[1].raise();
  }
}

template <bool has_version>
bool show(const char* name) {
  struct everything {
    node_stack<has_version> stack;
    sync::flag<> turns[2];
    unsigned held[3];
  } * all;
  if (cudaMallocManaged(&all, sizeof *all) != cudaSuccess) return false;
  *all = everything{{1, {0, 2, 3, 0}}, {}, {}};
  meddle<<<1, 2>>>(&all->stack, all->turns, all->held);
  const bool is_done = cudaDeviceSynchronize() == cudaSuccess;
  const unsigned* const held = all->held;
  printf("%s: lane 0 holds %u and %u, lane 1 holds %u\n", name, held[0], held[1], held[2]);
  const bool is_shared = held[0] == held[2] || held[1] == held[2];
  cudaFree(all);
  return is_done && is_shared == !has_version;
}

int main() { return show<false>("without a version") && show<true>("with a version") ? 0 : 1; }
