// Many threads and streams at once give the results that the order of the calls demands.
#include <array>
#include <random>
#include <thread>
#include <vector>

#include "kernels.hpp"
#include "support/seed.hpp"

namespace {

class stream_stress : public device_test {};

// One cell and the value that it must have at the end.
struct cell {
  long long* on_device = nullptr;
  unsigned long long expected = 0;

  void step(cudaStream_t stream, unsigned term) {
    launch_on(stream, 1, 1, multiply_and_add, on_device, 3LL, static_cast<long long>(term));
    expected = expected * 3 + term;
  }
};

// A random program on some streams whose accesses to each cell are ordered by events.
void run_random_program(unsigned seed) {
  std::mt19937 random(seed);
  constexpr std::size_t stream_count = 4;
  std::array<cudaStream_t, stream_count> streams;
  for (std::size_t index = 0; index < stream_count; ++index) {
    const unsigned flags = index % 2 == 0 ? cudaStreamNonBlocking : cudaStreamDefault;
    ASSERT_EQ(cudaStreamCreateWithFlags(&streams[index], flags), cudaSuccess);
  }
  std::array<cell, 3> cells;
  std::array<cudaEvent_t, 3> last_use;
  for (std::size_t index = 0; index < cells.size(); ++index) {
    ASSERT_EQ(cudaMalloc(&cells[index].on_device, sizeof(long long)), cudaSuccess);
    ASSERT_EQ(cudaMemset(cells[index].on_device, 0, sizeof(long long)), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&last_use[index], cudaEventDisableTiming), cudaSuccess);
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int step = 0; step < 300; ++step) {
    const std::size_t which = random() % cells.size();
    const cudaStream_t stream = streams[random() % stream_count];
    ASSERT_EQ(cudaStreamWaitEvent(stream, last_use[which]), cudaSuccess);
    cells[which].step(stream, random() % 100);
    ASSERT_EQ(cudaEventRecord(last_use[which], stream), cudaSuccess);
    switch (random() % 40) {
      case 0:
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        break;
      case 1:
        ASSERT_EQ(cudaEventSynchronize(last_use[which]), cudaSuccess);
        break;
      case 2:
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        break;
      default:
        break;
    }
  }
  for (std::size_t index = 0; index < cells.size(); ++index) {
    ASSERT_EQ(cudaEventSynchronize(last_use[index]), cudaSuccess);
    unsigned long long seen = 0;
    ASSERT_EQ(cudaMemcpy(&seen, cells[index].on_device, sizeof seen, cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(seen, cells[index].expected);
    EXPECT_EQ(cudaFree(cells[index].on_device), cudaSuccess);
  }
  for (const cudaStream_t stream : streams) EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(stream_stress, keeps_the_order_that_events_give) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  SCOPED_TRACE(heddle_test::seed_text());
  for (unsigned round = 0; round < 5; ++round) run_random_program(seed + round);
}

TEST_F(stream_stress, keeps_the_order_with_several_host_threads) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  SCOPED_TRACE(heddle_test::seed_text());
  std::vector<std::thread> threads;
  for (unsigned index = 0; index < 4; ++index) {
    threads.emplace_back([=] {
      for (unsigned round = 0; round < 3; ++round) run_random_program(seed + 100 * index + round);
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// Work on the legacy stream and on blocking streams runs in the order of the calls here, because a
// step on the legacy stream comes between any two others.
TEST_F(stream_stress, keeps_the_order_that_the_legacy_stream_gives) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937 random(seed);
  std::array<cudaStream_t, 3> streams;
  for (cudaStream_t& each : streams) ASSERT_EQ(cudaStreamCreate(&each), cudaSuccess);
  cell shared;
  ASSERT_EQ(cudaMalloc(&shared.on_device, sizeof(long long)), cudaSuccess);
  ASSERT_EQ(cudaMemset(shared.on_device, 0, sizeof(long long)), cudaSuccess);
  for (int step = 0; step < 500; ++step) {
    shared.step(streams[random() % streams.size()], random() % 100);
    shared.step(nullptr, random() % 100);
  }
  unsigned long long seen = 0;
  ASSERT_EQ(cudaMemcpy(&seen, shared.on_device, sizeof seen, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen, shared.expected);
}

TEST_F(stream_stress, survives_streams_that_are_created_and_destroyed) {
  std::vector<std::thread> threads;
  for (int index = 0; index < 3; ++index) {
    threads.emplace_back([] {
      for (int round = 0; round < 100; ++round) {
        cudaStream_t stream;
        ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
        launch_on(stream, 1, 1, do_nothing);
        ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
