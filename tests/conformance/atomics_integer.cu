// Every integer atomic for every type and scope: final values, and sums of the old values.
#include <limits>

#include "atomics.cuh"

using namespace conformance;

enum class operation { add, subtract, least, greatest, both, either, differ, increment, decrement };

template <operation Operation, scope Scope, typename T>
__device__ T apply(T* cell, T value) {
  if constexpr (Operation == operation::add)
    return ATOMIC(Add, cell, value);
  else if constexpr (Operation == operation::subtract)
    return ATOMIC(Sub, cell, value);
  else if constexpr (Operation == operation::least)
    return ATOMIC(Min, cell, value);
  else if constexpr (Operation == operation::greatest)
    return ATOMIC(Max, cell, value);
  else if constexpr (Operation == operation::both)
    return ATOMIC(And, cell, value);
  else if constexpr (Operation == operation::either)
    return ATOMIC(Or, cell, value);
  else if constexpr (Operation == operation::differ)
    return ATOMIC(Xor, cell, value);
  else if constexpr (Operation == operation::increment)
    return ATOMIC(Inc, cell, value);
  else
    return ATOMIC(Dec, cell, value);
}

template <operation Operation, scope Scope, typename T>
__global__ void change_cells(T* cells) {
  T* const mine = cells_of<Scope>(cells);
  for (unsigned round = 0; round < 10; ++round) {
    const unsigned random = mix(rank_in_grid() * 16 + round);
    T value = static_cast<T>(mix64(random) >> (random % 3 * 20));
    if (Operation == operation::both)
      value |= static_cast<T>(mix64(random + 1) | mix64(random + 2));
    if (Operation == operation::either) value = static_cast<T>(1ull << random % 64);
    if (Operation == operation::increment || Operation == operation::decrement) value = 17;
    apply<Operation, Scope, T>(&mine[random % atomic_cells], value);
  }
}

template <operation Operation, scope Scope, typename T>
void show_cells() {
  std::vector<T> start(atomic_blocks * atomic_cells);
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = Operation == operation::both    ? static_cast<T>(~0ull >> (i % 2))
               : Operation == operation::least ? static_cast<T>(std::numeric_limits<T>::max() - i)
                                               : static_cast<T>(i + 40);
  const buffer<T> cells(start);
  change_cells<Operation, Scope, T><<<atomic_blocks, atomic_threads>>>(cells);
  show(Scope == scope::device ? "device" : Scope == scope::block ? "block" : "system", cells);
}

template <operation Operation, typename T>
void show_type() {
  show_cells<Operation, scope::device, T>();
  show_cells<Operation, scope::block, T>();
  show_cells<Operation, scope::system, T>();
}

CASE(atomic_add_of_integers) {
  show_type<operation::add, int>();
  show_type<operation::add, unsigned>();
  show_type<operation::add, unsigned long long>();
}

CASE(atomic_sub_of_integers) {
  show_type<operation::subtract, int>();
  show_type<operation::subtract, unsigned>();
}

CASE(atomic_min_of_integers) {
  show_type<operation::least, int>();
  show_type<operation::least, unsigned>();
  show_type<operation::least, long long>();
  show_type<operation::least, unsigned long long>();
}

CASE(atomic_max_of_integers) {
  show_type<operation::greatest, int>();
  show_type<operation::greatest, unsigned>();
  show_type<operation::greatest, long long>();
  show_type<operation::greatest, unsigned long long>();
}

CASE(atomic_and_of_integers) {
  show_type<operation::both, int>();
  show_type<operation::both, unsigned>();
  show_type<operation::both, unsigned long long>();
}

CASE(atomic_or_of_integers) {
  show_type<operation::either, int>();
  show_type<operation::either, unsigned>();
  show_type<operation::either, unsigned long long>();
}

CASE(atomic_xor_of_integers) {
  show_type<operation::differ, int>();
  show_type<operation::differ, unsigned>();
  show_type<operation::differ, unsigned long long>();
}

CASE(atomic_inc_wraps_at_its_limit) { show_type<operation::increment, unsigned>(); }

CASE(atomic_dec_wraps_at_zero) { show_type<operation::decrement, unsigned>(); }

__global__ void places(unsigned* counter, unsigned* taken) {
  // every place is handed out exactly once
  for (int round = 0; round < 50; ++round) {
    const unsigned place = atomicAdd(counter, 1u);
    atomicAdd(&taken[place], 1u);
  }
}

CASE(atomic_add_hands_out_every_place_once) {
  const buffer<unsigned> counter(1, 0), taken(64 * 128 * 50, 0);
  places<<<64, 128>>>(counter, taken);
  show("counter", counter);
  show("taken", taken);
}

__global__ void old_values_in_a_cycle(unsigned* counters, unsigned* seen) {
  atomicAdd(&seen[atomicInc(&counters[0], 9u)], 1u);
  atomicAdd(&seen[10 + atomicDec(&counters[1], 6u)], 1u);
}

CASE(atomic_inc_and_dec_return_every_old_value) {
  const buffer<unsigned> counters(2, 0), seen(17, 0);
  old_values_in_a_cycle<<<7, 50>>>(counters, seen);
  show("counters", counters);
  show("seen", seen);
}

template <typename T>
__global__ void exchange_chain(T* cell, T* sum) {
  // every value that is stored is either returned by a later exchange or left in the cell
  const T old = atomicExch(cell, static_cast<T>(rank_in_grid() + 1));
  atomicAdd(sum, old);
}

template <typename T>
void show_exchange() {
  const buffer<T> cell(1, 0), sum(1, 0);
  exchange_chain<T><<<8, 64>>>(cell, sum);
  show("all", std::vector<T>{static_cast<T>(cell.read()[0] + sum.read()[0])});
}

CASE(atomic_exch_loses_nothing) {
  show_exchange<int>();
  show_exchange<unsigned>();
  show_exchange<unsigned long long>();
  show_exchange<float>();
}

template <scope Scope, typename T>
__global__ void compare_and_swap_sums(T* cells) {
  T* const cell = cells_of<Scope>(cells) + threadIdx.x % atomic_cells;
  T seen = *static_cast<volatile T*>(cell);
  while (true) {
    const T old = ATOMIC(CAS, cell, seen, static_cast<T>(seen * 1 + rank_in_grid() + 1));
    if (old == seen) break;
    seen = old;
  }
}

template <scope Scope, typename T>
void show_compare_and_swap() {
  const buffer<T> cells(atomic_blocks * atomic_cells, 0);
  compare_and_swap_sums<Scope, T><<<atomic_blocks, atomic_threads>>>(cells);
  show("sums", cells);
}

CASE(atomic_cas_loops_add_up) {
  show_compare_and_swap<scope::device, int>();
  show_compare_and_swap<scope::block, int>();
  show_compare_and_swap<scope::system, int>();
  show_compare_and_swap<scope::device, unsigned>();
  show_compare_and_swap<scope::block, unsigned>();
  show_compare_and_swap<scope::system, unsigned>();
  show_compare_and_swap<scope::device, unsigned long long>();
  show_compare_and_swap<scope::block, unsigned long long>();
  show_compare_and_swap<scope::system, unsigned long long>();
}

__global__ void one_winner(int* cell, int* winners, int* losers_saw) {
  const int old = atomicCAS(cell, -1, 1000);
  if (old == -1) {
    atomicAdd(winners, 1);
  } else {
    atomicMax(losers_saw, old);
  }
  // the cell has changed by now: no thread wins, and nothing is stored
  if (atomicCAS(cell, -1, 2000) == -1) atomicAdd(winners, 1);
}

CASE(atomic_cas_has_one_winner) {
  const buffer<int> cell(1, 0xff), winners(1, 0), losers_saw(1, 0);
  one_winner<<<20, 64>>>(cell, winners, losers_saw);
  show("cell", cell);
  show("winners", winners);
  show("losers saw", losers_saw);
}
