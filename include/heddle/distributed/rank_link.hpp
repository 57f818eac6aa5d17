// A rank's connection to the others over MPI: calls are polled until a deadline and never block.
#pragma once
#include <heddle/distributed/mpi.hpp>
#include <heddle/distributed/rank_error.hpp>
#include <heddle/distributed/time_limit.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle::distributed {

// What a rank has sent. Its own messages are counted as they are sent; for MPI's collective
// operations only the bytes passed to them are counted, since MPI decides what it sends.
struct traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::int64_t collectives = 0;
  std::int64_t bytes_of_collectives = 0;
};

namespace detail {

// Memory that MPI reads or writes during a call. If the call fails, it is unknown when MPI is done
// with the memory, so it is leaked until the process ends.
template <typename Buffer>
class kept_if_lost {
 public:
  template <typename... Arguments>
  explicit kept_if_lost(Arguments&&... arguments)
      : buffer_(std::make_unique<Buffer>(std::forward<Arguments>(arguments)...)),
        exceptions_(std::uncaught_exceptions()) {}
  ~kept_if_lost() {
    if (std::uncaught_exceptions() > exceptions_) static_cast<void>(buffer_.release());
  }
  kept_if_lost(const kept_if_lost&) = delete;
  kept_if_lost& operator=(const kept_if_lost&) = delete;

  Buffer& operator*() const noexcept { return *buffer_; }
  Buffer* operator->() const noexcept { return buffer_.get(); }

 private:
  std::unique_ptr<Buffer> buffer_;
  int exceptions_;
};

// An MPI type for values of that size, so that MPI's limit of 2^31 counts values, not bytes.
class value_type {
 public:
  explicit value_type(std::size_t bytes) {
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~value_type() { MPI_Type_free(&type_); }
  value_type(const value_type&) = delete;
  value_type& operator=(const value_type&) = delete;
  [[nodiscard]] MPI_Datatype native() const noexcept { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class rank_link {
 public:
  rank_link(MPI_Comm ranks, time_limit limit, source_location where) : limit_(limit) {
    int is_there = 0;
    MPI_Initialized(&is_there);
    if (is_there == 0) throw error("a communicator needs MPI_Init() before it", where);
    MPI_Comm_rank(ranks, &rank_);
    MPI_Comm_size(ranks, &size_);
    // Until the copy exists, errors are raised on the caller's communicator.
    MPI_Errhandler callers = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(ranks, &callers);
    MPI_Comm_set_errhandler(ranks, MPI_ERRORS_RETURN);
    kept_if_lost<MPI_Comm> copy(MPI_COMM_NULL);
    collective("communicator", 0, where,
               [&](MPI_Request* request) { return MPI_Comm_idup(ranks, &*copy, request); });
    ranks_ = *copy;
    MPI_Comm_set_errhandler(ranks, callers);
    MPI_Errhandler_free(&callers);
    MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN);
  }
  // Freeing the copy is collective, so it is skipped after a failure.
  ~rank_link() {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (ranks_ != MPI_COMM_NULL && !is_lost_ && is_over == 0 && std::uncaught_exceptions() == 0) {
      MPI_Comm_free(&ranks_);
    }
  }
  rank_link(const rank_link&) = delete;
  rank_link& operator=(const rank_link&) = delete;

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] time_limit limit() const noexcept { return limit_; }
  [[nodiscard]] MPI_Comm ranks() const noexcept { return ranks_; }
  [[nodiscard]] const traffic& sent() const noexcept { return sent_; }
  void forget_sent() noexcept { sent_ = {}; }
  void count_message(std::size_t bytes) noexcept {
    ++sent_.messages;
    sent_.bytes += static_cast<std::int64_t>(bytes);
  }

  [[noreturn]] void fail(const std::string& call, const std::string& sentence,
                         source_location where) {
    is_lost_ = true;
    throw rank_error(rank_, size_, call, sentence, where);
  }
  [[noreturn]] void fail_waiting(const std::string& call, const std::string& whom,
                                 source_location where) {
    fail(call,
         "waited " + text_of(limit_) + " for " + whom +
             "; a rank has failed, hangs, or has taken another way through the program",
         where);
  }
  void check(int code, const std::string& call, source_location where) {
    if (code != MPI_SUCCESS) fail(call, text_of_mpi(code), where);
  }
  void expect_usable(const std::string& call, source_location where) {
    if (is_lost_) fail(call, "the communicator has failed before", where);
  }
  // A number of values as MPI's int.
  [[nodiscard]] int count_of(std::int64_t values, const std::string& call, source_location where) {
    if (values > std::numeric_limits<int>::max()) {
      throw rank_error(rank_, size_, call, "more than 2^31 - 1 values in one exchange", where);
    }
    return static_cast<int>(values);
  }

  // Polls until a request is done; on a timeout the error names `whom` it waited for.
  void wait(MPI_Request& request, const std::string& call, const std::string& whom,
            source_location where) {
    for (polling poll(limit_);; poll.pause()) {
      int is_done = 0;
      check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), call, where);
      if (is_done != 0) return;
      if (poll.is_over()) fail_waiting(call, whom, where);
    }
  }

  // One of MPI's collective operations: start(request) begins it and returns MPI's code.
  template <typename Start>
  void collective(const std::string& call, std::size_t bytes, source_location where,
                  const Start& start) {
    expect_usable(call, where);
    ++sent_.collectives;
    sent_.bytes_of_collectives += static_cast<std::int64_t>(bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    check(start(&request), call, where);
    wait(request, call, "the others", where);
  }

  // Sends values to one rank while receiving from another or the same one; -1 means no rank. A
  // value of `type` has `bytes` bytes.
  void swap(const std::string& call, MPI_Datatype type, std::size_t bytes, int to,
            const void* outgoing, std::int64_t sent, int from, void* incoming,
            std::int64_t received, source_location where) {
    MPI_Request to_come = MPI_REQUEST_NULL, to_go = MPI_REQUEST_NULL;
    if (from >= 0) {
      check(MPI_Irecv(incoming, count_of(received, call, where), type, from, step_tag, ranks_,
                      &to_come),
            call, where);
    }
    if (to >= 0) {
      check(MPI_Isend(outgoing, count_of(sent, call, where), type, to, step_tag, ranks_, &to_go),
            call, where);
      count_message(static_cast<std::size_t>(sent) * bytes);
    }
    if (from >= 0) wait(to_come, call, "rank " + std::to_string(from), where);
    if (to >= 0) wait(to_go, call, "rank " + std::to_string(to), where);
  }

  // Gathers each rank's data on every rank (Bruck's algorithm): at each step the distance doubles,
  // and a rank passes on all that it has. With 0 bytes it is a barrier.
  void gather(const std::string& call, const void* mine, void* all, std::size_t bytes,
              source_location where) {
    expect_usable(call, where);
    const auto ranks = static_cast<std::size_t>(size_);
    static_cast<void>(count_of(static_cast<std::int64_t>(bytes * ranks), call, where));
    // Block i belongs to the rank i places after this one.
    kept_if_lost<std::vector<std::byte>> blocks(bytes * ranks);
    if (bytes > 0) std::memcpy(blocks->data(), mine, bytes);
    for (int distance = 1; distance < size_; distance *= 2) {
      const int passed_on = distance < size_ - distance ? distance : size_ - distance;
      const auto length = static_cast<std::int64_t>(bytes) * passed_on;
      swap(call, MPI_BYTE, 1, (rank_ - distance + size_) % size_, blocks->data(), length,
           (rank_ + distance) % size_, blocks->data() + static_cast<std::size_t>(distance) * bytes,
           length, where);
    }
    for (std::size_t i = 0; i < ranks && bytes > 0; ++i) {
      const std::size_t owner = (static_cast<std::size_t>(rank_) + i) % ranks;
      std::memcpy(static_cast<std::byte*>(all) + owner * bytes, blocks->data() + i * bytes, bytes);
    }
  }

  // Alternates between two tags: a rank is never more than one exchange ahead of another.
  [[nodiscard]] int next_exchange_tag() noexcept { return first_exchange_tag + (++exchanges_ & 1); }

 private:
  static constexpr int step_tag = 1, first_exchange_tag = 2;

  time_limit limit_;
  MPI_Comm ranks_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  bool is_lost_ = false;
  unsigned exchanges_ = 0;
  traffic sent_;
};

}  // namespace detail

}  // namespace heddle::distributed
