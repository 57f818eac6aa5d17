// Which stream operations happen before what the host does next.
#include <gtest/gtest.h>

#include "checker/streams/stream_order.hpp"

namespace heddle_checker {
namespace {

using agents = stream_order::agents;

TEST(stream_order, keeps_one_agent_for_each_stream) {
  stream_order order;
  for (agent i = 0; i < 100; ++i) {
    order.work_is_done(i % 2, i, i);
    order.host_has_waited(i % 2, i);
  }
  EXPECT_EQ(order.known_to_host(), (agents{98, 99}));
}

TEST(stream_order, forgets_nothing_if_the_host_waits_for_earlier_work) {
  stream_order order;
  order.work_is_done(1, 10, 0);
  order.work_is_done(1, 20, 1);
  order.host_has_waited(1, 20);
  order.host_has_waited(1, 10);
  EXPECT_EQ(order.known_to_host(), agents{1});
}

TEST(stream_order, lets_the_hosts_accesses_represent_all_that_it_knew) {
  stream_order order;
  order.work_is_done(1, 10, 0);
  order.host_has_waited(1, 10);
  const std::uint64_t before = order.moment();
  order.host_has_done(1);
  EXPECT_EQ(order.known_to_host(), agents{1});
  order.work_is_done(1, 20, 2);
  order.host_has_waited(1, 20);
  EXPECT_EQ(order.known_to_host(), (agents{1, 2}));
  // Work that was enqueued earlier comes after what the host knew then, and after its stream.
  EXPECT_EQ(order.known_to_work(before, 5, nullptr, 0), agents{0});
  EXPECT_EQ(order.known_to_work(before, 1, nullptr, 0), (agents{0, 2}));
}

}  // namespace
}  // namespace heddle_checker
