// Where the threads of a multi-warp tile wait for each other and exchange eight bytes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <heddle_host/finding.hpp>

#include "machine/warp_state.hpp"

namespace heddle_host {

class block_state;

class tile_barriers {
 public:
  explicit tile_barriers(block_state& block) : block_(block) {}

  // As heddle_host::tile_gather; `doing` is what a waiting thread is said to do.
  const std::uint64_t* gather(unsigned first_thread, unsigned threads, std::uint64_t value,
                              const void* where, activity doing = activity::at_tile_barrier);

  // Completes the tiles that waited only for it.
  void thread_has_exited() {
    if (!tiles_.empty()) release_complete();
  }
  bool keeps(const std::byte* address) const;  // whether threads exchange values there
  void clear() { tiles_.clear(); }

 private:
  struct tile {
    unsigned first_thread;
    unsigned threads;
    activity doing;
    unsigned arrived = 0;
    unsigned parity = 0;
    std::array<std::vector<std::uint64_t>, 2> values{};
    lanes_of_warps waiting{};
  };

  tile& find_or_make(unsigned first_thread, unsigned threads, activity doing);
  void release_complete();
  void release_if_complete(tile& gathering);
  void report_absent(const tile& gathering) const;

  block_state& block_;
  std::vector<std::unique_ptr<tile>> tiles_;
};

}  // namespace heddle_host
