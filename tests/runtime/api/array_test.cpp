// Arrays: their shapes and errors, and copies against plain loops over bytes.
#include <cstring>
#include <random>
#include <vector>

#include "kernels.hpp"
#include "support/seed.hpp"

namespace {

class arrays : public device_test {
 protected:
  static std::vector<char> numbered(std::size_t bytes) {
    std::vector<char> values(bytes);
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<char>(i * 7 + 1);
    return values;
  }

  const cudaChannelFormatDesc short2_format = cudaCreateChannelDesc<short2>();
  const cudaChannelFormatDesc float_format = cudaCreateChannelDesc<float>();
  cudaArray_t array_ = nullptr;
};

TEST_F(arrays, are_described_as_they_were_created) {
  ASSERT_EQ(cudaMalloc3DArray(&array_, &short2_format, make_cudaExtent(8, 0, 5), cudaArrayLayered),
            cudaSuccess);
  cudaChannelFormatDesc format;
  cudaExtent extent;
  unsigned flags = 77;
  ASSERT_EQ(cudaArrayGetInfo(&format, &extent, &flags, array_), cudaSuccess);
  EXPECT_EQ(format.x, 16);
  EXPECT_EQ(format.y, 16);
  EXPECT_EQ(format.z, 0);
  EXPECT_EQ(format.f, cudaChannelFormatKindSigned);
  EXPECT_EQ(extent.width, 8u);
  EXPECT_EQ(extent.height, 0u);
  EXPECT_EQ(extent.depth, 5u);
  EXPECT_EQ(flags, unsigned{cudaArrayLayered});
  cudaChannelFormatDesc again;
  ASSERT_EQ(cudaGetChannelDesc(&again, array_), cudaSuccess);
  EXPECT_EQ(std::memcmp(&again, &format, sizeof format), 0);
  EXPECT_EQ(cudaArrayGetInfo(nullptr, nullptr, nullptr, array_), cudaSuccess);
}

TEST_F(arrays, refuse_shapes_that_cuda_does_not_have) {
  const auto create = [&](cudaExtent extent, unsigned flags) {
    const cudaError_t error = cudaMalloc3DArray(&array_, &float_format, extent, flags);
    if (error == cudaSuccess) {
      EXPECT_EQ(cudaFreeArray(array_), cudaSuccess);
    }
    return error;
  };
  constexpr unsigned layered_cube = cudaArrayLayered | cudaArrayCubemap;
  EXPECT_EQ(create({4, 0, 0}, 0), cudaSuccess);
  EXPECT_EQ(create({4, 4, 0}, 0), cudaSuccess);
  EXPECT_EQ(create({4, 4, 4}, 0), cudaSuccess);
  EXPECT_EQ(create({4, 4, 6}, cudaArrayCubemap), cudaSuccess);
  EXPECT_EQ(create({4, 4, 12}, layered_cube), cudaSuccess);
  EXPECT_EQ(create({4, 4, 0}, cudaArrayTextureGather), cudaSuccess);
  EXPECT_EQ(create({0, 4, 0}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(create({4, 0, 4}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(create({4, 4, 0}, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(create({4, 5, 6}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(create({4, 4, 7}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(create({4, 4, 8}, layered_cube), cudaErrorInvalidValue);
  EXPECT_EQ(create({4, 4, 4}, cudaArrayTextureGather), cudaErrorInvalidValue);
  EXPECT_EQ(create({4, 4, 0}, 0x1000), cudaErrorInvalidValue);
  EXPECT_EQ(create({131073, 0, 0}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(create({4, 4, 2049}, cudaArrayLayered), cudaErrorInvalidValue);
  const cudaChannelFormatDesc three =
      cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindSigned);
  EXPECT_EQ(cudaMallocArray(&array_, &three, 4), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(cudaMallocArray(nullptr, &float_format, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&array_, nullptr, 4), cudaErrorInvalidValue);
}

TEST_F(arrays, use_device_memory_until_they_are_freed) {
  std::size_t before = 0, during = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  ASSERT_EQ(cudaMallocArray(&array_, &float_format, 1024, 1024), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  EXPECT_EQ(before - during, 4u << 20);
  ASSERT_EQ(cudaFreeArray(array_), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(after, before);
  EXPECT_EQ(cudaFreeArray(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array_), cudaErrorInvalidResourceHandle);
}

TEST_F(arrays, are_removed_by_a_device_reset) {
  ASSERT_EQ(cudaMallocArray(&array_, &float_format, 4), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaArrayGetInfo(nullptr, nullptr, nullptr, array_), cudaErrorInvalidResourceHandle);
}

// Rectangles at random places, to an array, between arrays, and back.
TEST_F(arrays, copy_rectangles_like_a_loop_over_bytes) {
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937 random(static_cast<unsigned>(heddle_test::seed()));
  const auto up_to = [&](std::size_t limit) { return random() % (limit + 1); };
  for (int round = 0; round < 60; ++round) {
    const std::size_t columns = 1 + up_to(15), rows = 1 + up_to(8), row_bytes = 4 * columns;
    cudaArray_t first = nullptr, second = nullptr;
    ASSERT_EQ(cudaMallocArray(&first, &short2_format, columns, rows), cudaSuccess);
    ASSERT_EQ(cudaMallocArray(&second, &short2_format, columns, rows), cudaSuccess);
    std::vector<char> model = numbered(row_bytes * rows);
    ASSERT_EQ(cudaMemcpy2DToArray(first, 0, 0, model.data(), row_bytes, row_bytes, rows,
                                  cudaMemcpyHostToDevice),
              cudaSuccess);
    const std::size_t x = 4 * up_to(columns - 1), y = up_to(rows - 1);
    const std::size_t width = 4 * (1 + up_to((row_bytes - x) / 4 - 1));
    const std::size_t height = 1 + up_to(rows - y - 1), pitch = width + up_to(9);
    const std::vector<char> patch = numbered(pitch * height + 3);
    const bool is_async = random() % 2 != 0;
    ASSERT_EQ(is_async ? cudaMemcpy2DToArrayAsync(first, x, y, patch.data() + 3, pitch, width,
                                                  height, cudaMemcpyHostToDevice, nullptr)
                       : cudaMemcpy2DToArray(first, x, y, patch.data() + 3, pitch, width, height,
                                             cudaMemcpyDefault),
              cudaSuccess);
    for (std::size_t row = 0; row < height; ++row) {
      for (std::size_t byte = 0; byte < width; ++byte) {
        model[(y + row) * row_bytes + x + byte] = patch[3 + row * pitch + byte];
      }
    }
    ASSERT_EQ(cudaMemcpy2DArrayToArray(second, 0, 0, first, x, y, width, height), cudaSuccess);
    std::vector<char> whole(row_bytes * rows, 'p'), part(pitch * height, 'p');
    ASSERT_EQ(cudaMemcpy2DFromArray(whole.data(), row_bytes, first, 0, 0, row_bytes, rows,
                                    cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(whole, model);
    ASSERT_EQ(cudaMemcpy2DFromArrayAsync(part.data(), pitch, second, 0, 0, width, height,
                                         cudaMemcpyDeviceToHost),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (std::size_t row = 0; row < height; ++row) {
      for (std::size_t byte = 0; byte < pitch; ++byte) {
        const char expected = byte < width ? model[(y + row) * row_bytes + x + byte] : 'p';
        ASSERT_EQ(part[row * pitch + byte], expected);
      }
    }
    ASSERT_EQ(cudaFreeArray(first), cudaSuccess);
    ASSERT_EQ(cudaFreeArray(second), cudaSuccess);
  }
}

TEST_F(arrays, copy_runs_of_bytes_across_the_ends_of_rows) {
  cudaArray_t other = nullptr;
  ASSERT_EQ(cudaMallocArray(&array_, &float_format, 5, 4), cudaSuccess);
  ASSERT_EQ(cudaMallocArray(&other, &float_format, 5, 4), cudaSuccess);
  const std::vector<char> values = numbered(80);
  ASSERT_EQ(cudaMemcpyToArray(array_, 0, 0, values.data(), 80, cudaMemcpyHostToDevice),
            cudaSuccess);
  std::vector<char> back(33, 'p');
  ASSERT_EQ(cudaMemcpyFromArray(back.data(), array_, 8, 1, 32, cudaMemcpyDeviceToHost),
            cudaSuccess);
  std::vector<char> expected(values.begin() + 28, values.begin() + 60);
  expected.push_back('p');
  EXPECT_EQ(back, expected);
  ASSERT_EQ(cudaMemcpyArrayToArray(other, 4, 2, array_, 8, 1, 32), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromArray(back.data(), other, 4, 2, 32, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, expected);
  EXPECT_EQ(cudaMemcpyToArray(array_, 0, 1, values.data(), 64, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

// A box of a three-dimensional array: its extent and its position in the array are in elements.
TEST_F(arrays, copy_boxes_like_a_loop_over_elements) {
  constexpr std::size_t x = 3, y = 1, z = 1, width = 4, height = 3, depth = 2;
  constexpr std::size_t columns = 8, rows = 5, slices = 4;
  ASSERT_EQ(cudaMalloc3DArray(&array_, &short2_format, make_cudaExtent(columns, rows, slices)),
            cudaSuccess);
  std::vector<char> model = numbered(4 * columns * rows * slices);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(model.data(), 4 * columns, columns, rows);
  copy.dstArray = array_;
  copy.extent = make_cudaExtent(columns, rows, slices);
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  std::vector<char> box(4 * width * height * depth);
  for (std::size_t i = 0; i < box.size(); ++i) box[i] = static_cast<char>(200 - i);
  copy.srcPtr = make_cudaPitchedPtr(box.data(), 4 * width, width, height);
  copy.dstPos = make_cudaPos(x, y, z);
  copy.extent = make_cudaExtent(width, height, depth);
  ASSERT_EQ(cudaMemcpy3DAsync(&copy), cudaSuccess);
  for (std::size_t i = 0; i < box.size(); ++i) {
    const std::size_t byte = i % (4 * width), row = i / (4 * width) % height;
    const std::size_t slice = i / (4 * width * height);
    model[((z + slice) * rows + y + row) * 4 * columns + 4 * x + byte] = box[i];
  }
  std::vector<char> back(model.size(), 'p');
  cudaMemcpy3DParms out{};
  out.srcArray = array_;
  out.dstPtr = make_cudaPitchedPtr(back.data(), 4 * columns, columns, rows);
  out.extent = make_cudaExtent(columns, rows, slices);
  out.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  EXPECT_EQ(back, model);
}

TEST_F(arrays, refuse_copies_that_do_not_fit) {
  ASSERT_EQ(cudaMallocArray(&array_, &float_format, 8, 4), cudaSuccess);
  std::vector<char> host(256);
  const auto to_array = [&](std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                            cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpy2DToArray(array_, x, y, host.data(), 64, width, height, kind);
  };
  EXPECT_EQ(to_array(0, 0, 32, 4), cudaSuccess);
  EXPECT_EQ(to_array(4, 0, 32, 4), cudaErrorInvalidValue);
  EXPECT_EQ(to_array(0, 1, 32, 4), cudaErrorInvalidValue);
  EXPECT_EQ(to_array(0, 0, 32, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy2DFromArray(host.data(), 64, array_, 0, 0, 32, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy2DToArray(nullptr, 0, 0, host.data(), 64, 32, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidResourceHandle);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(host.data(), 32, 8, 4);
  copy.dstArray = array_;
  copy.extent = make_cudaExtent(8, 4, 1);
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  copy.extent = make_cudaExtent(8, 4, 2);
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
  copy.extent = make_cudaExtent(8, 4, 1);
  copy.dstPtr = copy.srcPtr;
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
}

TEST_F(arrays, are_copied_in_the_order_of_their_stream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaMallocArray(&array_, &float_format, 1), cudaSuccess);
  float* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 2 * sizeof(float)), cudaSuccess);
  pinned[0] = 3.5f;
  pinned[1] = -1;
  gate closed;
  closed.hold(stream);
  ASSERT_EQ(
      cudaMemcpy2DToArrayAsync(array_, 0, 0, &pinned[0], 4, 4, 1, cudaMemcpyHostToDevice, stream),
      cudaSuccess);
  ASSERT_EQ(
      cudaMemcpy2DFromArrayAsync(&pinned[1], 4, array_, 0, 0, 4, 1, cudaMemcpyDeviceToHost, stream),
      cudaSuccess);
  EXPECT_EQ(pinned[1], -1);  // the stream has not reached the copy yet
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(pinned[1], 3.5f);
}

TEST_F(arrays, with_mipmaps_halve_each_level_down_to_one_element) {
  cudaMipmappedArray_t levels = nullptr;
  ASSERT_EQ(cudaMallocMipmappedArray(&levels, &float_format, make_cudaExtent(12, 5, 0), 9),
            cudaSuccess);
  const cudaExtent expected[] = {{12, 5, 0}, {6, 2, 0}, {3, 1, 0}, {1, 1, 0}};
  for (unsigned number = 0; number < 4; ++number) {
    cudaArray_t level = nullptr;
    ASSERT_EQ(cudaGetMipmappedArrayLevel(&level, levels, number), cudaSuccess);
    cudaExtent extent;
    ASSERT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, level), cudaSuccess);
    EXPECT_EQ(extent.width, expected[number].width);
    EXPECT_EQ(extent.height, expected[number].height);
    EXPECT_EQ(extent.depth, 0u);
    EXPECT_EQ(cudaFreeArray(level), cudaErrorInvalidResourceHandle);  // part of the mipmap
  }
  cudaArray_t level = nullptr;
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&level, levels, 4), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGetMipmappedArrayLevel(&level, levels, 0), cudaSuccess);
  ASSERT_EQ(cudaFreeMipmappedArray(levels), cudaSuccess);
  EXPECT_EQ(cudaArrayGetInfo(nullptr, nullptr, nullptr, level), cudaErrorInvalidResourceHandle);
}

}  // namespace
