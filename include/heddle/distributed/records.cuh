// The small records in which ranks exchange the results of their parts.
#pragma once
#include <heddle/core/error.hpp>
#include <heddle/core/operators.cuh>
#include <heddle/device/reduce.cuh>
#include <heddle/device/workspace.cuh>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace heddle::distributed {

// A communicator, or NCCL's; see on_devices.hpp.
template <typename Ranks>
concept exchanges = requires(const Ranks& ranks) {
  { ranks.rank() } -> std::convertible_to<int>;
  { ranks.size() } -> std::convertible_to<int>;
};

namespace detail {

// Workspace memory for the caller's own record, then one record from every rank, then one for the
// combined result.
//   result      is overwritten by the next collective on the same workspace
template <typename Record>
class record_memory {
 public:
  record_memory(device::workspace& workspace, int ranks, source_location where)
      : memory_(reinterpret_cast<Record*>(workspace.kept<record_memory>(
            sizeof(Record) * (static_cast<std::size_t>(ranks) + 2), where))),
        ranks_(ranks) {}

  [[nodiscard]] Record* mine() const { return memory_; }
  [[nodiscard]] Record* all() const { return memory_ + 1; }
  [[nodiscard]] Record* together() const { return memory_ + 1 + ranks_; }

 private:
  Record* memory_;
  int ranks_;
};

// A value that may be missing; combined with a missing value, the other one is unchanged.
template <typename T>
struct maybe {
  T value;
  std::uint32_t is_there;
};

template <typename T, typename Op>
struct join_maybe {
  Op op;
  [[nodiscard]] __device__ maybe<T> operator()(const maybe<T>& a, const maybe<T>& b) const {
    if (a.is_there == 0) return b;
    if (b.is_there == 0) return a;
    return {static_cast<T>(op(a.value, b.value)), 1u};
  }
};

// Initialises a record and says whether it has a value; the value itself is written later in the
// stream.
template <typename T>
void mark(device::workspace& workspace, maybe<T>* record, bool is_there, source_location where) {
  check(cudaMemsetAsync(record, is_there ? 1 : 0, sizeof(maybe<T>), workspace.stream()), where);
}

// A record without contents: all bits zero.
template <typename Record>
[[nodiscard]] Record nothing() {
  return std::bit_cast<Record>(std::array<std::byte, sizeof(Record)>{});
}

// Copies a value from device memory to the host; waits for the stream.
template <typename T>
[[nodiscard]] T fetched(device::workspace& workspace, const T* value, source_location where) {
  std::array<std::byte, sizeof(T)> bytes;
  check(cudaMemcpyAsync(bytes.data(), value, sizeof(T), cudaMemcpyDeviceToHost, workspace.stream()),
        where);
  check(cudaStreamSynchronize(workspace.stream()), where);
  return std::bit_cast<T>(bytes);
}

template <typename T>
void copy_value(device::workspace& workspace, const T* from, T* to, source_location where) {
  check(cudaMemcpyAsync(to, from, sizeof(T), cudaMemcpyDeviceToDevice, workspace.stream()), where);
}

inline void check_count(std::int64_t count, source_location where) {
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
}

}  // namespace detail

}  // namespace heddle::distributed
