// Fetches by coordinates against the formulas of the CUDA Programming Guide.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels.hpp"
#include "support/seed.hpp"
#include "texture_reference.hpp"

namespace {

using texture_reference::image;
using texture_reference::settings;

struct query {
  float x, y, z;
  int layer;
};

enum class fetch_kind { line, plane, volume, lines, planes };

float fetch_one(fetch_kind kind, cudaTextureObject_t texture, const query& at) {
  switch (kind) {
    case fetch_kind::line:
      return tex1D<float>(texture, at.x);
    case fetch_kind::plane:
      return tex2D<float>(texture, at.x, at.y);
    case fetch_kind::volume:
      return tex3D<float>(texture, at.x, at.y, at.z);
    case fetch_kind::lines:
      return tex1DLayered<float>(texture, at.x, at.layer);
    default:
      return tex2DLayered<float>(texture, at.x, at.y, at.layer);
  }
}

void fetch_all(float* results, fetch_kind kind, cudaTextureObject_t texture, const query* at) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    results[i] = fetch_one(kind, texture, at[i]);
  });
}

class texture_filters : public device_test {
 protected:
  static constexpr unsigned count = 256;

  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cudaMallocManaged(&queries_, count * sizeof(query)), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&results_, count * sizeof(float)), cudaSuccess);
  }

  double random(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  // Not halfway between two weights: the guide does not say how these are rounded.
  float random_coordinate(double size, bool is_normalized) {
    for (;;) {
      const auto drawn = static_cast<float>(random(-2.5, 3.5) * (is_normalized ? 1.0 : size));
      const double texels = is_normalized ? drawn * size : double{drawn};
      if (std::fmod(texels * 512, 1) != 0) return drawn;
    }
  }

  image random_image(int width, int height, int depth) {
    image made{width, height, depth, {}};
    made.texels.resize(static_cast<std::size_t>(width * height * depth));
    for (double& texel : made.texels) texel = static_cast<float>(random(-8, 8));
    return made;
  }

  // An array of floats with these texels; a dimension that it does not have is 0 in `extent`.
  static cudaArray_t array_of(const image& from, cudaExtent extent, unsigned flags) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    EXPECT_EQ(cudaMalloc3DArray(&array, &format, extent, flags), cudaSuccess);
    std::vector<float> texels(from.texels.begin(), from.texels.end());
    cudaMemcpy3DParms copy{};
    const auto width = static_cast<std::size_t>(from.width);
    const auto height = static_cast<std::size_t>(from.height);
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float), width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, height, static_cast<std::size_t>(from.depth));
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    return array;
  }

  static cudaTextureDesc description_of(const settings& how) {
    cudaTextureDesc description{};
    for (auto& mode : description.addressMode) mode = how.mode;
    description.filterMode = how.is_filtered ? cudaFilterModeLinear : cudaFilterModePoint;
    description.normalizedCoords = how.is_normalized;
    description.borderColor[0] = static_cast<float>(how.border);
    return description;
  }

  // A GPU rounds the weights of several dimensions to 256ths, which the conformance cases compare
  // bit by bit. Here each texel's weight may be off by less than one of them.
  static double tolerance(const image& from, int dimensions, const settings& how) {
    double all = 0;
    for (const double texel : from.texels) all = std::max(all, std::abs(texel));
    return how.is_filtered && dimensions > 1 ? all * (1 << dimensions) / 256 : 2e-6;
  }

  void compare(fetch_kind kind, int dimensions, const image& from, cudaTextureObject_t texture,
               const settings& how) {
    const double sizes[3] = {double(from.width), double(from.height), double(from.depth)};
    for (unsigned i = 0; i < count; ++i) {
      float point[3];
      for (int axis = 0; axis < 3; ++axis) {
        point[axis] = random_coordinate(sizes[axis], how.is_normalized);
      }
      queries_[i] = {point[0], point[1], point[2], static_cast<int>(i) % (from.depth + 2) - 1};
      results_[i] = 1e30f;
    }
    launch_on(nullptr, 4, count / 4, fetch_all, results_, kind, texture, queries_);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (unsigned i = 0; i < count; ++i) {
      const query& at = queries_[i];
      const unsigned last_layer = static_cast<unsigned>(from.depth - 1);
      const unsigned layer =  // a negative layer is clamped to the last one
          dimensions == 3 ? 0 : std::min(static_cast<unsigned>(at.layer), last_layer);
      double expected = texture_reference::fetch(from, dimensions, {at.x, at.y, at.z},
                                                 static_cast<int>(layer), how);
      // A GPU blends a line as the edge of a plane, half of which is border.
      const bool is_edge =
          kind == fetch_kind::line && how.mode == cudaAddressModeBorder && how.is_filtered;
      if (is_edge) expected = (expected + how.border) / 2;
      ASSERT_NEAR(results_[i], expected, tolerance(from, is_edge ? 2 : dimensions, how))
          << "at " << at.x << ", " << at.y << ", " << at.z << ", layer " << at.layer << ", mode "
          << how.mode << ", normalized " << how.is_normalized << ", filtered " << how.is_filtered;
    }
  }

  // Compares an array with the reference under every combination of settings.
  void compare_all(fetch_kind kind, int dimensions, const image& from, cudaExtent extent,
                   unsigned flags) {
    const cudaArray_t array = array_of(from, extent, flags);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    for (const auto mode : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                            cudaAddressModeBorder}) {
      for (const bool is_normalized : {false, true}) {
        for (const bool is_filtered : {false, true}) {
          const settings how{mode, is_normalized, is_filtered, 3.25};
          const cudaTextureDesc description = description_of(how);
          cudaTextureObject_t texture = 0;
          ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
                    cudaSuccess);
          compare(kind, dimensions, from, texture, how);
        }
      }
    }
    ASSERT_EQ(cudaFreeArray(array), cudaSuccess);
  }

  std::mt19937 random_{static_cast<unsigned>(heddle_test::seed())};
  query* queries_ = nullptr;
  float* results_ = nullptr;
};

TEST_F(texture_filters, of_lines_follow_the_guide) {
  SCOPED_TRACE(heddle_test::seed_text());
  for (const int width : {1, 2, 7, 16}) {
    compare_all(fetch_kind::line, 1, random_image(width, 1, 1), {std::size_t(width), 0, 0}, 0);
  }
}

TEST_F(texture_filters, of_planes_follow_the_guide) {
  SCOPED_TRACE(heddle_test::seed_text());
  compare_all(fetch_kind::plane, 2, random_image(5, 3, 1), {5, 3, 0}, 0);
  compare_all(fetch_kind::plane, 2, random_image(8, 1, 1), {8, 1, 0}, 0);
}

TEST_F(texture_filters, of_volumes_follow_the_guide) {
  SCOPED_TRACE(heddle_test::seed_text());
  compare_all(fetch_kind::volume, 3, random_image(5, 3, 4), {5, 3, 4}, 0);
}

TEST_F(texture_filters, never_blend_layers) {
  SCOPED_TRACE(heddle_test::seed_text());
  compare_all(fetch_kind::lines, 1, random_image(6, 1, 3), {6, 0, 3}, cudaArrayLayered);
  compare_all(fetch_kind::planes, 2, random_image(6, 4, 3), {6, 4, 3}, cudaArrayLayered);
}

TEST_F(texture_filters, of_pitched_memory_follow_the_guide) {
  SCOPED_TRACE(heddle_test::seed_text());
  const image from = random_image(9, 4, 1);
  float* memory = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&memory, &pitch, 9 * sizeof(float), 4), cudaSuccess);
  const std::vector<float> texels(from.texels.begin(), from.texels.end());
  ASSERT_EQ(cudaMemcpy2D(memory, pitch, texels.data(), 36, 36, 4, cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory, cudaCreateChannelDesc<float>(), 9, 4, pitch};
  for (const bool is_filtered : {false, true}) {
    const settings how{cudaAddressModeClamp, false, is_filtered, 0};
    const cudaTextureDesc description = description_of(how);
    cudaTextureObject_t texture = 0;
    ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
    compare(fetch_kind::plane, 2, from, texture, how);
  }
  cudaTextureObject_t texture = 0;
  const cudaTextureDesc plain{};
  resource.res.pitch2D.pitchInBytes = pitch + 4;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &plain, nullptr), cudaErrorInvalidValue);
  resource.res.pitch2D.pitchInBytes = 32;  // shorter than a row
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &plain, nullptr), cudaErrorInvalidValue);
}

}  // namespace
