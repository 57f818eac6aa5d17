// PTX's asynchronous copies, and the barrier objects that count them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <cuda/detail/bulk_copy.h>
#include <cuda/detail/mbarrier.h>
#include <cuda/detail/wait.h>
#include <heddle_host/async_copy.hpp>
#include <heddle_host/barrier.hpp>
#include <heddle_host/ptx_memory.hpp>

namespace heddle_host::ptx {

// ---- mbarrier. Arrivals always release and waits always acquire, which is at least as strong as
// requested.
namespace mbarrier = ::cuda_on_host::mbarrier;

inline std::uint64_t* barrier_at(unsigned char* place) {
  return reinterpret_cast<std::uint64_t*>(place);
}
inline void mbarrier_init(unsigned char* at, u32 count) { mbarrier::init(barrier_at(at), count); }
inline void mbarrier_inval(unsigned char*) {}
inline std::uint64_t mbarrier_arrive(unsigned char* at, u32 count, u32 bytes) {
  return mbarrier::advance(barrier_at(at), count, 0, static_cast<s32>(bytes));
}
inline std::uint64_t mbarrier_arrive_drop(unsigned char* at, u32 count, u32 bytes) {
  return mbarrier::advance(barrier_at(at), count, count, static_cast<s32>(bytes));
}
inline void mbarrier_expect_tx(unsigned char* at, u32 bytes) {
  mbarrier::expect_bytes(barrier_at(at), bytes);
}
inline void mbarrier_complete_tx(unsigned char* at, u32 bytes) {
  mbarrier::complete_bytes(barrier_at(at), bytes);
}
inline u32 mbarrier_pending_count(b64 state) { return mbarrier::unpack(state).pending; }

// Lets others run if the wait is not over: it is polled in a loop.
inline bool yield_unless(bool is_over) {
  if (!is_over) ::cuda_on_host::let_others_run();
  return is_over;
}
inline bool mbarrier_test(unsigned char* at, b64 state) {
  return yield_unless(mbarrier::has_passed(barrier_at(at), state));
}
inline bool mbarrier_test_parity(unsigned char* at, u32 parity) {
  return yield_unless(mbarrier::has_passed_parity(barrier_at(at), (parity & 1) != 0));
}

// ---- cp.async: the bytes after those that are read become zeros
[[gnu::always_inline]] inline void cp_async(void* to, const void* from, u32 size, u32 read_bytes) {
  const bool is_supported = size == 4 || size == 8 || size == 16;
  copy_needs_alignment(to, from, size, is_supported ? size : 0);
  const u32 read = read_bytes < size ? read_bytes : size;
  if (read != 0) copy_async(to, from, read);
  if (read != size) copy_async(static_cast<unsigned char*>(to) + read, nullptr, size - read);
}
inline void cp_async_commit_group() { commit_copies(copy_queue::cp_async); }
inline void cp_async_wait_group(u32 all_but) { await_copies(copy_queue::cp_async, all_but); }
// Also waits for copies that are in no group yet.
inline void cp_async_wait_all() {
  cp_async_commit_group();
  cp_async_wait_group(0);
}
// The barrier's phase waits for the copies so far. The first form makes up for its own arrival, by
// one more that it expects.
inline void cp_async_arrive_noinc(unsigned char* at) {
  bind_copies(at);
  mbarrier::arrive(barrier_at(at));
}
inline void cp_async_arrive(unsigned char* at) { bind_copies(at); }

// ---- cp.async.bulk
// Into shared memory: the bytes count towards those that the barrier expects.
[[gnu::always_inline]] inline void cp_async_bulk(void* to, const void* from, u32 bytes,
                                                 void* barrier) {
  ::cuda_on_host::copy_bulk(to, from, bytes, static_cast<std::uint64_t*>(barrier));
}
// Into global memory; waited for in groups.
[[gnu::always_inline]] inline void cp_async_bulk(void* to, const void* from, u32 bytes) {
  ::cuda_on_host::copy_bulk(to, from, bytes);
}
inline void cp_async_bulk_commit_group() { commit_copies(copy_queue::bulk); }
inline void cp_async_bulk_wait_group(u32 all_but) { await_copies(copy_queue::bulk, all_but); }
inline void cp_async_bulk_wait_group_read(u32 all_but) {
  await_copies(copy_queue::bulk, all_but, true);
}

// The barrier is null if the bytes are waited for in groups.
template <typename T, typename Combine>
inline void cp_reduce_async_bulk(unsigned char* to, const unsigned char* from, u32 bytes,
                                 Combine combine, unsigned char* barrier = nullptr) {
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i) combine(to, i, load_weak<T>(from, i));
  if (barrier != nullptr) mbarrier_complete_tx(barrier, bytes);
}

inline void st_bulk(unsigned char* to, u64 bytes) { std::memset(to, 0, bytes); }

}  // namespace heddle_host::ptx
