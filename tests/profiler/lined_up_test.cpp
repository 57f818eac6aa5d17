// Which accesses of a warp's lanes count as one request.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "profiler/lined_up.hpp"

namespace {

using namespace heddle_profiler;

struct entry {
  std::uint32_t mask = 0;
};

// A place in the code, and the masks of its completed requests.
class place {
 public:
  void come(unsigned lane) {
    entry& mine = line_.join(lane, note());
    line_.tidy(mine, live_, note());
  }
  void meet(std::uint32_t lanes) { line_.meet(lanes, live_, note()); }
  void end() { line_.meet(live_, live_, note()); }
  std::vector<std::uint32_t> done;

 private:
  std::function<void(const entry&)> note() {
    return [this](const entry& one) { done.push_back(one.mask); };
  }
  lined_up<entry> line_;
  std::uint32_t live_ = 0xfu;
};
using masks = std::vector<std::uint32_t>;

TEST(lined_up, joins_lanes_that_arrive_one_after_another) {
  place here;
  for (unsigned lane = 0; lane < 4; ++lane) here.come(lane);
  EXPECT_EQ(here.done, masks({0xf}));
}

TEST(lined_up, joins_the_same_iteration_of_lanes_that_run_ahead) {
  place here;
  for (unsigned lane = 0; lane < 4; ++lane) {
    for (int k = 0; k < 3; ++k) here.come(lane);
  }
  EXPECT_EQ(here.done, masks({0xf, 0xf, 0xf}));
}

TEST(lined_up, keeps_lanes_that_stay_longer_in_a_loop_together) {
  place here;
  for (unsigned lane = 0; lane < 4; ++lane) {
    for (unsigned k = 0; k <= lane / 2; ++k) here.come(lane);
  }
  here.end();
  EXPECT_EQ(here.done, masks({0xf, 0xc}));
}

TEST(lined_up, starts_counting_again_after_a_meeting) {
  place here;
  here.come(0);
  here.come(0);
  here.come(1);
  here.meet(0xf);
  EXPECT_EQ(here.done, masks({0x3, 0x1}));
  for (unsigned lane = 0; lane < 4; ++lane) here.come(lane);
  EXPECT_EQ(here.done, masks({0x3, 0x1, 0xf}));
}

TEST(lined_up, lets_lanes_join_that_were_not_in_the_meeting) {
  place here;
  here.come(0);
  here.come(1);
  here.meet(0x3);
  here.come(2);  // lanes 2 and 3 are only slower
  here.come(3);
  EXPECT_EQ(here.done, masks({0xf}));
  here.come(0);
  here.come(1);
  here.end();
  EXPECT_EQ(here.done, masks({0xf, 0x3}));
}

TEST(lined_up, starts_a_new_request_for_a_lane_after_its_meeting) {
  place here;
  here.come(0);
  here.meet(0x1);
  here.come(0);
  here.end();
  EXPECT_EQ(here.done, masks({0x1, 0x1}));
}

TEST(lined_up, forgets_no_open_request) {
  place here;
  for (int k = 0; k < 5000; ++k) here.come(0);
  here.end();
  EXPECT_EQ(here.done.size(), 5000u);
  for (int k = 0; k < 10; ++k) {
    for (unsigned lane = 0; lane < 4; ++lane) here.come(lane);
  }
  EXPECT_EQ(here.done.size(), 5010u);
}

}  // namespace
