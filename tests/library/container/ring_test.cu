// A ring of spare numbers: taking one may give up, so that returning one never has to.
#include <heddle/container/ring.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_mask;
using heddle::container::detail::ring_view;

constexpr int log_cells = 4;
constexpr unsigned most_attempts = 64;

// A ring in which `promised` lanes have each drawn a ticket to put something in, and have stopped
// before they did.
class ring_of_promises {
 public:
  explicit ring_of_promises(ring_view::ticket promised) : memory_(bytes_with(promised)) {}
  [[nodiscard]] ring_view view() const { return {memory_.data(), log_cells}; }
  [[nodiscard]] ring_view::ticket taken_tickets() const {
    const std::vector<std::byte> bytes = memory_.values();
    ring_view::storage counts;
    std::memcpy(&counts, bytes.data(), sizeof counts);
    return counts.head.count;
  }

 private:
  static std::vector<std::byte> bytes_with(ring_view::ticket promised) {
    std::vector<std::byte> bytes(ring_view::bytes_for(log_cells), std::byte{0});
    const ring_view::storage counts{{0}, {promised}};
    std::memcpy(bytes.data(), &counts, sizeof counts);
    return bytes;
  }

  device_array<std::byte> memory_;
};

struct take_one {
  ring_view ring;
  bool is_spare;
  __device__ int operator()() const {
    const lane_mask self = lane_mask{1} << heddle::lane_id();
    std::uint32_t number = 0;
    const bool has_one =
        is_spare ? ring.take_spare(number, true, self) : ring.take(number, true, self);
    return has_one ? static_cast<int>(number) : -1;
  }
};
struct bring_one_back_and_take_one {
  ring_view ring;
  std::uint32_t number;
  __device__ int operator()() const {
    ring.put_back(number, true, lane_mask{1} << heddle::lane_id());
    return take_one{ring, true}();
  }
};

// Such promises could go on forever: a lane that returns a number makes a new one whenever a take
// has been a step ahead.
TEST(container_ring, gives_up_taking_a_spare_number_that_is_always_on_its_way) {
  const ring_of_promises spare(1000);
  EXPECT_EQ(answers_of(take_one{spare.view(), true}, 1, 1), std::vector<int>{-1});
  EXPECT_EQ(spare.taken_tickets(), most_attempts);
}

// A take that gave up this early would report a queue as empty that is not.
TEST(container_ring, looks_for_a_value_until_nothing_is_promised) {
  const ring_of_promises line(1000);
  EXPECT_EQ(answers_of(take_one{line.view(), false}, 1, 1), std::vector<int>{-1});
  EXPECT_EQ(line.taken_tickets(), 1000u);
}

TEST(container_ring, finds_a_spare_number_after_abandoned_promises) {
  const ring_of_promises spare(most_attempts - 1);
  EXPECT_EQ(answers_of(bring_one_back_and_take_one{spare.view(), 7}, 1, 1), std::vector<int>{7});
}

}  // namespace
