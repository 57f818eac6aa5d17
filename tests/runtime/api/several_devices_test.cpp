// Three devices: what belongs to each of them, and what crosses between them.
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "kernels.hpp"

namespace {

// Must come before the first call, which counts the devices.
const int was_set = setenv("HEDDLE_DEVICES", "3", 1);

class several_devices : public testing::Test {
 protected:
  void SetUp() override { TearDown(); }
  void TearDown() override {
    for (int device = 2; device >= 0; --device) {
      EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
      EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    }
    cudaGetLastError();
  }

  static int* numbers_on(int device, const std::vector<int>& values) {
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    int* memory = nullptr;
    const std::size_t bytes = values.size() * sizeof(int);
    EXPECT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(memory, values.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    return memory;
  }
};

TEST_F(several_devices, are_counted_and_selected_by_thread) {
  ASSERT_EQ(was_set, 0);
  int count = 0, device = -1;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 3);
  ASSERT_EQ(cudaSetDevice(2), cudaSuccess);
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 2);
  std::thread([] {
    int other = -1;
    EXPECT_EQ(cudaGetDevice(&other), cudaSuccess);
    EXPECT_EQ(other, 0);
  }).join();
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 2);
}

TEST_F(several_devices, differ_in_their_bus_address_and_divide_the_memory) {
  std::vector<std::string> addresses;
  std::size_t total = 0;
  for (int device = 0; device < 3; ++device) {
    cudaDeviceProp properties;
    ASSERT_EQ(cudaGetDeviceProperties(&properties, device), cudaSuccess);
    EXPECT_EQ(properties.pciBusID, device);
    total += properties.totalGlobalMem;
    char address[16];
    ASSERT_EQ(cudaDeviceGetPCIBusId(address, sizeof address, device), cudaSuccess);
    int found = -1;
    ASSERT_EQ(cudaDeviceGetByPCIBusId(&found, address), cudaSuccess);
    EXPECT_EQ(found, device);
    addresses.emplace_back(address);
  }
  EXPECT_NE(addresses[0], addresses[1]);
  EXPECT_NE(addresses[1], addresses[2]);
  cudaDeviceProp none;
  EXPECT_EQ(cudaGetDeviceProperties(&none, 3), cudaErrorInvalidDevice);
  int found = -1;
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&found, "0000:03:00.0"), cudaErrorInvalidDevice);
  std::size_t free_bytes = 0, all_bytes = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &all_bytes), cudaSuccess);
  EXPECT_EQ(total, 3 * all_bytes);
}

TEST_F(several_devices, own_what_is_allocated_while_they_are_selected) {
  int* const memory = numbers_on(1, {1, 2, 3});
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, memory + 1), cudaSuccess);
  EXPECT_EQ(attributes.device, 1);
  const auto used = [](int device) {
    std::size_t free_bytes = 0, total = 0;
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    EXPECT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
    return total - free_bytes;
  };
  EXPECT_EQ(used(0), 0u);
  EXPECT_GT(used(1), 0u);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);  // from any device
  EXPECT_EQ(used(1), 0u);
}

TEST_F(several_devices, keep_their_memory_when_another_one_is_reset) {
  int* const kept = numbers_on(1, {41});
  numbers_on(2, {42});
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(2), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  int value = 0;
  EXPECT_EQ(cudaMemcpy(&value, kept, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 41);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemcpy(&value, kept, sizeof value, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
}

TEST_F(several_devices, have_their_own_streams) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  int device = -1;
  ASSERT_EQ(cudaStreamGetDevice(stream, &device), cudaSuccess);
  EXPECT_EQ(device, 1);
  int* const memory = numbers_on(1, {10});
  launch_on(stream, 1, 1, add_to_all, memory, 5);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  launch_on(stream, 1, 1, add_to_all, memory, 100);  // not a stream of this device
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  int value = 0;
  // Copies may use the stream of another device.
  ASSERT_EQ(cudaMemcpyAsync(&value, memory, sizeof value, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(value, 15);
}

TEST_F(several_devices, do_not_wait_for_each_other) {
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  gate closed;
  closed.hold(stream);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  int* const memory = numbers_on(0, {7});
  launch_on(nullptr, 1, 1, add_to_all, memory, 1);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // would hang if it waited for device 1
  int value = 0;
  ASSERT_EQ(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 8);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  cudaGetLastError();
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

TEST_F(several_devices, are_ordered_by_events) {
  int* const memory = numbers_on(1, {1});
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t event = nullptr, other = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&other), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, second), cudaErrorInvalidResourceHandle);
  gate closed;
  closed.hold(first);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  launch_on(first, 1, 1, add_to_all, memory, 10);
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, event), cudaSuccess);
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(pinned, memory, sizeof(int), cudaMemcpyDeviceToHost, second),
            cudaSuccess);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(*pinned, 11);
  ASSERT_EQ(cudaEventRecord(other, second), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(other), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, other), cudaErrorInvalidResourceHandle);
}

TEST_F(several_devices, copy_to_each_other_after_the_work_of_both) {
  int* const from = numbers_on(1, {1, 2});
  int* const to = numbers_on(2, {0, 0});
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  gate closed;
  closed.hold(stream);
  launch_on(stream, 1, 2, add_to_all, from, 30);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  std::thread opener([&] {
    closed.wait_for_stream();
    closed.open();
  });
  ASSERT_EQ(cudaMemcpyPeer(to, 2, from, 1, 2 * sizeof(int)), cudaSuccess);
  opener.join();
  int values[2] = {};
  ASSERT_EQ(cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(values[0], 31);
  EXPECT_EQ(values[1], 32);
  EXPECT_EQ(cudaMemcpyPeer(to, 3, from, 1, 4), cudaErrorInvalidDevice);
  cudaMemcpy3DPeerParms box{};
  box.srcDevice = 2;
  box.srcPtr = make_cudaPitchedPtr(to, 8, 8, 1);
  box.dstDevice = 1;
  box.dstPtr = make_cudaPitchedPtr(from, 8, 8, 1);
  box.extent = make_cudaExtent(4, 1, 1);
  ASSERT_EQ(cudaMemset(from, 0, 8), cudaSuccess);
  ASSERT_EQ(cudaMemcpy3DPeer(&box), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(values, from, sizeof values, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(values[0], 31);
  EXPECT_EQ(values[1], 0);
}

TEST_F(several_devices, keep_track_of_peer_access) {
  int can_access = -1;
  ASSERT_EQ(cudaDeviceCanAccessPeer(&can_access, 0, 1), cudaSuccess);
  EXPECT_EQ(can_access, 1);
  ASSERT_EQ(cudaDeviceCanAccessPeer(&can_access, 1, 1), cudaSuccess);
  EXPECT_EQ(can_access, 0);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can_access, 0, 3), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(2, 1), cudaErrorInvalidValue);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);  // it has one direction
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
}

TEST_F(several_devices, give_others_access_to_their_pools) {
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 1), cudaSuccess);
  const auto access_from = [&](int device) {
    cudaMemLocation from{cudaMemLocationTypeDevice, device};
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtRead;
    EXPECT_EQ(cudaMemPoolGetAccess(&flags, pool, &from), cudaSuccess);
    return flags;
  };
  const auto set = [&](int device, cudaMemAccessFlags flags) {
    const cudaMemAccessDesc description{{cudaMemLocationTypeDevice, device}, flags};
    return cudaMemPoolSetAccess(pool, &description, 1);
  };
  EXPECT_EQ(access_from(1), cudaMemAccessFlagsProtReadWrite);
  EXPECT_EQ(access_from(0), cudaMemAccessFlagsProtNone);
  EXPECT_EQ(set(0, cudaMemAccessFlagsProtReadWrite), cudaSuccess);
  EXPECT_EQ(access_from(0), cudaMemAccessFlagsProtReadWrite);
  EXPECT_EQ(access_from(2), cudaMemAccessFlagsProtNone);
  EXPECT_EQ(set(0, cudaMemAccessFlagsProtNone), cudaSuccess);
  EXPECT_EQ(access_from(0), cudaMemAccessFlagsProtNone);
  EXPECT_EQ(set(1, cudaMemAccessFlagsProtNone), cudaErrorInvalidValue);  // its own device
  EXPECT_EQ(set(0, cudaMemAccessFlagsProtRead), cudaErrorInvalidValue);
  EXPECT_EQ(set(3, cudaMemAccessFlagsProtReadWrite), cudaErrorInvalidDevice);
}

TEST_F(several_devices, have_a_pool_each) {
  cudaMemPool_t first = nullptr, second = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&first, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&second, 1), cudaSuccess);
  EXPECT_NE(first, second);
  EXPECT_EQ(cudaDeviceSetMemPool(0, second), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&first, 3), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  int* memory = nullptr;  // the stream's device counts
  ASSERT_EQ(cudaMallocAsync(&memory, 64, stream), cudaSuccess);
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, memory), cudaSuccess);
  EXPECT_EQ(attributes.device, 1);
}

}  // namespace
