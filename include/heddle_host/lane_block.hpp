// Runs a kernel whose lanes need each other only at barriers: as loops over the lanes of a block,
// one for each part of the kernel between its barriers.
//
// The frontend finds such kernels and splits them (docs/decisions/0037). Their body gets a
// `block_of_lanes`; what all lanes compute alike stays outside the loops.
#pragma once
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <heddle_host/lane_row.hpp>
#include <heddle_host/meeting.hpp>

namespace heddle_host {

// Memory for the values that the lanes of a block keep from one loop to the next. Each thread has
// its own, and gives the pieces back in the opposite order.
void* take_lane_memory(std::size_t bytes);
void give_back_lane_memory(void* piece);
void forget_lane_memory();  // gives all pieces back

class block_of_lanes {
  // A value that is converted to the type in memory, as in CUDA.
  template <typename T>
  struct converted {
    using type = T;
  };
  template <typename T>
  using same = typename converted<T>::type;

  template <typename T, typename... Types>
  static constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);
  template <typename T>
  static constexpr bool is_word = is_one_of<T, int, unsigned, long long, unsigned long long>;
  template <typename T, bool is_right>
  static constexpr void expect_type() {
    static_assert(is_right, "CUDA has no such atomic function for this type");
  }

 public:
  // A lane that runs alone, as a fiber, runs the same body: each loop is then that one lane.
  explicit block_of_lanes(bool is_one_lane)
      : blockIdx(::blockIdx), blockDim(::blockDim), gridDim(::gridDim), has_one_lane(is_one_lane) {}

  const uint3 blockIdx;
  const dim3 blockDim;
  const dim3 gridDim;
  const bool has_one_lane;

  // What cooperative groups call the same.
  unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  unsigned num_threads() const { return size(); }
  uint3 group_index() const { return blockIdx; }
  dim3 group_dim() const { return blockDim; }
  dim3 dim_threads() const { return blockDim; }

  // Runs a part of the kernel. Returns whether a lane has entered its `if (lane.enters(…))`.
  template <row_mode mode, typename Part>
  [[gnu::always_inline]] bool run(const Part& part) const {
    row_guard guard;
    lane_in_row row{guard, {0, 0, 0}, blockIdx, blockDim, gridDim};
    if (has_one_lane) {
      row.threadIdx = ::threadIdx;
      part(row);
      return guard.has_entered();
    }
    bool has_entered = false;
    for (row.threadIdx.z = 0; row.threadIdx.z < blockDim.z; ++row.threadIdx.z)
      for (row.threadIdx.y = 0; row.threadIdx.y < blockDim.y; ++row.threadIdx.y) {
        row.threadIdx.x = 0;
        has_entered |= run_lanes_of_row<mode>(part, row);
      }
    return has_entered || guard.has_entered();
  }

  [[gnu::always_inline]] void syncthreads() const {
    if (has_one_lane) wait_for(arrive_at_block_barrier(false));
  }

  // Atomic operations on shared memory whose results are not used. All lanes of a block run on one
  // thread of the processor, so a plain update is atomic if it is not preempted. The types are
  // CUDA's.
  template <typename T>
  [[gnu::always_inline]] void add(T* at, same<T> value) const {
    expect_type<T, !std::is_arithmetic_v<T> ||
                       is_one_of<T, int, unsigned, unsigned long long, float, double>>();
    if constexpr (std::is_integral_v<T>)
      update(at, [=](T held) { return bits(held) + bits(value); });
    else if constexpr (std::is_arithmetic_v<T>)
      update(at, [=](T held) { return held + value; });
    else
      atomicAdd(at, value);
  }
  template <typename T>
  [[gnu::always_inline]] void subtract(T* at, same<T> value) const {
    expect_type<T, is_one_of<T, int, unsigned>>();
    update(at, [=](T held) { return bits(held) - bits(value); });
  }
  template <typename T>
  [[gnu::always_inline]] void minimum(T* at, same<T> value) const {
    expect_type<T, is_word<T>>();
    update(at, [=](T held) { return value < held ? value : held; });
  }
  template <typename T>
  [[gnu::always_inline]] void maximum(T* at, same<T> value) const {
    expect_type<T, is_word<T>>();
    update(at, [=](T held) { return held < value ? value : held; });
  }
  template <typename T>
  [[gnu::always_inline]] void bit_and(T* at, same<T> value) const {
    expect_type<T, is_word<T>>();
    update(at, [=](T held) { return held & value; });
  }
  template <typename T>
  [[gnu::always_inline]] void bit_or(T* at, same<T> value) const {
    expect_type<T, is_word<T>>();
    update(at, [=](T held) { return held | value; });
  }
  template <typename T>
  [[gnu::always_inline]] void bit_xor(T* at, same<T> value) const {
    expect_type<T, is_word<T>>();
    update(at, [=](T held) { return held ^ value; });
  }

 private:
  // Integers wrap around.
  template <typename T>
  static auto bits(T value) {
    return static_cast<std::make_unsigned_t<T>>(value);
  }

  template <typename T, typename Next>
  [[gnu::always_inline]] void update(T* at, const Next& next) const {
    if (has_one_lane) leave_lane_code();
    *at = static_cast<T>(next(*at));
    if (has_one_lane) enter_lane_code();
  }

  // Runs a row, of which `row` describes the first lane, and moves `row` beyond its end.
  template <row_mode mode, typename Part>
  [[gnu::always_inline]] static bool run_lanes_of_row(const Part& part, lane_in_row& row) {
    bool has_entered = false;
    for (unsigned left = row.blockDim.x; left != 0;) {
      const unsigned count = lanes_of_group(left, mode);
      const bool has_run = run_group<mode>(part, row, count);
      has_entered |= has_run;
      if (!has_run) {
        row.guard.begin(row_guard::stage::alone);
        for (unsigned i = 0; i < count; ++i) run_in_row(part, row, static_cast<int>(i));
      }
      row.threadIdx.x += count;
      row.place += count;
      left -= count;
    }
    return has_entered;
  }
};

// A pointer without `__restrict__`: g++ rejects casts to a pointer to a restricted one.
template <typename T>
struct unrestricted {
  using type = T;
};
template <typename T>
struct unrestricted<T* __restrict__> {
  using type = T*;
};

// A variable of the kernel that lives longer than one loop: one value for each lane.
template <typename Declared>
class lane_values {
 public:
  using T = typename unrestricted<Declared>::type;

  explicit lane_values(const block_of_lanes& block) {
    if (block.has_one_lane) return;
    const dim3 shape = block.blockDim;
    values_ = static_cast<T*>(take_lane_memory(sizeof(T) * shape.x * shape.y * shape.z));
  }
  ~lane_values() {
    if (values_ != &own_) give_back_lane_memory(values_);
  }
  lane_values(const lane_values&) = delete;

  [[gnu::always_inline]] T& operator[](const lane_in_row& lane) const {
    return values_[lane.place];
  }
  void fill(const T& value, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) values_[i] = value;
  }
  // For arrays, which cannot be assigned.
  void copy(const lane_in_row& lane, const T& value) const {
    std::memcpy(&values_[lane.place], &value, sizeof(T));
  }

 private:
  T own_;
  T* values_ = &own_;
};

// Which lanes of a block have returned before the last part of the kernel.
class left_lanes {
 public:
  explicit left_lanes(const block_of_lanes& block)
      : flags_(block), threads_(block.has_one_lane ? 1 : block.size()) {
    flags_.fill(false, threads_);
  }

  bool operator[](const lane_in_row& lane) const { return flags_[lane]; }
  void add(const lane_in_row& lane) {
    if (lane.is_trying()) return;
    flags_[lane] = true;
    ++count_;
  }
  // Then the block must return, too: what it computes once may be undefined without any lane.
  bool are_all() const { return count_ == threads_; }

 private:
  lane_values<bool> flags_;
  unsigned threads_;
  unsigned count_ = 0;
};

template <typename Body>
inline constexpr bool takes_block = std::is_invocable_v<Body&, block_of_lanes&>;

// Runs a whole block. If it faults, the runtime repeats the block with a fiber for each lane, to
// find out which one it was.
template <typename Body>
[[gnu::noinline, gnu::flatten]] void run_block(const void* closure) {
  Body body = *static_cast<const Body*>(closure);
  block_of_lanes block(false);
  forget_lane_memory();
  lane_now.runs_block = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  body(block);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  lane_now.runs_block = false;
  threadIdx = {blockDim.x, blockDim.y - 1, blockDim.z - 1};  // beyond the last lane
}

// What the frontend knows about a kernel: its lanes need each other only at barriers, provided that
// its parameter types and its type arguments are plain.
template <bool must_be_arithmetic, typename... Types>
struct lanes_between_barriers {
  static constexpr bool holds =
      independent_lanes<row_mode::in_order, must_be_arithmetic, Types...>::holds;
};

}  // namespace heddle_host
