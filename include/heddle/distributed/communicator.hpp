// The ranks that work together, and small exchanges between them over MPI that never wait forever.
//   strategy    messages between pairs of ranks, each polled until a deadline
//   needs       MPI
#pragma once
#include <heddle/distributed/array_sum.hpp>
#include <heddle/distributed/lists.hpp>
#include <heddle/distributed/mpi.hpp>
#include <heddle/distributed/rank_link.hpp>
#include <heddle/distributed/sparse_exchange.hpp>
#include <heddle/distributed/time_limit.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::distributed {

// Values that are sent as bytes.
template <typename T>
concept sendable = std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>;

// The ranks of an MPI communicator. Their messages are separate from the caller's own.
//   called by   one host thread of every rank, for each function, in the same order on all ranks
//   errors      rank_error, with the rank and the call. A rank that has not answered within the
//               time limit counts as lost. After an error every call throws, since it is unknown
//               what the other ranks have received; leave main() or call end_all_ranks()
//               (run_ranks.hpp), which also ends the other ranks
//   order       rank order: results do not depend on which message came first
class communicator {
 public:
  // Works on a copy of `ranks`, which remains the caller's; MPI must have been initialised.
  explicit communicator(MPI_Comm ranks, time_limit limit = default_time_limit(),
                        source_location where = source_location::current())
      : link_(ranks, limit, where) {}

  // This rank, the number of ranks, how long it waits for the others, and what it has sent so far.
  [[nodiscard]] int rank() const noexcept { return link_.rank(); }
  [[nodiscard]] int size() const noexcept { return link_.size(); }
  [[nodiscard]] time_limit limit() const noexcept { return link_.limit(); }
  [[nodiscard]] const traffic& sent() const noexcept { return link_.sent(); }
  // Resets the counts of what was sent.
  void forget_sent() noexcept { link_.forget_sent(); }
  // Marks the communicator as failed and throws a rank_error; for users that communicate by other
  // means.
  [[noreturn]] void fail(const std::string& call, const std::string& sentence,
                         source_location where = source_location::current()) {
    link_.fail(call, sentence, where);
  }

  // No rank leaves before all have arrived.
  //   cost        ceil(log2(size)) empty messages from each rank
  void barrier(source_location where = source_location::current()) {
    link_.gather("barrier", nullptr, nullptr, 0, where);
  }

  // Gathers each rank's value on every rank, in rank order.
  //   cost        ceil(log2(size)) messages, size - 1 values in all, from each rank
  template <sendable T>
  [[nodiscard]] std::vector<T> all_gather(const T& mine,
                                          source_location where = source_location::current()) {
    std::vector<T> all(static_cast<std::size_t>(size()));
    all_gather_bytes(&mine, all.data(), sizeof(T), where);
    return all;
  }
  // The same for `bytes` bytes of each rank; `all` has room for size() times as many.
  void all_gather_bytes(const void* mine, void* all, std::size_t bytes,
                        source_location where = source_location::current()) {
    link_.gather("all_gather", mine, all, bytes, where);
  }

  // The same for lists of any lengths.
  //   cost        an all_gather of a number, and each rank's list goes to every other rank
  template <sendable T>
  [[nodiscard]] lists<T> all_gather_lists(std::span<const T> mine,
                                          source_location where = source_location::current()) {
    const std::string call = "all_gather_lists";
    const auto counts = all_gather(static_cast<std::int64_t>(mine.size()), where);
    struct buffers {
      std::vector<T> mine;
      lists<T> all;
      std::vector<int> counts, begins;
    };
    detail::kept_if_lost<buffers> kept;
    kept->mine.assign(mine.begin(), mine.end());
    kept->all = lists<T>(counts);
    for (int i = 0; i < size(); ++i) {
      kept->counts.push_back(link_.count_of(kept->all.count_of(i), call, where));
      kept->begins.push_back(link_.count_of(kept->all.begin_of(i), call, where));
    }
    const detail::value_type type(sizeof(T));
    const std::size_t bytes = mine.size_bytes() * static_cast<std::size_t>(size() - 1);
    link_.collective(call, bytes, where, [&](MPI_Request* request) {
      return MPI_Iallgatherv(kept->mine.data(), kept->counts[static_cast<std::size_t>(rank())],
                             type.native(), kept->all.values().data(), kept->counts.data(),
                             kept->begins.data(), type.native(), link_.ranks(), request);
    });
    return std::move(kept->all);
  }

  // The value of rank `root`, on every rank.
  template <sendable T>
  [[nodiscard]] T broadcast(const T& value, int root,
                            source_location where = source_location::current()) {
    detail::kept_if_lost<T> kept(value);
    const std::size_t bytes = rank() == root ? sizeof(T) : 0;
    link_.collective("broadcast", bytes, where, [&](MPI_Request* request) {
      return MPI_Ibcast(&*kept, static_cast<int>(sizeof(T)), MPI_BYTE, root, link_.ranks(),
                        request);
    });
    return *kept;
  }

  // all_reduce() combines the values of all ranks, with the same result on every rank.
  // exclusive_scan() combines `initial` and the values of the ranks before the caller.
  //   op          a host function, associative; need not commute
  //   cost        that of all_gather()
  template <sendable T, typename Op>
  [[nodiscard]] T all_reduce(const T& mine, const Op& op,
                             source_location where = source_location::current()) {
    const auto all = all_gather(mine, where);
    T result = all[0];
    for (std::size_t i = 1; i < all.size(); ++i) result = op(result, all[i]);
    return result;
  }
  template <sendable T, typename Op>
  [[nodiscard]] T exclusive_scan(const T& mine, const Op& op, T initial,
                                 source_location where = source_location::current()) {
    const auto all = all_gather(mine, where);
    for (int i = 0; i < rank(); ++i) initial = op(initial, all[static_cast<std::size_t>(i)]);
    return initial;
  }

  // Adds up arrays of 4-byte or 8-byte integers, of the same length on all ranks; the sums replace
  // the numbers on every rank. Overflow wraps around.
  //   cost        for short arrays log2(size) messages with the whole array from each rank; above
  //               32 KiB twice as many messages, with twice the array's bytes in all. See
  //               array_sum.hpp if the number of ranks is not a power of two
  template <std::integral Word>
  void all_sum(std::span<Word> numbers, source_location where = source_location::current()) {
    static_assert(sizeof(Word) == 4 || sizeof(Word) == 8, "sums are of 32 or 64 bits");
    // Unsigned sums wrap around, and have the same bits as signed ones.
    using unsigned_word = std::make_unsigned_t<Word>;
    detail::array_sum<unsigned_word>(link_, "all_sum", where)
        .run({reinterpret_cast<unsigned_word*>(numbers.data()), numbers.size()});
  }

  // Sends list i of `outgoing` to rank i; list i of the result is what rank i has sent.
  //   cost        one message to each other rank whose list is not empty, and a barrier; no rank
  //               needs to know which ranks send to it
  template <sendable T>
  [[nodiscard]] lists<T> all_to_all(lists<T> outgoing,
                                    source_location where = source_location::current()) {
    return all_to_all(
        std::move(outgoing), [] {}, where);
  }
  // The same; runs `work` while the messages are in flight.
  template <sendable T, std::invocable Work>
  [[nodiscard]] lists<T> all_to_all(lists<T> outgoing, const Work& work,
                                    source_location where = source_location::current()) {
    if (outgoing.size() != size()) {
      throw error(cudaErrorInvalidValue, "all_to_all needs one list for each rank", where);
    }
    const std::string call = "all_to_all";
    detail::kept_if_lost<lists<T>> kept(std::move(outgoing));
    detail::sparse_exchange exchange(link_, sizeof(T), call, where);
    for (int i = 0; i < size(); ++i) {
      if (i == rank()) continue;
      exchange.send(i, (*kept)[i].data(), link_.count_of(kept->count_of(i), call, where));
    }
    work();
    std::vector<std::vector<T>> parts(static_cast<std::size_t>(size()));
    const auto own = (*kept)[rank()];
    parts[static_cast<std::size_t>(rank())].assign(own.begin(), own.end());
    exchange.finish([&](int from, int count) {
      auto& part = parts[static_cast<std::size_t>(from)];
      part.resize(static_cast<std::size_t>(count));
      return part.data();
    });
    return lists<T>(parts);
  }

 private:
  detail::rank_link link_;
};

}  // namespace heddle::distributed
