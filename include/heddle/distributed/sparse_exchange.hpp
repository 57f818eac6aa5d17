// Messages between arbitrary ranks, where most pairs of ranks exchange nothing.
#pragma once
#include <heddle/distributed/rank_link.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace heddle::distributed::detail {

// Sends messages to ranks that do not expect them (the algorithm of Hoefler, Siebert and
// Lumsdaine). All ranks look for messages until all have reached a barrier; a rank enters the
// barrier once its own messages have been received.
class sparse_exchange {
 public:
  sparse_exchange(rank_link& link, std::size_t bytes_of_value, std::string call,
                  source_location where)
      : link_(link),
        call_(std::move(call)),
        where_(where),
        bytes_of_value_(bytes_of_value),
        type_(bytes_of_value),
        tag_(link.next_exchange_tag()) {
    link_.expect_usable(call_, where_);
  }

  // Sends nothing if there is nothing.
  void send(int to, const void* values, int count) {
    if (count == 0) return;
    sends_.emplace_back(MPI_REQUEST_NULL);
    receivers_.push_back(to);
    link_.check(MPI_Issend(values, count, type_.native(), to, tag_, link_.ranks(), &sends_.back()),
                call_, where_);
    link_.count_message(static_cast<std::size_t>(count) * bytes_of_value_);
  }

  // Receives all messages: place(from, count) returns where those of a rank go.
  template <typename Place>
  void finish(const Place& place) {
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool has_come = false;
    for (polling poll(link_.limit());; poll.pause()) {
      while (take_one(place)) poll = polling(link_.limit());
      int is_done = 0;
      if (has_come) {
        link_.check(MPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE), call_, where_);
        if (is_done != 0) return;
      } else {
        link_.check(MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &is_done,
                                MPI_STATUSES_IGNORE),
                    call_, where_);
        if (is_done != 0) {
          link_.check(MPI_Ibarrier(link_.ranks(), &barrier), call_, where_);
          has_come = true;
        }
      }
      if (poll.is_over()) {
        link_.fail_waiting(call_, has_come ? "the others" : silent_receivers(), where_);
      }
    }
  }

 private:
  template <typename Place>
  bool take_one(const Place& place) {
    int is_there = 0, count = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    link_.check(MPI_Improbe(MPI_ANY_SOURCE, tag_, link_.ranks(), &is_there, &message, &status),
                call_, where_);
    if (is_there == 0) return false;
    link_.check(MPI_Get_count(&status, type_.native(), &count), call_, where_);
    MPI_Request request = MPI_REQUEST_NULL;
    link_.check(
        MPI_Imrecv(place(status.MPI_SOURCE, count), count, type_.native(), &message, &request),
        call_, where_);
    link_.wait(request, call_, "rank " + std::to_string(status.MPI_SOURCE), where_);
    return true;
  }

  [[nodiscard]] std::string silent_receivers() {
    std::string names;
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      int is_taken = 0;
      if (MPI_Test(&sends_[i], &is_taken, MPI_STATUS_IGNORE) == MPI_SUCCESS && is_taken != 0) {
        continue;
      }
      names += (names.empty() ? "rank " : ", ") + std::to_string(receivers_[i]);
    }
    return names.empty() ? "the others" : names;
  }

  rank_link& link_;
  std::string call_;
  source_location where_;
  std::size_t bytes_of_value_;
  value_type type_;
  int tag_;
  std::vector<MPI_Request> sends_;
  std::vector<int> receivers_;
};

}  // namespace heddle::distributed::detail
