// What is thrown when something fails between ranks.
#pragma once
#include <heddle/core/error.hpp>

#include <string>
#include <utility>

namespace heddle::distributed {

// Something went wrong between ranks; what() names the rank that says so and the call in which it
// was. Nothing can be said of the communicator's other ranks afterwards.
class rank_error : public error {
 public:
  // Of the rank that says so, in a call of that name.
  rank_error(int rank, int size, std::string call, const std::string& sentence,
             source_location where = source_location::current())
      : error("rank " + std::to_string(rank) + " of " + std::to_string(size) + ": " + call + ": " +
                  sentence,
              where),
        rank_(rank),
        call_(std::move(call)) {}

  // Which rank, and which call.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] const std::string& call() const noexcept { return call_; }

 private:
  int rank_;
  std::string call_;
};

}  // namespace heddle::distributed
