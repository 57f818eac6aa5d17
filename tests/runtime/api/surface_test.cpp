// Surface objects: every shape, every boundary mode, and their errors.
#include <vector>

#include "kernels.hpp"

namespace {

template <typename Body>
void run_body(Body body) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void { body(); });
}

class surfaces : public device_test {
 protected:
  template <typename T>
  cudaSurfaceObject_t surface_of(cudaExtent extent, unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    EXPECT_EQ(cudaMalloc3DArray(&array_, &format, extent, flags | cudaArraySurfaceLoadStore),
              cudaSuccess);
    extent_ = {extent.width, std::max<std::size_t>(extent.height, 1),
               std::max<std::size_t>(extent.depth, 1)};
    std::vector<T> zeros(extent_.width * extent_.height * extent_.depth);
    move(zeros, true);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaSurfaceObject_t surface = 0;
    EXPECT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
    return surface;
  }

  template <typename T>
  void move(std::vector<T>& elements, bool to_array) {
    const auto host = make_cudaPitchedPtr(elements.data(), extent_.width * sizeof(T), extent_.width,
                                          extent_.height);
    cudaMemcpy3DParms copy{};
    copy.extent = extent_;
    if (to_array) {
      copy.srcPtr = host;
      copy.dstArray = array_;
      copy.kind = cudaMemcpyHostToDevice;
    } else {
      copy.srcArray = array_;
      copy.dstPtr = host;
      copy.kind = cudaMemcpyDeviceToHost;
    }
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  }

  template <typename T>
  std::vector<T> content() {
    std::vector<T> elements(extent_.width * extent_.height * extent_.depth);
    move(elements, false);
    return elements;
  }

  template <typename Body>
  cudaError_t run(Body body) {
    launch_on(nullptr, 1, 1, run_body<Body>, body);
    return cudaDeviceSynchronize();
  }

  cudaArray_t array_ = nullptr;
  cudaExtent extent_ = {};
};

// Writes and reads back one element of each shape, and looks for it in the array.
TEST_F(surfaces, count_x_in_bytes_in_every_shape) {
  int* read = nullptr;
  ASSERT_EQ(cudaMallocManaged(&read, sizeof(int)), cudaSuccess);
  const auto expect_at = [&](std::size_t index, int value) {
    std::vector<int> expected(extent_.width * extent_.height * extent_.depth);
    expected[index] = value;
    EXPECT_EQ(content<int>(), expected);
    EXPECT_EQ(*read, value);
    *read = 0;
  };
  const auto line = surface_of<int>({5, 0, 0});
  ASSERT_EQ(run([=] {
              surf1Dwrite(71, line, 3 * 4);
              *read = surf1Dread<int>(line, 3 * 4);
            }),
            cudaSuccess);
  expect_at(3, 71);
  const auto plane = surface_of<int>({5, 3, 0});
  ASSERT_EQ(run([=] {
              surf2Dwrite(72, plane, 3 * 4, 2);
              surf2Dread(read, plane, 3 * 4, 2);
            }),
            cudaSuccess);
  expect_at(2 * 5 + 3, 72);
  const auto volume = surface_of<int>({5, 3, 4});
  ASSERT_EQ(run([=] {
              surf3Dwrite(73, volume, 1 * 4, 2, 3);
              *read = surf3Dread<int>(volume, 1 * 4, 2, 3);
            }),
            cudaSuccess);
  expect_at((3 * 3 + 2) * 5 + 1, 73);
  const auto lines = surface_of<int>({5, 0, 4}, cudaArrayLayered);
  ASSERT_EQ(run([=] {
              surf1DLayeredwrite(74, lines, 2 * 4, 3);
              *read = surf1DLayeredread<int>(lines, 2 * 4, 3);
            }),
            cudaSuccess);
  expect_at(3 * 5 + 2, 74);
  const auto planes = surface_of<int>({5, 3, 4}, cudaArrayLayered);
  ASSERT_EQ(run([=] {
              surf2DLayeredwrite(75, planes, 2 * 4, 1, 3);
              *read = surf2DLayeredread<int>(planes, 2 * 4, 1, 3);
            }),
            cudaSuccess);
  expect_at((3 * 3 + 1) * 5 + 2, 75);
  const auto cube = surface_of<int>({3, 3, 6}, cudaArrayCubemap);
  ASSERT_EQ(run([=] {
              surfCubemapwrite(76, cube, 2 * 4, 1, 4);
              *read = surfCubemapread<int>(cube, 2 * 4, 1, 4);
            }),
            cudaSuccess);
  expect_at((4 * 3 + 1) * 3 + 2, 76);
  const auto cubes = surface_of<int>({3, 3, 12}, cudaArrayCubemap | cudaArrayLayered);
  ASSERT_EQ(run([=] {
              surfCubemapLayeredwrite(77, cubes, 2 * 4, 1, 10);
              *read = surfCubemapLayeredread<int>(cubes, 2 * 4, 1, 10);
            }),
            cudaSuccess);
  expect_at((10 * 3 + 1) * 3 + 2, 77);
}

TEST_F(surfaces, take_vectors_whatever_the_format) {
  const auto surface = surface_of<uchar4>({4, 2, 0});
  ASSERT_EQ(run([=] { surf2Dwrite(make_uint2(0x04030201, 0x08070605), surface, 8, 1); }),
            cudaSuccess);
  const auto elements = content<uchar4>();
  EXPECT_EQ(elements[6].x, 1);
  EXPECT_EQ(elements[6].w, 4);
  EXPECT_EQ(elements[7].x, 5);
  EXPECT_EQ(elements[7].w, 8);
}

TEST_F(surfaces, read_zero_and_write_nothing_outside_in_mode_zero) {
  int* read = nullptr;
  ASSERT_EQ(cudaMallocManaged(&read, 3 * sizeof(int)), cudaSuccess);
  read[0] = read[1] = read[2] = 5;
  const auto surface = surface_of<int>({2, 2, 0});
  ASSERT_EQ(run([=] {
              surf2Dwrite(9, surface, -4, 0, cudaBoundaryModeZero);
              surf2Dwrite(9, surface, 8, 1, cudaBoundaryModeZero);
              surf2Dwrite(9, surface, 0, 2, cudaBoundaryModeZero);
              surf2Dwrite(7, surface, 4, 1, cudaBoundaryModeZero);
              read[0] = surf2Dread<int>(surface, 4, 2, cudaBoundaryModeZero);
              read[1] = surf2Dread<int>(surface, 4, -1, cudaBoundaryModeZero);
              read[2] = surf2Dread<int>(surface, 4, 1, cudaBoundaryModeZero);
            }),
            cudaSuccess);
  EXPECT_EQ(content<int>(), (std::vector<int>{0, 0, 0, 7}));
  EXPECT_EQ(read[0], 0);
  EXPECT_EQ(read[1], 0);
  EXPECT_EQ(read[2], 7);
}

TEST_F(surfaces, use_the_nearest_element_outside_in_mode_clamp) {
  const auto surface = surface_of<int>({3, 2, 0});
  ASSERT_EQ(run([=] {
              surf2Dwrite(1, surface, -400, -9, cudaBoundaryModeClamp);
              surf2Dwrite(2, surface, 400, 0, cudaBoundaryModeClamp);
              surf2Dwrite(3, surface, 4, 100, cudaBoundaryModeClamp);
            }),
            cudaSuccess);
  EXPECT_EQ(content<int>(), (std::vector<int>{1, 0, 2, 0, 3, 0}));
}

TEST_F(surfaces, end_the_kernel_outside_in_mode_trap) {
  const auto surface = surface_of<int>({2, 2, 0});
  EXPECT_EQ(run([=] { surf2Dwrite(1, surface, 8, 0); }), cudaErrorIllegalAddress);
}

TEST_F(surfaces, end_the_kernel_at_a_misaligned_x) {
  const auto surface = surface_of<int>({2, 2, 0});
  EXPECT_EQ(run([=] { surf2Dwrite(1, surface, 2, 0); }), cudaErrorMisalignedAddress);
}

TEST_F(surfaces, need_an_array) {
  cudaResourceDesc resource{};
  cudaSurfaceObject_t surface = 0;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, nullptr), cudaErrorInvalidValue);
  resource.resType = cudaResourceTypeLinear;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  surface = surface_of<int>({4, 0, 0});
  cudaResourceDesc described{};
  ASSERT_EQ(cudaGetSurfaceObjectResourceDesc(&described, surface), cudaSuccess);
  EXPECT_EQ(described.res.array.array, array_);
  ASSERT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  EXPECT_EQ(cudaGetSurfaceObjectResourceDesc(&described, surface), cudaErrorInvalidValue);
}

}  // namespace
