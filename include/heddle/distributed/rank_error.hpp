// The exception for failures between ranks.
#pragma once
#include <heddle/core/error.hpp>

#include <string>
#include <utility>

namespace heddle::distributed {

// A failure between ranks; what() names the rank that reports it and the call that failed.
// Afterwards the state of the other ranks is unknown.
class rank_error : public error {
 public:
  // For the rank that reports it, in the call of that name.
  rank_error(int rank, int size, std::string call, const std::string& sentence,
             source_location where = source_location::current())
      : error("rank " + std::to_string(rank) + " of " + std::to_string(size) + ": " + call + ": " +
                  sentence,
              where),
        rank_(rank),
        call_(std::move(call)) {}

  // The rank that reports the failure, and the call.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] const std::string& call() const noexcept { return call_; }

 private:
  int rank_;
  std::string call_;
};

}  // namespace heddle::distributed
