// Inline PTX: loads, stores, atomics, address spaces, copies and mbarriers.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__device__ unsigned shared_address(const void* pointer) {
  unsigned address;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
      : "=r"(address)
      : "l"(pointer));
  return address;
}

// Each type and width reads the same bytes.
__global__ void loads(const unsigned char* bytes, unsigned long long* results) {
  const unsigned i = rank_in_grid();
  const unsigned char* const from = bytes + 32 * i;
  unsigned long long* row = results + i * 24;
  unsigned w, x, y, z;
  unsigned long long l, m;
#define LOAD(text)                                                  \
  asm volatile(text " %0, [%1];" : "=r"(w) : "l"(from) : "memory"); \
  *row++ = w
  LOAD("ld.global.u8");
  LOAD("ld.global.s8");
  LOAD("ld.global.b8");
  LOAD("ld.s16");
  LOAD("ld.u16");
  LOAD("ld.weak.global.b32");
  LOAD("ld.volatile.global.u32");
  LOAD("ld.relaxed.gpu.global.s32");
  LOAD("ld.acquire.sys.u32");
  LOAD("ld.global.nc.u32");
  LOAD("ld.global.nc.L1::no_allocate.L2::128B.u32");
  LOAD("ld.global.ca.u32");
  LOAD("ld.global.cg.u32");
  LOAD("ld.global.cs.u32");
  LOAD("ld.global.cv.u32");
  LOAD("ldu.global.u32");
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2+8];" : "=r"(w), "=r"(x) : "l"(from));
  *row++ = w ^ x << 1;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(w), "=r"(x), "=r"(y), "=r"(z)
               : "l"(from + 16));
  *row++ = w ^ x << 1 ^ y << 2 ^ z << 3;
  asm volatile("ld.global.v2.u64 {%0, %1}, [%2 + -16];" : "=l"(l), "=l"(m) : "l"(from + 32));
  *row++ = l ^ m << 1;
  asm volatile("ld.global.v4.u8 {%0, %1, %2, %3}, [%4];"
               : "=r"(w), "=r"(x), "=r"(y), "=r"(z)
               : "l"(from + 4));
  *row++ = w | x << 8 | y << 16 | z << 24;
  asm volatile("{ .reg .b128 q; ld.global.b128 q, [%2]; mov.b128 {%0, %1}, q; }"
               : "=l"(l), "=l"(m)
               : "l"(from));
  *row++ = l;
  *row++ = m;
  *row++ = 0;
  *row++ = 0;
}

CASE(loads_of_every_width_and_kind) {
  std::vector<unsigned char> bytes(64 * 32);
  for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(mix(i));
  const buffer<unsigned char> input(bytes);
  const buffer<unsigned long long> results(64 * 24);
  loads<<<1, 64>>>(input, results);
  show("results", results);
}

__global__ void stores(unsigned* results) {
  const unsigned i = rank_in_grid(), v = mix(i);
  unsigned* const row = results + i * 16;
  asm volatile("st.global.u8 [%0], %1;" ::"l"(row), "r"(v) : "memory");
  asm volatile("st.global.u16 [%0+2], %1;" ::"l"(row), "r"(v) : "memory");
  asm volatile("st.weak.u32 [%0+4], %1;" ::"l"(row), "r"(v) : "memory");
  asm volatile("st.release.gpu.global.b32 [%0+8], %1;" ::"l"(row), "f"(float(i)) : "memory");
  asm volatile("st.volatile.global.u32 [%0+12], 77;" ::"l"(row) : "memory");
  asm volatile("st.global.cs.v4.u32 [%0+16], {%1, %1, 5, %2};" ::"l"(row), "r"(v), "r"(i)
               : "memory");
  asm volatile("st.global.wt.v2.f64 [%0+32], {%1, 0d3ff8000000000000};" ::"l"(row), "d"(0.25 * i)
               : "memory");
  asm volatile("st.relaxed.sys.u64 [%0+48], %1;" ::"l"(row), "l"(mix64(i)) : "memory");
  asm volatile(
      "{ .reg .b128 q; mov.b128 q, {%1, %2}; st.global.b128 [%0], q; }" ::"l"(row + 16 * 64),
      "l"(mix64(i)), "l"(mix64(i + 1))
      : "memory");
}

CASE(stores_of_every_width_and_kind) {
  const buffer<unsigned> results(64 * 16 * 2);
  stores<<<1, 64>>>(results);
  show("results", results);
}

template <typename T>
struct atomic_results {
  T added, smallest, largest, conjunction, disjunction, parity, exchanged, swapped, up, down;
};

// Every lane of the grid updates the same words; the final values do not depend on the order.
__global__ void atomics(atomic_results<unsigned>* all, float* floats, double* doubles,
                        unsigned long long* wide, unsigned* halves) {
  const unsigned i = rank_in_grid();
  [[maybe_unused]] unsigned old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(&all->added), "r"(i)
               : "memory");
  asm volatile("red.global.min.s32 [%0], %1;" ::"l"(&all->smallest), "r"(mix(i)) : "memory");
  asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" ::"l"(&all->largest), "r"(mix(i))
               : "memory");
  asm volatile("atom.acq_rel.sys.and.b32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(&all->conjunction), "r"(~(1u << i % 20))
               : "memory");
  asm volatile("red.or.b32 [%0], %1;" ::"l"(&all->disjunction), "r"(1u << i % 20) : "memory");
  asm volatile("red.gpu.global.xor.b32 [%0], %1;" ::"l"(&all->parity), "r"(mix(i)) : "memory");
  asm volatile("atom.global.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(&all->up) : "memory");
  asm volatile("atom.global.dec.u32 %0, [%1], 9;" : "=r"(old) : "l"(&all->down) : "memory");
  if (i == 0) {
    asm volatile("atom.release.gpu.exch.b32 %0, [%1], 5;"
                 : "=r"(old)
                 : "l"(&all->exchanged)
                 : "memory");
    asm volatile("atom.acquire.gpu.cas.b32 %0, [%1], %2, 6;"
                 : "=r"(old)
                 : "l"(&all->swapped), "r"(0)
                 : "memory");
  }
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(floats), "f"(0.5f * float(i % 8)) : "memory");
  asm volatile("red.global.add.f64 [%0], %1;" ::"l"(doubles), "d"(0.5 * i) : "memory");
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(wide), "l"(mix64(i)) : "memory");
  asm volatile("red.global.max.s64 [%0], %1;" ::"l"(wide + 1), "l"(mix64(i)) : "memory");
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(halves), "r"(0x3c003800u) : "memory");
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(floats + 2), "f"(1.0f), "f"(2.0f)
               : "memory");
}

CASE(atomics_of_every_operation) {
  const buffer<atomic_results<unsigned>> all(1, 0);
  const buffer<float> floats(4, 0);
  const buffer<double> doubles(1, 0);
  const buffer<unsigned long long> wide(2, 0);
  const buffer<unsigned> halves(1, 0);
  atomics<<<4, 128>>>(all, floats, doubles, wide, halves);
  const atomic_results<unsigned> got = all.read()[0];
  show("words",
       std::vector<unsigned>{got.added, got.smallest, got.largest, got.conjunction, got.disjunction,
                             got.parity, got.exchanged, got.swapped, got.up, got.down});
  show("floats", floats);
  show("doubles", doubles);
  show("wide", wide);
  show("halves", halves);
}

__global__ void shared_memory(const unsigned* input, unsigned* results) {
  __shared__ unsigned box[64];
  __shared__ alignas(16) unsigned copied[64 * 4];
  const unsigned i = threadIdx.x;
  unsigned got;
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared_address(box) + 4 * i), "r"(mix(i))
               : "memory");
  __syncthreads();
  asm volatile("ld.shared::cta.u32 %0, [%1];" : "=r"(got) : "r"(shared_address(box + (63 - i))));
  results[i] = got;
  __syncthreads();
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(shared_address(box)), "r"(i) : "memory");
  unsigned long long generic;
  asm("{ .reg .u64 t; cvt.u64.u32 t, %1; cvta.shared.u64 %0, t; }"
      : "=l"(generic)
      : "r"(shared_address(box)));
  __syncthreads();
  results[64 + i] = *reinterpret_cast<const unsigned*>(generic);
  // The second half of what a lane copies is zero if its number is odd.
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(copied + 4 * i)),
      "l"(input + 4 * i), "r"(i % 2 == 0 ? 16 : 8)
      : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group %0;" ::"n"(0) : "memory");
  __syncthreads();
  for (int k = 0; k < 4; ++k) results[128 + 4 * i + k] = copied[4 * (63 - i) + k];
}

CASE(shared_memory_and_its_copies) {
  std::vector<unsigned> values(64 * 4);
  for (unsigned i = 0; i < values.size(); ++i) values[i] = mix(i + 3);
  const buffer<unsigned> input(values);
  const buffer<unsigned> results(64 * 6);
  shared_memory<<<1, 64>>>(input, results);
  show("results", results);
}

// The loop that CUTLASS waits with.
__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n\t"
      ".reg .pred P1;\n\t"
      "LAB_WAIT:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n\t"
      "@P1 bra DONE;\n\t"
      "bra LAB_WAIT;\n\t"
      "DONE:\n\t"
      "}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

__global__ void mbarriers(const unsigned* input, unsigned* results) {
  __shared__ unsigned long long barrier;
  __shared__ alignas(16) unsigned staged[64];
  const unsigned place = shared_address(&barrier);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place), "r"(blockDim.x)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  for (unsigned round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place), "r"(256)
                   : "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
          "[%3];" ::"r"(shared_address(staged)),
          "l"(input + 64 * round), "r"(256), "r"(place)
          : "memory");
    } else {
      [[maybe_unused]] unsigned long long state;
      asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                   : "=l"(state)
                   : "r"(place)
                   : "memory");
    }
    wait(place, round & 1);
    results[64 * round + threadIdx.x] = staged[63 - threadIdx.x];
    __syncthreads();
  }
}

CASE(mbarriers_wait_for_bulk_copies) {
  std::vector<unsigned> values(4 * 64);
  for (unsigned i = 0; i < values.size(); ++i) values[i] = mix(i + 9);
  const buffer<unsigned> input(values);
  const buffer<unsigned> results(4 * 64);
  mbarriers<<<1, 64>>>(input, results);
  show("results", results);
}
