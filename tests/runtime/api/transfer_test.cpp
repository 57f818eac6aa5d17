// Copies and fills: their results against the C library's, and their errors.
#include <cstring>
#include <random>
#include <vector>

#include "kernels.hpp"
#include "support/seed.hpp"

namespace {

class transfer : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cudaMalloc(&device_, bytes), cudaSuccess);
    for (std::size_t index = 0; index < bytes; ++index) host_[index] = static_cast<char>(index);
  }

  static constexpr std::size_t bytes = 1000;
  char* device_ = nullptr;
  std::vector<char> host_ = std::vector<char>(bytes);
  std::vector<char> back_ = std::vector<char>(bytes);
};

TEST_F(transfer, copies_to_the_device_and_back) {
  ASSERT_EQ(cudaMemcpy(device_, host_.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(back_.data(), device_, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back_, host_);
}

TEST_F(transfer, finds_the_direction_itself) {
  ASSERT_EQ(cudaMemcpy(device_, host_.data(), bytes, cudaMemcpyDefault), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(back_.data(), device_, bytes, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(back_, host_);
}

TEST_F(transfer, refuses_a_host_pointer_in_place_of_a_device_pointer) {
  EXPECT_EQ(cudaMemcpy(back_.data(), host_.data(), bytes, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(back_.data(), host_.data(), bytes, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_, host_.data(), bytes, cudaMemcpyDeviceToDevice),
            cudaErrorInvalidValue);
  // The arguments of a copy to the host the wrong way round.
  EXPECT_EQ(cudaMemcpy(device_, host_.data(), bytes, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host_.data(), 0, bytes), cudaErrorInvalidValue);
}

TEST_F(transfer, refuses_sizes_beyond_the_allocation) {
  EXPECT_EQ(cudaMemcpy(device_, host_.data(), bytes + 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_ + 1, host_.data(), bytes, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(device_ + 1, 0, bytes), cudaErrorInvalidValue);
}

TEST_F(transfer, refuses_freed_memory) {
  ASSERT_EQ(cudaFree(device_), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device_, host_.data(), bytes, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

TEST_F(transfer, refuses_an_invalid_direction) {
  EXPECT_EQ(cudaMemcpy(device_, host_.data(), 1, static_cast<cudaMemcpyKind>(6)),
            cudaErrorInvalidMemcpyDirection);
}

TEST_F(transfer, accepts_zero_bytes_and_refuses_null) {
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device_, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, host_.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
}

TEST_F(transfer, copies_rows_like_a_loop_over_rows) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937 random(seed);
  for (int round = 0; round < 50; ++round) {
    const std::size_t width = 1 + random() % 40;
    const std::size_t height = 1 + random() % 10;
    const std::size_t device_pitch = width + random() % 20;
    const std::size_t host_pitch = width + random() % 20;
    ASSERT_EQ(cudaMemset(device_, 0x5a, bytes), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2D(device_, device_pitch, host_.data(), host_pitch, width, height,
                           cudaMemcpyHostToDevice),
              cudaSuccess);
    std::vector<char> expected(bytes, 0x5a);
    for (std::size_t row = 0; row < height; ++row) {
      std::memcpy(expected.data() + row * device_pitch, host_.data() + row * host_pitch, width);
    }
    ASSERT_EQ(cudaMemcpy(back_.data(), device_, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    ASSERT_EQ(back_, expected) << width << " x " << height;
  }
}

TEST_F(transfer, refuses_rows_wider_than_their_pitch) {
  EXPECT_EQ(cudaMemcpy2D(device_, 9, host_.data(), 20, 10, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset2D(device_, 9, 0, 10, 2), cudaErrorInvalidPitchValue);
}

TEST_F(transfer, copies_a_box_like_a_loop) {
  cudaPitchedPtr box;
  ASSERT_EQ(cudaMalloc3D(&box, make_cudaExtent(16, 4, 3)), cudaSuccess);
  ASSERT_EQ(cudaMemset3D(box, 0x11, make_cudaExtent(16, 4, 3)), cudaSuccess);
  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(host_.data(), 10, 10, 5);
  in.srcPos = make_cudaPos(1, 2, 0);
  in.dstPtr = box;
  in.dstPos = make_cudaPos(3, 1, 1);
  in.extent = make_cudaExtent(7, 2, 2);
  in.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  cudaMemcpy3DParms out = {};
  out.srcPtr = box;
  out.dstPtr = make_cudaPitchedPtr(back_.data(), 16, 16, 4);
  out.extent = make_cudaExtent(16, 4, 3);
  out.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  for (std::size_t z = 0; z < 3; ++z) {
    for (std::size_t y = 0; y < 4; ++y) {
      for (std::size_t x = 0; x < 16; ++x) {
        const bool is_inside = x >= 3 && x < 10 && y >= 1 && y < 3 && z >= 1 && z < 3;
        const std::size_t from = (z - 1) * 50 + (y - 1 + 2) * 10 + (x - 3 + 1);
        EXPECT_EQ(back_[z * 64 + y * 16 + x], is_inside ? host_[from] : 0x11)
            << x << ' ' << y << ' ' << z;
      }
    }
  }
}

TEST_F(transfer, has_read_pageable_memory_when_it_returns) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  gate closed;
  closed.hold(stream);
  const std::vector<char> original = host_;
  ASSERT_EQ(cudaMemcpyAsync(device_, host_.data(), bytes, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  std::fill(host_.begin(), host_.end(), 0);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(back_.data(), device_, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back_, original);
}

TEST_F(transfer, reads_pinned_memory_in_stream_order) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  char* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, bytes), cudaSuccess);
  std::memset(pinned, 1, bytes);
  gate closed;
  closed.hold(stream);
  ASSERT_EQ(cudaMemcpyAsync(device_, pinned, bytes, cudaMemcpyHostToDevice, stream), cudaSuccess);
  std::memset(pinned, 2, bytes);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(back_.data(), device_, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back_, std::vector<char>(bytes, 2));
}

TEST_F(transfer, completes_writes_to_pageable_memory_before_it_returns) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(device_, 7, bytes, stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(back_.data(), device_, bytes, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  EXPECT_EQ(back_, std::vector<char>(bytes, 7));
}

}  // namespace
