// Runs the lanes of a kernel that need no other lane as a loop, which the compiler can vectorise.
//
// The frontend finds such kernels (docs/decisions/0033). Their body gets a `lane_in_row` instead of
// reading CUDA's built-in variables, so the loop's counter is an ordinary variable. It is marked
// `always_inline`: the loop is flattened, but g++ 12 may do that before it has read the body.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <vector_types.h>

#include <heddle_host/lane.hpp>

namespace heddle_host {

// How many lanes run together. Constants, so that g++ vectorises the loop at -O2.
inline constexpr int most_at_once = 32;
inline constexpr int fewest_at_once = 16;
inline constexpr int most_indices = 8;  // the frontend marks no more in a kernel

// How the lanes of a row run.
enum class row_mode {
  one_by_one,     // each sets threadIdx first, so that a fault finds it
  in_order,       // one after another, without that
  test_in_order,  // the same, but without the tests if each lane passes them
  test_each,      // together, if each lane passes the tests
  test_ends,      // the same; if the first and the last lane pass them, so do those between
};

// Finds out whether lanes can run together: all of them must pass the tests at the beginning of the
// kernel, and its indices must grow by one from lane to lane.
class row_guard {
 public:
  enum class stage {
    alone,     // the lane runs the body as written
    starting,  // the first lane records its indices
    trying,    // each lane compares its indices with the first lane's
    together,  // all lanes are known to pass
  };

  void begin(stage next) {
    stage_ = next;
    failed_ = 0;
  }
  unsigned failed() const { return failed_; }    // not 0 if the lane has failed a test
  bool has_entered() const { return entered_; }  // some lane has passed `enters`
  bool is_trying() const { return stage_ == stage::starting || stage_ == stage::trying; }

  // `if (enters(condition)) { … }` as the last statement.
  bool enters(bool condition) {
    if (stage_ == stage::together) return true;
    if (stage_ == stage::alone) {
      entered_ |= condition;
      return condition;
    }
    failed_ |= static_cast<unsigned>(!condition);
    return false;
  }

  // `if (leaves(condition)) return;` A lane that leaves must not try what follows, which may be
  // undefined behaviour for it.
  bool leaves(bool condition) {
    if (stage_ == stage::alone) return condition;
    if (stage_ == stage::together) return false;
    failed_ |= static_cast<unsigned>(condition);
    return condition;
  }

  // The initial value of an index variable. Adding the lane's number cannot overflow, so the
  // compiler sees that neighbouring lanes use adjacent memory. The kernel's own expression does not
  // show it, because it might overflow.
  template <typename Integer>
  Integer index(int which, int lane, Integer value) {
    using bits = std::make_unsigned_t<Integer>;
    const auto number = static_cast<Integer>(lane);
    if (stage_ == stage::together) return static_cast<Integer>(first_[which]) + number;
    if (stage_ == stage::starting) {
      first_[which] = static_cast<std::uint64_t>(value);
      // Nor may it be negative: `i < n` may compare it as an unsigned number.
      constexpr Integer limit = std::numeric_limits<Integer>::max() - (most_at_once - 1);
      failed_ |= static_cast<unsigned>(static_cast<bits>(value) > static_cast<bits>(limit));
    } else if (stage_ == stage::trying) {
      const bits expected = static_cast<bits>(first_[which]) + static_cast<bits>(number);
      failed_ |= static_cast<unsigned>(static_cast<bits>(value) != expected);
    }
    return value;
  }

 private:
  stage stage_ = stage::alone;
  unsigned failed_ = 0;
  bool entered_ = false;
  std::uint64_t first_[most_indices] = {};
};

// CUDA's built-in variables of one lane, for the body.
struct lane_in_row {
  row_guard& guard;
  uint3 threadIdx;
  const uint3 blockIdx;
  const dim3 blockDim;
  const dim3 gridDim;
  int number = 0;         // of the lane among those that run together
  std::size_t place = 0;  // of the lane among those for which values are kept (lane_block.hpp)

  // What cooperative groups call the same.
  unsigned thread_rank() const {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  unsigned num_threads() const { return size(); }
  uint3 thread_index() const { return threadIdx; }
  uint3 group_index() const { return blockIdx; }
  dim3 group_dim() const { return blockDim; }
  dim3 dim_threads() const { return blockDim; }

  bool enters(bool condition) const { return guard.enters(condition); }
  bool leaves(bool condition) const { return guard.leaves(condition); }
  bool is_trying() const { return guard.is_trying(); }
  template <typename Integer>
  Integer index(int which, Integer value) const {
    return guard.index<Integer>(which, number, value);
  }
};

inline lane_in_row running_lane_in_row(row_guard& guard) {
  return {guard, threadIdx, blockIdx, blockDim, gridDim};
}

template <typename Body>
inline constexpr bool takes_lane = std::is_invocable_v<Body&, lane_in_row>;

// Calls a copy of the body for a lane of the row, `number` lanes after the one that `row`
// describes.
template <typename Body>
[[gnu::always_inline]] inline void run_in_row(const Body& original, const lane_in_row& row,
                                              int number) {
  Body body = original;
  lane_in_row lane = row;
  lane.threadIdx.x += static_cast<unsigned>(number);
  lane.number = number;
  lane.place += static_cast<std::size_t>(number);
  body(lane);
}

// Runs `count` lanes together, of which `row` describes the first. Returns false if not all of them
// pass the kernel's tests; then none has run. Lanes that neither wait nor use atomic operations
// must not touch what another lane writes, so the compiler may reorder their accesses.
template <row_mode mode, int count, typename Body>
[[gnu::always_inline]] inline bool run_together(const Body& original, const lane_in_row& row) {
  row_guard& guard = row.guard;
  guard.begin(row_guard::stage::starting);
  run_in_row(original, row, 0);
  unsigned failed = guard.failed();
  for (int number = mode == row_mode::test_ends ? count - 1 : 0; number < count; ++number) {
    guard.begin(row_guard::stage::trying);
    run_in_row(original, row, number);
    failed |= guard.failed();
  }
  if (__builtin_expect(failed != 0, 0)) return false;
  guard.begin(row_guard::stage::together);
  if constexpr (mode == row_mode::test_in_order) {
    for (int number = 0; number < count; ++number) run_in_row(original, row, number);
  } else {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (int number = 0; number < count; ++number) run_in_row(original, row, number);
  }
  return true;
}

// How many of the lanes that are left in a row run next.
constexpr unsigned lanes_of_group(unsigned left, row_mode mode) {
  if (mode == row_mode::one_by_one || mode == row_mode::in_order) return left;
  return left >= most_at_once ? most_at_once : left >= fewest_at_once ? fewest_at_once : left;
}

// Runs them together if their number and the kernel's tests allow it.
template <row_mode mode, typename Body>
[[gnu::always_inline]] inline bool run_group(const Body& original, const lane_in_row& row,
                                             unsigned count) {
  if constexpr (mode == row_mode::one_by_one || mode == row_mode::in_order) return false;
  if (count == most_at_once) return run_together<mode, most_at_once>(original, row);
  if (count == fewest_at_once) return run_together<mode, fewest_at_once>(original, row);
  return false;
}

// Called if lanes that had faulted together were repeated one by one and none of them faulted.
[[noreturn]] void fail_without_lane();

// Runs `count` lanes of the row, of which `row` describes the first, one by one. threadIdx says
// which one is running.
template <typename Body>
[[gnu::always_inline]] inline void run_alone(const Body& original, const lane_in_row& row,
                                             unsigned count) {
  row.guard.begin(row_guard::stage::alone);
  lane_now.runs_row = true;
  for (unsigned number = 0; number < count; ++number) {
    threadIdx.x = row.threadIdx.x + number;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);  // a fault must find the right lane
    run_in_row(original, row, static_cast<int>(number));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  lane_now.runs_row = false;
}

// Runs the rest of the current row, from threadIdx.x on. If a lane that runs alone faults,
// threadIdx says which one it was. If lanes that run together fault, the runtime starts again on
// another stack and repeats them one by one. That works if what a lane loads decides neither what
// it executes nor which memory it uses, because then it faults again in the same way.
template <row_mode mode, typename Body>
[[gnu::always_inline]] inline void run_row(const Body& original) {
  row_guard guard;
  lane_in_row row = running_lane_in_row(guard);
  const unsigned end = lane_now.row_end;
  for (unsigned& x = row.threadIdx.x; x < end;) {
    const unsigned count = lanes_of_group(end - x, mode);
    bool has_run = false;
    if (mode != row_mode::one_by_one && !lane_now.repeats_lanes) {
      threadIdx.x = x;
      lane_now.runs_together = true;
      __atomic_signal_fence(__ATOMIC_SEQ_CST);
      has_run = run_group<mode>(original, row, count);
      __atomic_signal_fence(__ATOMIC_SEQ_CST);
      lane_now.runs_together = false;
    }
    if (!has_run) run_alone(original, row, count);
    if (mode != row_mode::one_by_one && lane_now.repeats_lanes) fail_without_lane();
    x += count;
  }
  threadIdx.x = end;
}

// Runs the rest of the block, from the current lane on.
template <typename Body, row_mode mode>
[[gnu::noinline, gnu::flatten]] void run_rows_of_block(const void* closure) {
  const Body original = *static_cast<const Body*>(closure);
  for (;;) {
    run_row<mode>(original);
    if (threadIdx.y + 1 < blockDim.y) {
      ++threadIdx.y;
    } else if (threadIdx.z + 1 < blockDim.z) {
      ++threadIdx.z;
      threadIdx.y = 0;
    } else {
      return;
    }
    threadIdx.x = 0;
  }
}

// Whether reading, writing and combining values of a type runs no code of the program. For vector
// types the program may have defined operators; for arithmetic types it cannot.
template <typename T>
struct plain_type {
  static constexpr bool is_arithmetic = std::is_arithmetic_v<T>;
  static constexpr bool is_plain = is_arithmetic;
};
template <typename T>
struct plain_type<const T> : plain_type<T> {};
template <typename T>
struct plain_type<T*> : plain_type<T> {};
template <typename T>
struct plain_type<T* __restrict__> : plain_type<T> {};
struct not_plain {
  static constexpr bool is_arithmetic = false, is_plain = false;
};
template <typename T>
struct plain_type<volatile T> : not_plain {};
template <typename T>
struct plain_type<const volatile T> : not_plain {};

struct plain_vector {
  static constexpr bool is_arithmetic = false, is_plain = true;
};
#define HEDDLE_PLAIN_VECTORS(name)              \
  template <>                                   \
  struct plain_type<name##1> : plain_vector {}; \
  template <>                                   \
  struct plain_type<name##2> : plain_vector {}; \
  template <>                                   \
  struct plain_type<name##3> : plain_vector {}; \
  template <>                                   \
  struct plain_type<name##4> : plain_vector {}
HEDDLE_PLAIN_VECTORS(char);
HEDDLE_PLAIN_VECTORS(uchar);
HEDDLE_PLAIN_VECTORS(short);
HEDDLE_PLAIN_VECTORS(ushort);
HEDDLE_PLAIN_VECTORS(int);
HEDDLE_PLAIN_VECTORS(uint);
HEDDLE_PLAIN_VECTORS(long);
HEDDLE_PLAIN_VECTORS(ulong);
HEDDLE_PLAIN_VECTORS(longlong);
HEDDLE_PLAIN_VECTORS(ulonglong);
HEDDLE_PLAIN_VECTORS(float);
HEDDLE_PLAIN_VECTORS(double);
#undef HEDDLE_PLAIN_VECTORS

// What the frontend knows about a kernel: how its lanes run, which need no other lane, provided
// that its parameter types and its type arguments are plain.
template <row_mode how, bool must_be_arithmetic, typename... Types>
struct independent_lanes {
  static constexpr row_mode mode = how;
  static constexpr bool holds =
      ((must_be_arithmetic ? plain_type<Types>::is_arithmetic : plain_type<Types>::is_plain) &&
       ...);
};

}  // namespace heddle_host
