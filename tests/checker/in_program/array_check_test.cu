// Accesses through textures and surfaces, and copies to arrays, are checked like any others.
#include <gtest/gtest.h>
#include <heddle_check/check.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using heddle::host::check;
using heddle::host::expect_defect;
using heddle::host::findings;

constexpr int side = 8;

// An array of floats with a surface and a texture over it; does not free the array if `leaks`.
class image {
 public:
  explicit image(bool leaks = false) : leaks_(leaks) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, side, side, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    cudaCreateSurfaceObject(&surface, &resource);
  }
  ~image() {
    cudaDestroyTextureObject(texture);
    cudaDestroySurfaceObject(surface);
    if (!leaks_) cudaFreeArray(array);
  }

  void fill(const float* values, cudaStream_t stream) const {
    cudaMemcpy2DToArrayAsync(array, 0, 0, values, 4 * side, 4 * side, side, cudaMemcpyHostToDevice,
                             stream);
  }

  cudaArray_t array = nullptr;
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;

 private:
  bool leaks_;
};

// Reads between the texels, so that each thread needs four of them.
__global__ void smooth(cudaSurfaceObject_t to, cudaTextureObject_t from) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  surf2Dwrite(tex2D<float>(from, x + 1.0f, y + 1.0f), to, 4 * x, y);
}

__global__ void write_one(cudaSurfaceObject_t to) {
  surf2Dwrite(static_cast<float>(blockIdx.x), to, 4, 1);
}

const std::vector<float> ones(side* side, 1.0f);

TEST(array_check, finds_nothing_in_a_correct_program) {
  const findings found = check([] {
    const image from, to;
    from.fill(ones.data(), nullptr);
    smooth<<<1, dim3(side, side)>>>(to.surface, from.texture);
    std::vector<float> results(side * side);
    cudaMemcpy2DFromArray(results.data(), 4 * side, to.array, 0, 0, 4 * side, side,
                          cudaMemcpyDeviceToHost);
    EXPECT_EQ(results, ones);
    return results;
  });
  EXPECT_TRUE(found.empty()) << found;
}

TEST(array_check, finds_two_blocks_that_write_one_element) {
  const findings found = expect_defect("race", [] {
    const image to;
    write_one<<<2, 1>>>(to.surface);
    cudaDeviceSynchronize();
  });
  ASSERT_EQ(found.size(), 1u) << found;
  EXPECT_NE(found[0].places.at(0).source.find("surf2Dwrite("), std::string::npos) << found;
}

TEST(array_check, finds_a_race_of_a_texture_read_and_a_copy) {
  const findings found = expect_defect("race", [] {
    const image from, to;
    float* pinned = nullptr;
    cudaMallocHost(&pinned, 4 * side * side);
    std::fill_n(pinned, side * side, 1.0f);
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    from.fill(ones.data(), first);
    cudaStreamSynchronize(first);
    from.fill(pinned, first);
    smooth<<<1, dim3(side, side), 0, second>>>(to.surface, from.texture);
    cudaDeviceSynchronize();
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFreeHost(pinned);
  });
  ASSERT_FALSE(found.empty());
}

TEST(array_check, finds_reads_of_unwritten_texels) {
  const findings found = check([] {
    const image from, to;
    smooth<<<1, dim3(side, side)>>>(to.surface, from.texture);
    std::vector<float> results(side * side);
    cudaMemcpy2DFromArray(results.data(), 4 * side, to.array, 0, 0, 4 * side, side,
                          cudaMemcpyDeviceToHost);
    return results[0];
  });
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, "uninitialized") << found;
}

TEST(array_check, finds_a_texture_that_outlives_its_array) {
  expect_defect("use-after-free", [] {
    const image from(true), to;
    from.fill(ones.data(), nullptr);
    cudaFreeArray(from.array);
    smooth<<<1, dim3(side, side)>>>(to.surface, from.texture);
    cudaDeviceSynchronize();
  });
}

TEST(array_check, finds_arrays_that_are_never_freed) {
  expect_defect("leak", [] { const image leaked(true); });
}

__global__ void write_below(cudaSurfaceObject_t to) { surf2Dwrite(1.0f, to, 0, side); }

TEST(array_check, finds_writes_outside_of_a_surface) {
  const findings found = expect_defect("out-of-bounds", [] {
    const image to;
    write_below<<<1, 1>>>(to.surface);
    cudaDeviceSynchronize();
  });
  EXPECT_NE(found[0].places.at(0).source.find("surf2Dwrite("), std::string::npos) << found;
}

}  // namespace
