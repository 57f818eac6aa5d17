// cuda::barrier: where a fixed number of threads wait for each other, phase after phase.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include <cuda/detail/mbarrier.h>
#include <cuda/detail/thread_scope.h>
#include <cuda/detail/timed_wait.h>

namespace cuda {

namespace detail {
using no_completion = ::cuda_on_host::mbarrier::nothing;
struct barrier_access;
}  // namespace detail

// May be declared `__shared__`, without a constructor; init() then makes it usable. If there is a
// completion function, the last thread to arrive in a phase calls it before the others proceed.
template <thread_scope scope, typename Completion = detail::no_completion>
class barrier : private Completion {
  static_assert(::std::is_class_v<Completion>,
                "the completion function of a cuda::barrier is a class with operator()()");

 public:
  using arrival_token = ::std::uint64_t;

  barrier() = default;
  explicit barrier(::std::ptrdiff_t expected, Completion completion = Completion())
      : Completion(completion) {
    ::cuda_on_host::mbarrier::init(&word, static_cast<::std::uint32_t>(expected));
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  friend void init(barrier* where, ::std::ptrdiff_t expected) { new (where) barrier(expected); }
  friend void init(barrier* where, ::std::ptrdiff_t expected, Completion completion) {
    new (where) barrier(expected, completion);
  }

  [[nodiscard]] arrival_token arrive(::std::ptrdiff_t count = 1) {
    return advance(static_cast<::std::uint32_t>(count), 0);
  }
  void wait(arrival_token&& token) const {
    ::cuda_on_host::wait_until([this, token] { return has_passed(token); });
  }
  void wait_parity(bool parity) const {
    ::cuda_on_host::wait_until([this, parity] { return has_passed_parity(parity); });
  }
  void arrive_and_wait() { wait(arrive()); }
  void arrive_and_drop() { (void)advance(1, 1); }

  template <typename Rep, typename Period>
  [[nodiscard]] bool try_wait_for(arrival_token&& token,
                                  const ::std::chrono::duration<Rep, Period>& timeout) const {
    return ::cuda_on_host::wait_until_for([this, token] { return has_passed(token); },
                                          nanoseconds(timeout));
  }
  template <typename Clock, typename Duration>
  [[nodiscard]] bool try_wait_until(
      arrival_token&& token, const ::std::chrono::time_point<Clock, Duration>& deadline) const {
    return try_wait_for(::std::move(token), deadline - Clock::now());
  }
  template <typename Rep, typename Period>
  [[nodiscard]] bool try_wait_parity_for(
      bool parity, const ::std::chrono::duration<Rep, Period>& timeout) const {
    return ::cuda_on_host::wait_until_for([this, parity] { return has_passed_parity(parity); },
                                          nanoseconds(timeout));
  }
  template <typename Clock, typename Duration>
  [[nodiscard]] bool try_wait_parity_until(
      bool parity, const ::std::chrono::time_point<Clock, Duration>& deadline) const {
    return try_wait_parity_for(parity, deadline - Clock::now());
  }

  static constexpr ::std::ptrdiff_t max() noexcept {
    return ::cuda_on_host::mbarrier::most_arrivals;
  }

 private:
  friend struct detail::barrier_access;

  arrival_token advance(::std::uint32_t arrivals, ::std::uint32_t drops) {
    return ::cuda_on_host::mbarrier::advance(&word, arrivals, drops, 0,
                                             static_cast<Completion&>(*this));
  }
  bool has_passed(arrival_token token) const {
    return ::cuda_on_host::mbarrier::has_passed(&word, token);
  }
  bool has_passed_parity(bool parity) const {
    return ::cuda_on_host::mbarrier::has_passed_parity(&word, parity);
  }
  template <typename Duration>
  static ::std::chrono::nanoseconds nanoseconds(const Duration& duration) {
    return ::std::chrono::duration_cast<::std::chrono::nanoseconds>(duration);
  }

  ::std::uint64_t word;
};

namespace detail {
struct barrier_access {
  template <thread_scope scope, typename Completion>
  static ::std::uint64_t* word_of(barrier<scope, Completion>& of) {
    return &of.word;
  }
};
}  // namespace detail

// Functions that only a block's native barrier has.
namespace device {

inline ::std::uint64_t* barrier_native_handle(barrier<thread_scope_block>& of) {
  static_assert(sizeof(of) == 8, "a barrier without completion function is its word");
  return ::cuda::detail::barrier_access::word_of(of);
}

// Arrives `arrivals` times and makes the phase wait for `bytes` more bytes of asynchronous copies.
[[nodiscard]] inline barrier<thread_scope_block>::arrival_token barrier_arrive_tx(
    barrier<thread_scope_block>& at, ::std::ptrdiff_t arrivals, ::std::ptrdiff_t bytes) {
  return ::cuda_on_host::mbarrier::advance(barrier_native_handle(at),
                                           static_cast<::std::uint32_t>(arrivals), 0,
                                           static_cast<::std::int32_t>(bytes));
}

inline void barrier_expect_tx(barrier<thread_scope_block>& at, ::std::ptrdiff_t bytes) {
  ::cuda_on_host::mbarrier::expect_bytes(barrier_native_handle(at),
                                         static_cast<::std::uint32_t>(bytes));
}

}  // namespace device
}  // namespace cuda
