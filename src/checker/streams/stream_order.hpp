// The order between the work of streams and the host's own accesses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <heddle_host/observer.hpp>

#include "checker/race/access.hpp"

namespace heddle_checker {

// Knows agents (grids, copies, runs of host code) and which of them directly precede others. The
// race detector derives the rest of the order.
class stream_order {
 public:
  using agents = std::vector<agent>;

  // Numbers the present moment on the host; known_at() returns what happens before it.
  [[nodiscard]] std::uint64_t moment() const { return moments_.size() - 1; }

  void host_has_waited(std::uint64_t stream, std::uint64_t number);
  void host_has_done(agent action);  // its accesses, after all it had waited for
  [[nodiscard]] agents known_to_host() const { return known_at(moment()); }

  // The agents that happen before a piece of work.
  [[nodiscard]] agents known_to_work(std::uint64_t submitted, std::uint64_t stream,
                                     const heddle_host::work_point* before,
                                     std::size_t count) const;
  void work_is_done(std::uint64_t stream, std::uint64_t number, agent by);

 private:
  // The last agent of a stream that the host has waited for, or the host's own accesses.
  struct known_agent {
    agent which;
    std::optional<std::uint64_t> stream{};
  };
  [[nodiscard]] agents known_at(std::uint64_t moment) const;
  [[nodiscard]] const agent* last_up_to(std::uint64_t stream, std::uint64_t number) const;

  std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, agent>>> done_;  // by stream
  std::vector<std::vector<known_agent>> moments_{{}};
};

}  // namespace heddle_checker
