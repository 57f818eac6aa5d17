// Ranks whose devices communicate by NCCL, if the CUDA toolkit has it.
#pragma once
#if __has_include(<nccl.h>) && __has_include(<cuda_fp8.h>)  // which nccl.h includes
#include <heddle/core/error.hpp>
#include <heddle/device/workspace.cuh>
#include <heddle/distributed/rank_error.hpp>
#include <heddle/distributed/time_limit.hpp>

#include <nccl.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::distributed {

// The ranks of a job, each with its own device; nccl.hpp makes one from a communicator.
//   called by   one host thread of every rank, for each function, in the same order on all ranks,
//               with the device current on which it was made
//   errors      rank_error, with the rank and the call. A rank that has not answered within the
//               time limit counts as lost: the NCCL communicator is aborted, and every later call
//               throws
class nccl_communicator {
 public:
  // `id` comes from new_id() on one rank.
  nccl_communicator(const ncclUniqueId& id, int rank, int size,
                    time_limit limit = default_time_limit(),
                    source_location where = source_location::current())
      : rank_(rank), size_(size), limit_(limit) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    finish(ncclCommInitRankConfig(&native_, size, id, rank, &config), "ncclCommInitRank", where);
  }
  // For one rank of a job, which sends it to the others.
  [[nodiscard]] static ncclUniqueId new_id(source_location where = source_location::current()) {
    ncclUniqueId id;
    const ncclResult_t code = ncclGetUniqueId(&id);
    if (code != ncclSuccess) {
      throw error(std::string("ncclGetUniqueId: ") + ncclGetErrorString(code), where);
    }
    return id;
  }
  // Aborts if something has failed, since waiting for the others would be pointless.
  ~nccl_communicator() {
    if (native_ == nullptr) return;
    ncclResult_t code = ncclCommFinalize(native_);
    detail::polling poll(limit_);
    while (code == ncclInProgress && !poll.is_over()) {
      if (ncclCommGetAsyncError(native_, &code) != ncclSuccess) break;
      poll.pause();
    }
    if (code == ncclSuccess) {
      ncclCommDestroy(native_);
    } else {
      ncclCommAbort(native_);
    }
  }
  nccl_communicator(const nccl_communicator&) = delete;
  nccl_communicator& operator=(const nccl_communicator&) = delete;

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] ncclComm_t native() const noexcept { return native_; }

  // Starts an NCCL operation by start(ncclComm_t), which returns NCCL's code, and waits until the
  // stream has finished it: a lost rank would block the stream forever.
  template <typename Start>
  void run(const char* call, cudaStream_t stream, source_location where, const Start& start) {
    if (native_ == nullptr) fail(call, "the communicator has failed before", where);
    finish(start(native_), call, where);
    for (detail::polling poll(limit_);; poll.pause()) {
      const cudaError_t state = cudaStreamQuery(stream);
      if (state == cudaSuccess) return;
      if (state != cudaErrorNotReady) check(state, where);
      ncclResult_t code = ncclSuccess;
      finish(ncclCommGetAsyncError(native_, &code), call, where);
      if (code != ncclSuccess && code != ncclInProgress) fail_with(code, call, where);
      if (poll.is_over()) fail_waiting(call, where);
    }
  }

 private:
  [[noreturn]] void fail(const char* call, const std::string& sentence, source_location where) {
    if (native_ != nullptr) ncclCommAbort(native_);
    native_ = nullptr;
    throw rank_error(rank_, size_, call, sentence, where);
  }
  [[noreturn]] void fail_with(ncclResult_t code, const char* call, source_location where) {
    const std::string details = native_ != nullptr ? ncclGetLastError(native_) : "";
    fail(call, ncclGetErrorString(code) + (details.empty() ? "" : ": " + details), where);
  }
  [[noreturn]] void fail_waiting(const char* call, source_location where) {
    fail(call, "waited " + text_of(limit_) + " for the others; a rank has failed or hangs", where);
  }
  // Waits until NCCL has started the operation on this rank; throws if that fails.
  void finish(ncclResult_t code, const char* call, source_location where) {
    for (detail::polling poll(limit_); code == ncclInProgress; poll.pause()) {
      if (poll.is_over()) fail_waiting(call, where);
      const ncclResult_t asked = ncclCommGetAsyncError(native_, &code);
      if (asked != ncclSuccess) code = asked;
    }
    if (code != ncclSuccess) fail_with(code, call, where);
  }

  ncclComm_t native_ = nullptr;
  int rank_;
  int size_;
  time_limit limit_;
};

// Like those of on_devices.hpp, but directly from device to device.
inline void gather_on_devices(nccl_communicator& ranks, device::workspace& workspace,
                              const void* mine, void* all, std::size_t bytes,
                              source_location where = source_location::current()) {
  const cudaStream_t stream = workspace.stream();
  ranks.run("ncclAllGather", stream, where, [&](ncclComm_t native) {
    return ncclAllGather(mine, all, bytes, ncclUint8, native, stream);
  });
}
template <std::integral Word>
void sum_on_devices(nccl_communicator& ranks, device::workspace& workspace, Word* numbers,
                    std::int64_t count, source_location where = source_location::current()) {
  static_assert(sizeof(Word) == 4 || sizeof(Word) == 8, "sums are of 32 or 64 bits");
  const cudaStream_t stream = workspace.stream();
  ranks.run("ncclAllReduce", stream, where, [&](ncclComm_t native) {
    return ncclAllReduce(numbers, numbers, static_cast<std::size_t>(count),
                         sizeof(Word) == 4 ? ncclUint32 : ncclUint64, ncclSum, native, stream);
  });
}

}  // namespace heddle::distributed
#endif
