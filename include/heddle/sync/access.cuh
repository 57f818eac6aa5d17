// Loads, stores, atomic updates and fences of single words, with PTX's orders and scopes.
//   strategy    one instruction each
//   needs       sm_75
#pragma once
#include <heddle/core/config.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::sync {

// The threads among which an access is atomic and ordered: those of the caller's block, those of
// its device, or all threads, including the host's. A narrow scope is cheaper, but wrong if a
// thread outside it takes part: `heddle check` reports that as a race.
enum class scope { block, device, system };

// A type that one instruction reads or writes whole: 4 or 8 bytes.
template <typename T>
concept word = std::is_trivially_copyable_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

namespace detail {

template <typename T>
using bits_of = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

template <word T>
__device__ inline bits_of<T> as_bits(const T& value) {
  bits_of<T> bits;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <word T>
__device__ inline T from_bits(bits_of<T> bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace detail

// Relaxed load. It may return any value stored to the word, but never one older than a value that
// this thread has already seen there.
template <scope reach = scope::device, word T>
[[nodiscard]] __device__ inline T load(const T* from) {
  detail::bits_of<T> bits;
  if constexpr (sizeof(T) == 4) {
    if constexpr (reach == scope::block) {
      asm volatile("ld.relaxed.cta.b32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
    } else if constexpr (reach == scope::device) {
      asm volatile("ld.relaxed.gpu.b32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
    } else {
      asm volatile("ld.relaxed.sys.b32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
    }
  } else {
    if constexpr (reach == scope::block) {
      asm volatile("ld.relaxed.cta.b64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
    } else if constexpr (reach == scope::device) {
      asm volatile("ld.relaxed.gpu.b64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
    } else {
      asm volatile("ld.relaxed.sys.b64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
    }
  }
  return detail::from_bits<T>(bits);
}

// Acquire load: if it returns a value from store_release(), the caller also sees everything that
// the storing thread had written or seen before that store.
template <scope reach = scope::device, word T>
[[nodiscard]] __device__ inline T load_acquire(const T* from) {
  detail::bits_of<T> bits;
  if constexpr (sizeof(T) == 4) {
    if constexpr (reach == scope::block) {
      asm volatile("ld.acquire.cta.b32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
    } else if constexpr (reach == scope::device) {
      asm volatile("ld.acquire.gpu.b32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
    } else {
      asm volatile("ld.acquire.sys.b32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
    }
  } else {
    if constexpr (reach == scope::block) {
      asm volatile("ld.acquire.cta.b64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
    } else if constexpr (reach == scope::device) {
      asm volatile("ld.acquire.gpu.b64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
    } else {
      asm volatile("ld.acquire.sys.b64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
    }
  }
  return detail::from_bits<T>(bits);
}

// Relaxed store: it orders no other access.
template <scope reach = scope::device, word T>
__device__ inline void store(T* to, std::type_identity_t<T> value) {
  const detail::bits_of<T> bits = detail::as_bits<T>(value);
  if constexpr (sizeof(T) == 4) {
    if constexpr (reach == scope::block) {
      asm volatile("st.relaxed.cta.b32 [%0], %1;" : : "l"(to), "r"(bits) : "memory");
    } else if constexpr (reach == scope::device) {
      asm volatile("st.relaxed.gpu.b32 [%0], %1;" : : "l"(to), "r"(bits) : "memory");
    } else {
      asm volatile("st.relaxed.sys.b32 [%0], %1;" : : "l"(to), "r"(bits) : "memory");
    }
  } else {
    if constexpr (reach == scope::block) {
      asm volatile("st.relaxed.cta.b64 [%0], %1;" : : "l"(to), "l"(bits) : "memory");
    } else if constexpr (reach == scope::device) {
      asm volatile("st.relaxed.gpu.b64 [%0], %1;" : : "l"(to), "l"(bits) : "memory");
    } else {
      asm volatile("st.relaxed.sys.b64 [%0], %1;" : : "l"(to), "l"(bits) : "memory");
    }
  }
}

// Release store: a thread that reads `value` by load_acquire() sees everything that this thread had
// written or seen before.
//   cost    waits until earlier writes are visible: several hundred cycles for scopes wider than
//           the block
template <scope reach = scope::device, word T>
__device__ inline void store_release(T* to, std::type_identity_t<T> value) {
  const detail::bits_of<T> bits = detail::as_bits<T>(value);
  if constexpr (sizeof(T) == 4) {
    if constexpr (reach == scope::block) {
      asm volatile("st.release.cta.b32 [%0], %1;" : : "l"(to), "r"(bits) : "memory");
    } else if constexpr (reach == scope::device) {
      asm volatile("st.release.gpu.b32 [%0], %1;" : : "l"(to), "r"(bits) : "memory");
    } else {
      asm volatile("st.release.sys.b32 [%0], %1;" : : "l"(to), "r"(bits) : "memory");
    }
  } else {
    if constexpr (reach == scope::block) {
      asm volatile("st.release.cta.b64 [%0], %1;" : : "l"(to), "l"(bits) : "memory");
    } else if constexpr (reach == scope::device) {
      asm volatile("st.release.gpu.b64 [%0], %1;" : : "l"(to), "l"(bits) : "memory");
    } else {
      asm volatile("st.release.sys.b64 [%0], %1;" : : "l"(to), "l"(bits) : "memory");
    }
  }
}

// Before a store() or an update, makes it a release; after a load() or an update, makes it an
// acquire.
//   cost    that of store_release()
template <scope reach = scope::device>
__device__ inline void fence() {
  if constexpr (reach == scope::block) {
    asm volatile("fence.acq_rel.cta;" : : : "memory");
  } else if constexpr (reach == scope::device) {
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
  } else {
    asm volatile("fence.acq_rel.sys;" : : : "memory");
  }
}

// A fence() that is also sequentially consistent: all threads see these fences of a scope in one
// order. If two threads each store, pass this fence, and load what the other stores, at least one
// of them sees the other's store.
template <scope reach = scope::device>
__device__ inline void total_fence() {
  if constexpr (reach == scope::block) {
    __threadfence_block();
  } else if constexpr (reach == scope::device) {
    __threadfence();
  } else {
    __threadfence_system();
  }
}

// Atomic updates, relaxed: they order no other access. Each returns the previous value.
template <scope reach = scope::device, word T>
requires(std::is_integral_v<T>) __device__ inline T add(T* at, std::type_identity_t<T> value) {
  auto* const place = reinterpret_cast<detail::bits_of<T>*>(at);
  const detail::bits_of<T> bits = detail::as_bits<T>(value);
  detail::bits_of<T> held;
  if constexpr (reach == scope::block) {
    held = atomicAdd_block(place, bits);
  } else if constexpr (reach == scope::device) {
    held = atomicAdd(place, bits);
  } else {
    held = atomicAdd_system(place, bits);
  }
  return detail::from_bits<T>(held);
}
template <scope reach = scope::device, word T>
__device__ inline T exchange(T* at, std::type_identity_t<T> value) {
  auto* const place = reinterpret_cast<detail::bits_of<T>*>(at);
  const detail::bits_of<T> bits = detail::as_bits<T>(value);
  detail::bits_of<T> held;
  if constexpr (reach == scope::block) {
    held = atomicExch_block(place, bits);
  } else if constexpr (reach == scope::device) {
    held = atomicExch(place, bits);
  } else {
    held = atomicExch_system(place, bits);
  }
  return detail::from_bits<T>(held);
}
template <scope reach = scope::device, word T>
requires(std::is_integral_v<T>) __device__ inline T bit_and(T* at, std::type_identity_t<T> value) {
  auto* const place = reinterpret_cast<detail::bits_of<T>*>(at);
  const detail::bits_of<T> bits = detail::as_bits<T>(value);
  detail::bits_of<T> held;
  if constexpr (reach == scope::block) {
    held = atomicAnd_block(place, bits);
  } else if constexpr (reach == scope::device) {
    held = atomicAnd(place, bits);
  } else {
    held = atomicAnd_system(place, bits);
  }
  return detail::from_bits<T>(held);
}
template <scope reach = scope::device, word T>
requires(std::is_integral_v<T>) __device__ inline T bit_or(T* at, std::type_identity_t<T> value) {
  auto* const place = reinterpret_cast<detail::bits_of<T>*>(at);
  const detail::bits_of<T> bits = detail::as_bits<T>(value);
  detail::bits_of<T> held;
  if constexpr (reach == scope::block) {
    held = atomicOr_block(place, bits);
  } else if constexpr (reach == scope::device) {
    held = atomicOr(place, bits);
  } else {
    held = atomicOr_system(place, bits);
  }
  return detail::from_bits<T>(held);
}
template <scope reach = scope::device, word T>
requires(std::is_unsigned_v<T>) __device__ inline T minimum(T* at, std::type_identity_t<T> value) {
  auto* const place = reinterpret_cast<detail::bits_of<T>*>(at);
  const detail::bits_of<T> bits = detail::as_bits<T>(value);
  detail::bits_of<T> held;
  if constexpr (reach == scope::block) {
    held = atomicMin_block(place, bits);
  } else if constexpr (reach == scope::device) {
    held = atomicMin(place, bits);
  } else {
    held = atomicMin_system(place, bits);
  }
  return detail::from_bits<T>(held);
}
template <scope reach = scope::device, word T>
requires(std::is_unsigned_v<T>) __device__ inline T maximum(T* at, std::type_identity_t<T> value) {
  auto* const place = reinterpret_cast<detail::bits_of<T>*>(at);
  const detail::bits_of<T> bits = detail::as_bits<T>(value);
  detail::bits_of<T> held;
  if constexpr (reach == scope::block) {
    held = atomicMax_block(place, bits);
  } else if constexpr (reach == scope::device) {
    held = atomicMax(place, bits);
  } else {
    held = atomicMax_system(place, bits);
  }
  return detail::from_bits<T>(held);
}

// Stores `next` if the word holds `expected`. Returns the previous value: `expected` on success.
template <scope reach = scope::device, word T>
__device__ inline T compare_exchange(T* at, std::type_identity_t<T> expected,
                                     std::type_identity_t<T> next) {
  auto* const place = reinterpret_cast<detail::bits_of<T>*>(at);
  const detail::bits_of<T> old = detail::as_bits<T>(expected);
  const detail::bits_of<T> fresh = detail::as_bits<T>(next);
  detail::bits_of<T> held;
  if constexpr (reach == scope::block) {
    held = atomicCAS_block(place, old, fresh);
  } else if constexpr (reach == scope::device) {
    held = atomicCAS(place, old, fresh);
  } else {
    held = atomicCAS_system(place, old, fresh);
  }
  return detail::from_bits<T>(held);
}

}  // namespace heddle::sync
