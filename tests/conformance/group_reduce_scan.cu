// cg::reduce, inclusive_scan, exclusive_scan and invoke_one over tiles and coalesced groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;
namespace cg = cooperative_groups;

template <int Size, typename T>
__global__ void tile_reductions(T* results) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const T mine = static_cast<T>(mix(rank_in_grid()) % 4096) - static_cast<T>(20);
  T* const row = results + rank_in_grid() * 3;
  row[0] = cg::reduce(tile, mine, cg::plus<T>());
  row[1] = cg::reduce(tile, mine, cg::less<T>());
  row[2] = cg::reduce(tile, mine, cg::greater<T>());
}

template <int Size, typename T>
void show_reductions() {
  const buffer<T> results(2 * 64 * 3);
  tile_reductions<Size, T><<<2, 64>>>(results);
  show(std::to_string(Size).c_str(), results);
}

template <typename T>
void show_reductions_of_all_sizes() {
  show_reductions<1, T>();
  show_reductions<2, T>();
  show_reductions<4, T>();
  show_reductions<8, T>();
  show_reductions<16, T>();
  show_reductions<32, T>();
}

CASE(reduce_of_int) { show_reductions_of_all_sizes<int>(); }

CASE(reduce_of_unsigned) { show_reductions_of_all_sizes<unsigned>(); }

CASE(reduce_of_long_long) { show_reductions_of_all_sizes<long long>(); }

// Integers far below the precision, so that the order of the sum does not matter.
CASE(reduce_of_float_and_double) {
  show_reductions_of_all_sizes<float>();
  show_reductions_of_all_sizes<double>();
}

template <int Size>
__global__ void bit_reductions(unsigned* results) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned mine = mix(rank_in_grid());
  unsigned* const row = results + rank_in_grid() * 3;
  row[0] = cg::reduce(tile, mine | mine << 3 | 0x10u << blockIdx.x, cg::bit_and<unsigned>());
  row[1] = cg::reduce(tile, 1u << mine % 32, cg::bit_or<unsigned>());
  row[2] = cg::reduce(tile, mine, cg::bit_xor<unsigned>());
}

CASE(reduce_with_bit_operations) {
  const buffer<unsigned> results(2 * 64 * 3);
  bit_reductions<2><<<2, 64>>>(results);
  show("2", results);
  bit_reductions<8><<<2, 64>>>(results);
  show("8", results);
  bit_reductions<32><<<2, 64>>>(results);
  show("32", results);
}

__global__ void own_operation(unsigned long long* results) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned long long mine = mix64(rank_in_grid()) | 1;
  results[rank_in_grid()] =
      cg::reduce(tile, mine, [](unsigned long long a, unsigned long long b) { return a * b; });
}

CASE(reduce_with_an_operation_of_the_user) {
  const buffer<unsigned long long> results(2 * 64);
  own_operation<<<2, 64>>>(results);
  show("products", results);
}

__global__ void reductions_of_parts(unsigned* results) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned mine = mix(rank_in_grid());
  const cg::coalesced_group part = cg::labeled_partition(warp, mine % 4);
  unsigned* const row = results + rank_in_grid() * 6;
  row[0] = cg::reduce(part, mine % 999, cg::plus<unsigned>());
  row[1] = cg::reduce(part, mine, cg::less<unsigned>());
  row[2] = cg::reduce(part, mine, cg::greater<unsigned>());
  row[3] = cg::reduce(part, mine | 0xff00u, cg::bit_and<unsigned>());
  row[4] = cg::reduce(part, 1u << mine % 32, cg::bit_or<unsigned>());
  row[5] = cg::reduce(part, mine, cg::bit_xor<unsigned>());
}

CASE(reduce_over_coalesced_groups) {
  const buffer<unsigned> results(2 * 64 * 6);
  reductions_of_parts<<<2, 64>>>(results);
  show("results", results);
}

template <int Size>
__global__ void tile_scans(int* results) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int mine = static_cast<int>(mix(rank_in_grid()) % 200) - 90;
  int* const row = results + rank_in_grid() * 5;
  row[0] = cg::inclusive_scan(tile, mine);
  row[1] = cg::inclusive_scan(tile, mine, cg::greater<int>());
  row[2] = cg::inclusive_scan(tile, mine, cg::less<int>());
  row[3] = cg::exclusive_scan(tile, mine);
  row[4] = cg::exclusive_scan(tile, mine, cg::plus<int>());
}

CASE(scans_over_tiles) {
  const buffer<int> results(2 * 64 * 5);
  tile_scans<2><<<2, 64>>>(results);
  show("2", results);
  tile_scans<4><<<2, 64>>>(results);
  show("4", results);
  tile_scans<8><<<2, 64>>>(results);
  show("8", results);
  tile_scans<16><<<2, 64>>>(results);
  show("16", results);
  tile_scans<32><<<2, 64>>>(results);
  show("32", results);
}

__global__ void scans_of_parts(unsigned* results) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned mine = mix(rank_in_grid());
  const cg::coalesced_group part = cg::binary_partition(warp, mine % 3 == 1);
  unsigned* const row = results + rank_in_grid() * 3;
  row[0] = cg::inclusive_scan(part, mine % 100);
  row[1] = cg::exclusive_scan(part, mine % 100);
  row[2] = cg::inclusive_scan(part, mine, cg::bit_xor<unsigned>());
}

CASE(scans_over_coalesced_groups) {
  const buffer<unsigned> results(2 * 64 * 3);
  scans_of_parts<<<2, 64>>>(results);
  show("results", results);
}

struct spread {
  int least, greatest;
  unsigned long long sum;
};

__global__ void scans_of_structures(unsigned long long* results) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int mine = static_cast<int>(mix(rank_in_grid()) % 10000) - 4000;
  const spread all =
      cg::inclusive_scan(tile, spread{mine, mine, mix(rank_in_grid() + 9)}, [](spread a, spread b) {
        return spread{min(a.least, b.least), max(a.greatest, b.greatest), a.sum + b.sum};
      });
  results[rank_in_grid() * 2] = static_cast<unsigned long long>(all.greatest - all.least);
  results[rank_in_grid() * 2 + 1] = all.sum;
}

CASE(scan_of_a_structure) {
  const buffer<unsigned long long> results(2 * 64 * 2);
  scans_of_structures<<<2, 64>>>(results);
  show("results", results);
}

__global__ void one_member(unsigned* counters, unsigned* results) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  cg::invoke_one(block, [&] { atomicAdd(&counters[0], 1 + blockIdx.x); });
  cg::invoke_one(tile, [&] { atomicAdd(&counters[1], 100 * (1 + blockIdx.x)); });
  const unsigned first = cg::invoke_one_broadcast(
      tile, [&] { return atomicAdd(&counters[2 + tile.meta_group_rank()], 0u) + 5; });
  results[rank_in_grid()] = first + tile.meta_group_rank();
}

CASE(invoke_one_runs_once) {
  const buffer<unsigned> counters(16, 0), results(2 * 64);
  one_member<<<2, 64>>>(counters, results);
  show("counters", counters);
  show("results", results);
}
