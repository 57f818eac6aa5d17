// Compare-and-swap of 16 and 128 bits, and atomics on neighbouring bytes.
#include "atomics.cuh"

using namespace conformance;

__global__ void count_in_16_bits(unsigned short* counters) {
  unsigned short* const mine = &counters[threadIdx.x % 6];
  unsigned short seen = *static_cast<volatile unsigned short*>(mine);
  while (true) {
    const unsigned short next = static_cast<unsigned short>(seen + 1 + threadIdx.x % 6);
    const unsigned short old = atomicCAS(mine, seen, next);
    if (old == seen) break;
    seen = old;
  }
}

CASE(atomic_cas_of_16_bits_leaves_its_neighbours_alone) {
  const buffer<unsigned short> counters(6, 0);
  count_in_16_bits<<<8, 96>>>(counters);
  show("counters", counters);
}

struct alignas(16) wide_value {
  unsigned long long count, sum;
};

__global__ void count_in_128_bits(wide_value* cell) {
  wide_value seen{0, 0};
  while (true) {
    const wide_value next{seen.count + 1, seen.sum + rank_in_grid()};
    const wide_value old = atomicCAS(cell, seen, next);
    if (old.count == seen.count && old.sum == seen.sum) break;
    seen = old;
  }
}

__global__ void read_wide(const wide_value* cell, unsigned long long* results) {
  results[0] = cell->count;
  results[1] = cell->sum;
}

CASE(atomic_cas_of_128_bits) {
  const buffer<wide_value> cell(1, 0);
  const buffer<unsigned long long> results(2);
  count_in_128_bits<<<4, 64>>>(cell);
  read_wide<<<1, 1>>>(cell, results);
  show("count and sum", results);
}

__global__ void exchange_wide(wide_value* cell, unsigned long long* torn, unsigned long long* sum) {
  // both halves of a value always come from the same writer
  const unsigned long long mine = rank_in_grid() + 1;
  const wide_value old = atomicExch(cell, wide_value{mine, mine * 3});
  if (old.count * 3 != old.sum) atomicAdd(torn, 1ull);
  atomicAdd(sum, old.count);
}

CASE(atomic_exch_of_128_bits) {
  const buffer<wide_value> cell(1, 0);
  const buffer<unsigned long long> torn(1, 0), sum(1, 0), results(2);
  exchange_wide<<<4, 64>>>(cell, torn, sum);
  read_wide<<<1, 1>>>(cell, results);
  show("torn", torn);
  show("all", std::vector<unsigned long long>{sum.read()[0] + results.read()[0]});
}

__global__ void stack_of_pairs(unsigned long long* head, unsigned* next, unsigned* popped) {
  // every thread pushes, then pops; the head holds an index and a version in one 64-bit word
  const unsigned mine = rank_in_grid() + 1;
  unsigned long long seen = atomicAdd(head, 0ull);
  while (true) {
    next[mine] = static_cast<unsigned>(seen);
    __threadfence();
    const unsigned long long wanted = ((seen >> 32) + 1) << 32 | mine;
    const unsigned long long old = atomicCAS(head, seen, wanted);
    if (old == seen) break;
    seen = old;
  }
  seen = atomicAdd(head, 0ull);
  while (true) {
    const unsigned top = static_cast<unsigned>(seen);
    __threadfence();
    const unsigned below = *static_cast<volatile unsigned*>(&next[top]);
    const unsigned long long wanted = ((seen >> 32) + 1) << 32 | below;
    const unsigned long long old = atomicCAS(head, seen, wanted);
    if (old == seen) {
      atomicAdd(&popped[top], 1u);
      break;
    }
    seen = old;
  }
}

CASE(stack_with_versioned_head) {
  const unsigned threads = 8 * 64;
  const buffer<unsigned long long> head(1, 0);
  const buffer<unsigned> next(threads + 1, 0), popped(threads + 1, 0);
  stack_of_pairs<<<8, 64>>>(head, next, popped);
  show("head", head);
  show("popped", popped);
}
