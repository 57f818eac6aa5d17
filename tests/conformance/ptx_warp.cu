// Inline PTX: shuffles with their predicate, votes, matches and barriers.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

// The predicate says whether the source lane is in range.
__global__ void shuffles(unsigned* results) {
  const unsigned mine = mix(rank_in_grid());
  unsigned* row = results + rank_in_grid() * 6 * 5 * 8;
  for (unsigned width = 1; width <= 32; width *= 2) {
    const unsigned kept = (32 - width) << 8;
    for (const unsigned operand : {0u, 1u, 3u, 17u, 31u}) {
#define SHUFFLE(mode, limits)                           \
  asm volatile("{ .reg .pred p; shfl.sync." mode        \
               ".b32 %0|p, %2, %3, %4, 0xffffffff; "    \
               "selp.u32 %1, 1, 0, p; }"                \
               : "=r"(row[0]), "=r"(row[1])             \
               : "r"(mine), "r"(operand), "r"(limits)); \
  row += 2
      SHUFFLE("up", kept);
      SHUFFLE("down", kept | 31);
      SHUFFLE("bfly", kept | 31);
      SHUFFLE("idx", kept | 31);
    }
  }
}

CASE(shuffles_with_a_predicate) {
  const buffer<unsigned> results(64 * 6 * 5 * 8);
  shuffles<<<1, 64>>>(results);
  show("results", results);
}

// The shape of CUB's scans: add only what comes from a lane in range.
__global__ void scans(int* results) {
  int sum = int(mix(rank_in_grid()) % 1000);
  for (int distance = 1; distance < 32; distance *= 2) {
    asm volatile(
        "{\n\t"
        "  .reg .s32 r0;\n\t"
        "  .reg .pred p;\n\t"
        "  shfl.sync.up.b32 r0|p, %1, %2, 0, 0xffffffff;\n\t"
        "  @p add.s32 r0, r0, %1;\n\t"
        "  @!p mov.s32 r0, %1;\n\t"
        "  mov.s32 %0, r0;\n\t"
        "}"
        : "=r"(sum)
        : "r"(sum), "r"(distance));
  }
  results[rank_in_grid()] = sum;
}

CASE(a_scan_with_guarded_additions) {
  const buffer<int> results(128);
  scans<<<2, 64>>>(results);
  show("results", results);
}

__global__ void votes(unsigned mask, unsigned* results) {
  const unsigned i = rank_in_grid();
  if (!names(mask, lane_id())) return;
  unsigned* const row = results + i * 12;
  const unsigned value = mix(i) % 4, wide_low = mix(i / 5);
  const unsigned long long wide = static_cast<unsigned long long>(i / 3) << 32 | 7;
  unsigned all, any, uni;
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync.all.pred q, p, %2; "
      "selp.u32 %0, 1, 0, q; }"
      : "=r"(all)
      : "r"(value), "r"(mask));
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync.any.pred q, !p, %2; "
      "selp.u32 %0, 1, 0, q; }"
      : "=r"(any)
      : "r"(value), "r"(mask));
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %1, 9; vote.sync.uni.pred q, p, %2; "
      "selp.u32 %0, 1, 0, q; }"
      : "=r"(uni)
      : "r"(value), "r"(mask));
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(row[0])
               : "r"(value), "r"(mask));
  row[1] = all << 2 | any << 1 | uni;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(row[2]) : "r"(value), "r"(mask));
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(row[3]) : "l"(wide), "r"(mask));
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; selp.u32 %1, 1, 0, p; }"
               : "=r"(row[4]), "=r"(row[5])
               : "r"(mask), "r"(mask));
  asm volatile("redux.sync.add.s32 %0, %1, %2;" : "=r"(row[6]) : "r"(wide_low), "r"(mask));
  asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(row[7]) : "r"(mix(i)), "r"(mask));
  asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(row[8]) : "r"(mix(i)), "r"(mask));
  asm volatile("redux.sync.and.b32 %0, %1, %2;" : "=r"(row[9]) : "r"(mix(i) | 0xff), "r"(mask));
  asm volatile("redux.sync.or.b32 %0, %1, %2;" : "=r"(row[10]) : "r"(mix(i) & 0xff), "r"(mask));
  asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(row[11]) : "r"(mix(i)), "r"(mask));
}

CASE(votes_matches_and_reductions) {
  for (const unsigned mask : MASK_SHAPES) {
    const buffer<unsigned> results(64 * 12);
    votes<<<1, 64>>>(mask, results);
    show("results", results);
  }
}

// Exactly one lane is elected. Which one is not defined.
__global__ void elections(unsigned mask, unsigned* results) {
  if (!names(mask, lane_id())) return;
  unsigned leader, is_leader;
  asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
               : "=r"(leader), "=r"(is_leader)
               : "r"(mask));
  const unsigned leaders = __ballot_sync(mask, int(is_leader));
  results[rank_in_grid()] = __popc(leaders) == 1 && leaders == 1u << leader;
}

CASE(one_lane_is_elected) {
  for (const unsigned mask : MASK_SHAPES) {
    const buffer<unsigned> results(64, 0);
    elections<<<1, 64>>>(mask, results);
    show("results", results);
  }
}

__global__ void barriers(unsigned* results) {
  const unsigned i = rank_in_grid();
  unsigned* const row = results + i * 4;
  const unsigned value = mix(i) % 3;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(row[0])
               : "r"(value));
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %1, 9; barrier.cta.red.and.aligned.pred q, 0, p; "
      "selp.u32 %0, 1, 0, q; }"
      : "=r"(row[1])
      : "r"(value));
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %1, 9; barrier.cta.red.or.pred q, 0, !p; "
      "selp.u32 %0, 1, 0, q; }"
      : "=r"(row[2])
      : "r"(value));
  unsigned active;
  asm volatile("activemask.b32 %0;" : "=r"(active));
  row[3] = names(active, lane_id());
}

CASE(barriers_that_reduce) {
  const buffer<unsigned> results(192 * 4);
  barriers<<<2, 96>>>(results);
  show("results", results);
}

__global__ void special_registers(unsigned* results) {
  const unsigned i = rank_in_grid();
  unsigned* const row = results + i * 8;
  asm("mov.u32 %0, %%laneid;" : "=r"(row[0]));
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(row[1]));
  asm("mov.u32 %0, %%nctaid.x;" : "=r"(row[2]));
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(row[3]));
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(row[4]));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(row[5]));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(row[6]));
  asm("mov.u32 %0, WARP_SZ;" : "=r"(row[7]));
}

CASE(special_registers_of_a_grid_without_clusters) {
  const buffer<unsigned> results(128 * 8);
  special_registers<<<2, 64>>>(results);
  show("results", results);
}
