// Texture objects: which descriptors are refused, and what a fetch returns.
#include <cstdint>
#include <vector>

#include "kernels.hpp"

namespace {

template <typename T>
void fetch(T* results, cudaTextureObject_t texture) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    results[threadIdx.x] = tex1Dfetch<T>(texture, static_cast<int>(threadIdx.x));
  });
}

class textures : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cudaMallocManaged(&memory_, 64), cudaSuccess);
    for (unsigned i = 0; i < 64; ++i) memory_[i] = static_cast<unsigned char>(0x81 + 5 * i);
  }

  cudaError_t create(cudaChannelFormatDesc format, cudaTextureDesc description = {}) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory_;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = 64;
    return cudaCreateTextureObject(&texture_, &resource, &description, nullptr);
  }

  template <typename T>
  std::vector<T> fetched(unsigned count) {
    T* results = nullptr;
    EXPECT_EQ(cudaMallocManaged(&results, count * sizeof(T)), cudaSuccess);
    launch_on(nullptr, 1, count, fetch<T>, results, texture_);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return std::vector<T>(results, results + count);
  }

  unsigned char* memory_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

TEST_F(textures, normalize_only_small_integers) {
  cudaTextureDesc normalized = {};
  normalized.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(create(cudaCreateChannelDesc<uchar4>(), normalized), cudaSuccess);
  EXPECT_EQ(create(cudaCreateChannelDesc<short2>(), normalized), cudaSuccess);
  EXPECT_EQ(create(cudaCreateChannelDesc<int>(), normalized), cudaErrorInvalidNormSetting);
  EXPECT_EQ(create(cudaCreateChannelDesc<float>(), normalized), cudaErrorInvalidNormSetting);
  EXPECT_EQ(create(cudaCreateChannelDescHalf2(), normalized), cudaErrorInvalidNormSetting);
  normalized.sRGB = 1;
  EXPECT_EQ(create(cudaCreateChannelDesc<uchar4>(), normalized), cudaErrorNotSupported);
}

TEST_F(textures, filter_only_what_is_read_as_float) {
  cudaTextureDesc filtered = {};
  filtered.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(create(cudaCreateChannelDesc<float>(), filtered), cudaSuccess);
  EXPECT_EQ(create(cudaCreateChannelDesc<int>(), filtered), cudaErrorInvalidFilterSetting);
  filtered.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(create(cudaCreateChannelDesc<short>(), filtered), cudaSuccess);
  filtered.filterMode = static_cast<cudaTextureFilterMode>(5);
  EXPECT_EQ(create(cudaCreateChannelDesc<short>(), filtered), cudaErrorInvalidValue);
  filtered.filterMode = cudaFilterModePoint;
  filtered.addressMode[0] = static_cast<cudaTextureAddressMode>(9);
  EXPECT_EQ(create(cudaCreateChannelDesc<short>(), filtered), cudaErrorInvalidValue);
}

// The expected bits are those of an H200.
TEST_F(textures, return_zero_for_missing_channels) {
  ASSERT_EQ(create(cudaCreateChannelDesc<uchar2>()), cudaSuccess);
  const uint4 wide = fetched<uint4>(2)[1];
  EXPECT_EQ(wide.x, 0x8bu);
  EXPECT_EQ(wide.y, 0x90u);
  EXPECT_EQ(wide.z, 0u);
  EXPECT_EQ(wide.w, 0u);
}

TEST_F(textures, reinterpret_bits_for_other_types) {
  ASSERT_EQ(create(cudaCreateChannelDesc<signed char>()), cudaSuccess);
  EXPECT_EQ(static_cast<unsigned>(fetched<int>(2)[1]), 0xffffff86u);
  ASSERT_EQ(create(cudaCreateChannelDesc<int2>()), cudaSuccess);
  const char4 narrow = fetched<char4>(2)[1];
  EXPECT_EQ(static_cast<unsigned char>(narrow.x), 0xa9);
  EXPECT_EQ(static_cast<unsigned char>(narrow.y), 0xbd);
  EXPECT_EQ(narrow.z, 0);
}

TEST_F(textures, widen_halves_to_floats) {
  ASSERT_EQ(create(cudaCreateChannelDescHalf2()), cudaSuccess);
  const float2 value = fetched<float2>(2)[1];
  std::uint32_t bits[2];
  std::memcpy(bits, &value, sizeof bits);
  EXPECT_EQ(bits[0], 0xbb52a000u);
  EXPECT_EQ(bits[1], 0xbc93e000u);
}

TEST_F(textures, can_be_destroyed_while_a_kernel_that_reads_them_is_pending) {
  ASSERT_EQ(create(cudaCreateChannelDesc<int>()), cudaSuccess);
  int* results = nullptr;
  ASSERT_EQ(cudaMallocManaged(&results, sizeof(int)), cudaSuccess);
  *results = 0;
  gate closed;
  closed.hold(nullptr);
  launch_on(nullptr, 1, 1, fetch<int>, results, texture_);
  ASSERT_EQ(cudaDestroyTextureObject(texture_), cudaSuccess);
  ASSERT_EQ(create(cudaCreateChannelDesc<float>()), cudaSuccess);
  closed.open();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(static_cast<unsigned>(*results), 0x908b8681u);
}

TEST_F(textures, are_removed_by_a_device_reset) {
  ASSERT_EQ(create(cudaCreateChannelDesc<int>()), cudaSuccess);
  cudaResourceDesc resource;
  ASSERT_EQ(cudaGetTextureObjectResourceDesc(&resource, texture_), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(&resource, texture_), cudaErrorInvalidValue);
}

}  // namespace
