// Textures over arrays: formats, borders, gathers, cubes and mipmaps. Each value shows which texel
// it is.
#include <vector>

#include "kernels.hpp"

namespace {

// What a test fetches, given by a function that runs in a lane.
template <typename T, typename Fetch>
void run_fetch(T* result, Fetch fetch) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void { *result = fetch(); });
}

class array_textures : public device_test {
 protected:
  template <typename T>
  cudaArray_t array_of(const std::vector<T>& elements, cudaExtent extent, unsigned flags = 0,
                       cudaChannelFormatDesc format = cudaCreateChannelDesc<T>()) {
    cudaArray_t array = nullptr;
    EXPECT_EQ(cudaMalloc3DArray(&array, &format, extent, flags), cudaSuccess);
    fill(array, elements, extent);
    return array;
  }

  template <typename T>
  static void fill(cudaArray_t array, std::vector<T> elements, cudaExtent extent) {
    const std::size_t height = std::max<std::size_t>(extent.height, 1);
    cudaMemcpy3DParms copy{};
    copy.srcPtr =
        make_cudaPitchedPtr(elements.data(), extent.width * sizeof(T), extent.width, height);
    copy.dstArray = array;
    copy.extent = {extent.width, height, std::max<std::size_t>(extent.depth, 1)};
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  }

  static cudaTextureObject_t texture_over(cudaArray_t array, const cudaTextureDesc& description) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t texture = 0;
    EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
    return texture;
  }

  template <typename Fetch>
  auto fetched(Fetch fetch) {
    using T = decltype(fetch());
    T* result = nullptr;
    EXPECT_EQ(cudaMallocManaged(&result, sizeof(T)), cudaSuccess);
    std::memset(static_cast<void*>(result), 0xa5, sizeof(T));
    launch_on(nullptr, 1, 1, run_fetch<T, Fetch>, result, fetch);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return *result;
  }
};

TEST_F(array_textures, read_vectors_of_every_channel_type) {
  cudaTextureDesc plain{};
  const auto bytes =
      texture_over(array_of<uchar4>({{1, 2, 3, 4}, {5, 6, 7, 255}}, {2, 0, 0}), plain);
  const uchar4 byte = fetched([=] { return tex1D<uchar4>(bytes, 1.5f); });
  EXPECT_EQ(byte.x, 5);
  EXPECT_EQ(byte.w, 255);
  const auto shorts = texture_over(array_of<short2>({{-1, 2}, {-3, -32768}}, {2, 1, 0}), plain);
  const short2 pair = fetched([=] { return tex2D<short2>(shorts, 1.5f, 0.5f); });
  EXPECT_EQ(pair.x, -3);
  EXPECT_EQ(pair.y, -32768);
  const auto wide = texture_over(array_of<int4>({{1, -2, 3, -4}}, {1, 1, 1}), plain);
  const int4 four = fetched([=] { return tex3D<int4>(wide, 0.5f, 0.5f, 0.5f); });
  EXPECT_EQ(four.y, -2);
  EXPECT_EQ(four.w, -4);
  // 1.5 and -2 as halves
  const auto halves = texture_over(
      array_of<ushort2>({{0x3e00, 0xc000}}, {1, 1, 0}, 0, cudaCreateChannelDescHalf2()), plain);
  const float2 half = fetched([=] { return tex2D<float2>(halves, 0.5f, 0.5f); });
  EXPECT_EQ(half.x, 1.5f);
  EXPECT_EQ(half.y, -2.0f);
}

TEST_F(array_textures, filter_normalized_integers_as_floats) {
  cudaTextureDesc filtered{};
  filtered.filterMode = cudaFilterModeLinear;
  filtered.readMode = cudaReadModeNormalizedFloat;
  const auto texture = texture_over(array_of<uchar2>({{0, 255}, {255, 51}}, {2, 0, 0}), filtered);
  const float2 middle = fetched([=] { return tex1D<float2>(texture, 1.0f); });
  EXPECT_FLOAT_EQ(middle.x, 0.5f);
  EXPECT_FLOAT_EQ(middle.y, 0.6f);  // (1 + 51/255) / 2
  const auto with_sign = texture_over(array_of<short>({-32768, 32767}, {2, 0, 0}), filtered);
  EXPECT_EQ(fetched([=] { return tex1D<float>(with_sign, 1.0f); }), 0.0f);
}

TEST_F(array_textures, return_an_integer_border_bit_for_bit) {
  cudaTextureDesc bordered{};
  for (auto& mode : bordered.addressMode) mode = cudaAddressModeBorder;
  const int colour[4] = {-7, 8, 9, 10};
  std::memcpy(bordered.borderColor, colour, sizeof colour);
  const auto texture = texture_over(array_of<int2>({{1, 2}}, {1, 1, 0}), bordered);
  const int4 outside = fetched([=] { return tex2D<int4>(texture, -1.0f, 0.5f); });
  EXPECT_EQ(outside.x, -7);
  EXPECT_EQ(outside.y, 8);
  EXPECT_EQ(outside.z, 0);  // the texture does not have this channel
  const int2 inside = fetched([=] { return tex2D<int2>(texture, 0.5f, 0.5f); });
  EXPECT_EQ(inside.x, 1);
}

TEST_F(array_textures, gather_four_neighbours_counter_clockwise_from_the_lower_left) {
  // The texel in column i and row j is {10 j + i, 100 + 10 j + i}.
  std::vector<float2> texels;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 4; ++i) texels.push_back({10.0f * j + i, 100 + 10.0f * j + i});
  }
  cudaTextureDesc clamped{};
  for (auto& mode : clamped.addressMode) mode = cudaAddressModeClamp;
  const auto texture =
      texture_over(array_of<float2>(texels, {4, 3, 0}, cudaArrayTextureGather), clamped);
  const float4 first = fetched([=] { return tex2Dgather<float4>(texture, 2.0f, 1.0f); });
  EXPECT_EQ(first.x, 11);
  EXPECT_EQ(first.y, 12);
  EXPECT_EQ(first.z, 2);
  EXPECT_EQ(first.w, 1);
  const float4 second = fetched([=] { return tex2Dgather<float4>(texture, 1.5f, 3.0f, 1); });
  EXPECT_EQ(second.x, 121);  // clamped to the last row
  EXPECT_EQ(second.y, 122);
  EXPECT_EQ(second.z, 122);
  EXPECT_EQ(second.w, 121);
}

// The guide's table of faces: the texel in column i and row j of face f is 100 f + 10 j + i.
TEST_F(array_textures, find_the_face_of_a_cube) {
  std::vector<float> texels;
  for (int cube = 0; cube < 2; ++cube) {
    for (int face = 0; face < 6; ++face) {
      for (int j = 0; j < 2; ++j) {
        for (int i = 0; i < 2; ++i)
          texels.push_back(1000.0f * cube + 100.0f * face + 10.0f * j + i);
      }
    }
  }
  struct direction {
    float x, y, z, expected;
  };
  const direction directions[] = {
      {2, -1, -1, 11}, {2, 1, 1, 0},     {-2, -1, 1, 111},  {-2, 1, -1, 100},
      {1, 2, 1, 211},  {-1, 2, -1, 200}, {1, -2, -1, 311},  {-1, -2, 1, 300},
      {1, -1, 2, 411}, {-1, 1, 2, 400},  {-1, -1, -2, 511}, {1, 1, -2, 500},
  };
  const cudaTextureDesc plain{};
  const auto layers =
      texture_over(array_of<float>(texels, {2, 2, 12}, cudaArrayCubemap | cudaArrayLayered), plain);
  texels.resize(24);
  const auto cube = texture_over(array_of<float>(texels, {2, 2, 6}, cudaArrayCubemap), plain);
  for (const direction& to : directions) {
    EXPECT_EQ(fetched([=] { return texCubemap<float>(cube, to.x, to.y, to.z); }), to.expected);
    EXPECT_EQ(fetched([=] { return texCubemapLayered<float>(layers, to.x, to.y, to.z, 1); }),
              1000 + to.expected);
  }
}

TEST_F(array_textures, blend_mipmap_levels) {
  cudaMipmappedArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  ASSERT_EQ(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(4, 4, 0), 3), cudaSuccess);
  for (unsigned number = 0; number < 3; ++number) {  // every texel of a level is its number
    cudaArray_t level = nullptr;
    ASSERT_EQ(cudaGetMipmappedArrayLevel(&level, array, number), cudaSuccess);
    const std::size_t side = 4u >> number;
    fill(level, std::vector<float>(side * side, static_cast<float>(number)), {side, side, 0});
  }
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc description{};
  description.normalizedCoords = 1;
  description.maxMipmapLevelClamp = 10;
  cudaTextureObject_t nearest = 0, blended = 0, biased = 0, refused = 0;
  ASSERT_EQ(cudaCreateTextureObject(&nearest, &resource, &description, nullptr), cudaSuccess);
  description.mipmapFilterMode = cudaFilterModeLinear;
  ASSERT_EQ(cudaCreateTextureObject(&blended, &resource, &description, nullptr), cudaSuccess);
  description.mipmapLevelBias = 0.5f;
  description.maxMipmapLevelClamp = 1.25f;
  ASSERT_EQ(cudaCreateTextureObject(&biased, &resource, &description, nullptr), cudaSuccess);
  const auto at_level = [&](cudaTextureObject_t texture, float level) {
    return fetched([=] { return tex2DLod<float>(texture, 0.3f, 0.7f, level); });
  };
  EXPECT_EQ(at_level(nearest, 0.75f), 1);
  EXPECT_EQ(at_level(nearest, 1.25f), 1);
  EXPECT_EQ(at_level(nearest, 9), 2);
  EXPECT_EQ(at_level(nearest, -3), 0);
  EXPECT_EQ(at_level(blended, 0.75f), 0.75f);
  EXPECT_EQ(at_level(blended, 1.5f), 1.5f);
  EXPECT_EQ(at_level(biased, 0.25f), 0.75f);
  EXPECT_EQ(at_level(biased, 2), 1.25f);
  EXPECT_EQ(fetched([=] { return tex2D<float>(blended, 0.3f, 0.7f); }), 0);
  // Neighbours that are two texels apart see the level with half the size.
  const float2 across{0.5f, 0}, down{0, 0.25f};
  EXPECT_EQ(fetched([=] { return tex2DGrad<float>(blended, 0.3f, 0.7f, across, down); }), 1);
  description.normalizedCoords = 0;
  EXPECT_EQ(cudaCreateTextureObject(&refused, &resource, &description, nullptr),
            cudaErrorInvalidValue);
}

TEST_F(array_textures, refuse_what_they_cannot_read) {
  const cudaArray_t array = array_of<float>({1}, {1, 1, 0});
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  const cudaResourceViewDesc view{};
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, &view),
            cudaErrorNotSupported);
  description.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidNormSetting);
  ASSERT_EQ(cudaFreeArray(array), cudaSuccess);
  description.readMode = cudaReadModeElementType;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidResourceHandle);
}

}  // namespace
