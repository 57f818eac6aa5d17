// Texture fetches by coordinates: filters, address modes, layers, cubes, gathers and mipmaps.
#include "arrays.cuh"
#include "values.cuh"

using namespace conformance;

// All texels are small integers and all coordinates multiples of 1/64 texel, so that a blend with
// weights of eight bits is exact.
static cudaTextureDesc settings(cudaTextureAddressMode mode, bool is_normalized, bool is_filtered) {
  cudaTextureDesc description = {};
  for (auto& each : description.addressMode) each = mode;
  description.filterMode = is_filtered ? cudaFilterModeLinear : cudaFilterModePoint;
  description.normalizedCoords = is_normalized;
  for (int i = 0; i < 4; ++i) description.borderColor[i] = 200.0f + i;
  return description;
}

static cudaTextureObject_t texture_over(cudaArray_t array, const cudaTextureDesc& description) {
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureObject_t texture = 0;
  CHECKED(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

// Calls `body(description, label)` for each combination of settings.
template <typename Body>
static void for_all_settings(Body body) {
  const char* const names[] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; ++mode) {
    for (int normalized = 0; normalized < 2; ++normalized) {
      for (int filtered = 0; filtered < 2; ++filtered) {
        const std::string label = std::string(names[mode]) + (normalized ? ", normalized" : "") +
                                  (filtered ? ", linear" : ", point");
        body(settings(static_cast<cudaTextureAddressMode>(mode), normalized, filtered),
             label.c_str());
      }
    }
  }
}

// Positions from -1.5 to 2.5 times the image, never on the edge between two texels. In an image of
// eight texels they are exact, both as normalized and as unnormalized coordinates.
__device__ float position(unsigned i, unsigned salt, bool is_normalized) {
  const int sixty_fourths = static_cast<int>(mix(i * 3 + salt) % 2048) - 768;
  const float texels = (sixty_fourths * 2 + 1) / 128.0f;
  return is_normalized ? texels / 8 : texels;
}

enum shape { line, plane, volume, lines, planes };

__global__ void fetch(float* results, cudaTextureObject_t texture, shape kind, bool is_normalized) {
  const unsigned i = rank_in_grid();
  const float x = position(i, 0, is_normalized), y = position(i, 1, is_normalized);
  const float z = position(i, 2, is_normalized);
  const int layer = static_cast<int>(i % 5) - 1;
  results[i] = kind == line     ? tex1D<float>(texture, x)
               : kind == plane  ? tex2D<float>(texture, x, y)
               : kind == volume ? tex3D<float>(texture, x, y, z)
               : kind == lines  ? tex1DLayered<float>(texture, x, layer)
                                : tex2DLayered<float>(texture, x, y, layer);
}

static void show_fetches(shape kind, cudaExtent extent, unsigned flags) {
  const std::size_t count = extent.width * std::max<std::size_t>(extent.height, 1) *
                            std::max<std::size_t>(extent.depth, 1);
  const filled_array<float> array(numbered<float>(count), extent, flags);
  for_all_settings([&](const cudaTextureDesc& description, const char* label) {
    const cudaTextureObject_t texture = texture_over(array, description);
    const buffer<float> results(256);
    fetch<<<4, 64>>>(results, texture, kind, description.normalizedCoords != 0);
    show(label, results);
    CHECKED(cudaDestroyTextureObject(texture));
  });
}

CASE(lines) { show_fetches(line, make_cudaExtent(8, 0, 0), 0); }
CASE(planes) { show_fetches(plane, make_cudaExtent(8, 8, 0), 0); }
CASE(volumes) { show_fetches(volume, make_cudaExtent(8, 8, 8), 0); }
CASE(lines_in_layers) { show_fetches(lines, make_cudaExtent(8, 0, 3), cudaArrayLayered); }
CASE(planes_in_layers) { show_fetches(planes, make_cudaExtent(8, 8, 3), cudaArrayLayered); }

__global__ void ramp(float* results, cudaTextureObject_t texture) {
  results[threadIdx.x] = tex1D<float>(texture, 0.5f + threadIdx.x / 1024.0f);
}

// From texel 0 to texel 1 in 1024 steps: shows how weights are rounded to 256 steps.
CASE(weights_have_eight_bits) {
  const filled_array<float> array({0, 256}, make_cudaExtent(2, 0, 0));
  const cudaTextureObject_t texture =
      texture_over(array, settings(cudaAddressModeClamp, false, true));
  const buffer<float> results(1024);
  ramp<<<1, 1024>>>(results, texture);
  const std::vector<float> values = results.read();
  show("first steps", std::vector<float>(values.begin(), values.begin() + 16));
  show("last steps", std::vector<float>(values.end() - 16, values.end()));
  show("all steps", values);
  CHECKED(cudaDestroyTextureObject(texture));
}

template <typename T>
__global__ void fetch_plane(T* results, cudaTextureObject_t texture) {
  const unsigned i = threadIdx.x;
  results[i] = tex2D<T>(texture, i % 8 - 1.5f, i / 8 - 1.5f);
}

template <typename T, typename Channel>
static void show_elements(const char* label, cudaTextureReadMode mode = cudaReadModeElementType) {
  constexpr std::size_t channels = sizeof(T) / sizeof(Channel);
  const std::vector<Channel> values = numbered<Channel>(4 * 4 * channels, 7);
  std::vector<T> elements(16);
  std::memcpy(static_cast<void*>(elements.data()), values.data(), 16 * sizeof(T));
  const filled_array<T> array(elements, make_cudaExtent(4, 4, 0));
  cudaTextureDesc description = settings(cudaAddressModeClamp, false, false);
  description.readMode = mode;
  const cudaTextureObject_t texture = texture_over(array, description);
  const buffer<Channel> results(64 * channels);
  fetch_plane<T><<<1, 64>>>(reinterpret_cast<T*>(static_cast<Channel*>(results)), texture);
  show(label, results);
  CHECKED(cudaDestroyTextureObject(texture));
}

CASE(elements_of_every_type) {
  show_elements<signed char, signed char>("char");
  show_elements<uchar2, unsigned char>("uchar2");
  show_elements<char4, signed char>("char4");
  show_elements<short, short>("short");
  show_elements<ushort2, unsigned short>("ushort2");
  show_elements<short4, short>("short4");
  show_elements<int, int>("int");
  show_elements<uint2, unsigned>("uint2");
  show_elements<int4, int>("int4");
  show_elements<float, float>("float");
  show_elements<float2, float>("float2");
  show_elements<float4, float>("float4");
}

CASE(halves_are_widened) {
  // 1, 1.5, -2, 0.25 as halves
  const filled_array<ushort2> array({{0x3c00, 0x3e00}, {0xc000, 0x3400}}, make_cudaExtent(2, 0, 0),
                                    0, cudaCreateChannelDescHalf2());
  const cudaTextureObject_t texture =
      texture_over(array, settings(cudaAddressModeClamp, false, true));
  const buffer<float> results(64);
  ramp<<<1, 64>>>(results, texture);
  show("first channel", results);
  CHECKED(cudaDestroyTextureObject(texture));
}

__global__ void fetch_outside(int4* results, cudaTextureObject_t texture) {
  *results = tex2D<int4>(texture, -1.0f, 0.5f);
}

CASE(border_of_integers) {
  const filled_array<int2> array({{1, 2}}, make_cudaExtent(1, 1, 0));
  cudaTextureDesc description = settings(cudaAddressModeBorder, false, false);
  const int colour[4] = {-7, 8, 9, 10};
  std::memcpy(description.borderColor, colour, sizeof colour);
  const cudaTextureObject_t texture = texture_over(array, description);
  const buffer<int> results(4);
  fetch_outside<<<1, 1>>>(reinterpret_cast<int4*>(static_cast<int*>(results)), texture);
  show("border", results);
  CHECKED(cudaDestroyTextureObject(texture));
}

__global__ void fetch_cube(float* results, cudaTextureObject_t texture, bool is_layered) {
  // One component is clearly the largest, and no point is on an edge between texels.
  const unsigned i = threadIdx.x;
  const int major = static_cast<int>(i % 3);
  float to[3];
  for (int axis = 0; axis < 3; ++axis) {
    to[axis] = (2 * static_cast<int>(mix(i * 3 + axis) % 14) - 13) / 16.0f;
  }
  to[major] = i / 3 % 2 ? -1.0f : 1.0f;
  results[i] = is_layered ? texCubemapLayered<float>(texture, to[0], to[1], to[2], 1)
                          : texCubemap<float>(texture, to[0], to[1], to[2]);
}

CASE(cubes) {
  for (int filtered = 0; filtered < 2; ++filtered) {
    for (int layered = 0; layered < 2; ++layered) {
      const std::size_t faces = layered ? 12 : 6;
      const filled_array<float> array(numbered<float>(faces * 64), make_cudaExtent(8, 8, faces),
                                      cudaArrayCubemap | (layered ? cudaArrayLayered : 0));
      const cudaTextureObject_t texture =
          texture_over(array, settings(cudaAddressModeClamp, true, filtered));
      const buffer<float> results(96);
      fetch_cube<<<1, 96>>>(results, texture, layered);
      show(filtered ? "linear" : "point", results);
      CHECKED(cudaDestroyTextureObject(texture));
    }
  }
}

__global__ void gather(float4* results, cudaTextureObject_t texture) {
  const unsigned i = threadIdx.x;
  const float x = i % 4 + 0.25f, y = i / 4 - 0.25f;
  results[2 * i] = tex2Dgather<float4>(texture, x, y);
  results[2 * i + 1] = tex2Dgather<float4>(texture, x, y, 1);
}

CASE(gathers) {
  std::vector<float2> texels(16);
  for (int i = 0; i < 16; ++i) texels[i] = make_float2(i, 100 + i);
  const filled_array<float2> array(texels, make_cudaExtent(4, 4, 0), cudaArrayTextureGather);
  const cudaTextureObject_t texture =
      texture_over(array, settings(cudaAddressModeClamp, false, false));
  const buffer<float> results(160);
  gather<<<1, 20>>>(reinterpret_cast<float4*>(static_cast<float*>(results)), texture);
  show("gathered", results);
  CHECKED(cudaDestroyTextureObject(texture));
}

__global__ void fetch_levels(float* results, cudaTextureObject_t texture) {
  const int i = static_cast<int>(threadIdx.x);
  results[i] = tex2DLod<float>(texture, 0.3125f, 0.6875f, (i - 8) / 8.0f + 1 / 16.0f);
}

CASE(mipmaps) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t levels = nullptr;
  CHECKED(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(8, 8, 0), 4));
  for (unsigned number = 0; number < 4; ++number) {
    cudaArray_t level = nullptr;
    CHECKED(cudaGetMipmappedArrayLevel(&level, levels, number));
    const std::size_t side = 8u >> number;
    const std::vector<float> texels(side * side, 16.0f * number);
    CHECKED(cudaMemcpy2DToArray(level, 0, 0, texels.data(), 4 * side, 4 * side, side,
                                cudaMemcpyHostToDevice));
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = levels;
  for (int blended = 0; blended < 2; ++blended) {
    for (const float bias : {0.0f, 0.5f}) {
      cudaTextureDesc description = settings(cudaAddressModeClamp, true, true);
      description.mipmapFilterMode = blended ? cudaFilterModeLinear : cudaFilterModePoint;
      description.mipmapLevelBias = bias;
      description.minMipmapLevelClamp = 0.25f;
      description.maxMipmapLevelClamp = 2.75f;
      cudaTextureObject_t texture = 0;
      CHECKED(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
      const buffer<float> results(40);
      fetch_levels<<<1, 40>>>(results, texture);
      show(blended ? "blended" : "nearest", results);
      CHECKED(cudaDestroyTextureObject(texture));
    }
  }
  CHECKED(cudaFreeMipmappedArray(levels));
}

CASE(pitched_memory) {
  float* memory = nullptr;
  std::size_t pitch = 0;
  CHECKED(cudaMallocPitch(reinterpret_cast<void**>(&memory), &pitch, 32, 8));
  const std::vector<float> texels = numbered<float>(64);
  CHECKED(cudaMemcpy2D(memory, pitch, texels.data(), 32, 32, 8, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 8;
  resource.res.pitch2D.height = 8;
  resource.res.pitch2D.pitchInBytes = pitch;
  for_all_settings([&](const cudaTextureDesc& description, const char* label) {
    cudaTextureObject_t texture = 0;
    CHECKED(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    const buffer<float> results(256);
    fetch<<<4, 64>>>(results, texture, plane, description.normalizedCoords != 0);
    show(label, results);
    CHECKED(cudaDestroyTextureObject(texture));
  });
  cudaTextureObject_t texture = 0;
  const cudaTextureDesc plain = {};
  resource.res.pitch2D.pitchInBytes = pitch + 4;
  SHOW_ERROR(cudaCreateTextureObject(&texture, &resource, &plain, nullptr));
  resource.res.pitch2D.pitchInBytes = 0;
  SHOW_ERROR(cudaCreateTextureObject(&texture, &resource, &plain, nullptr));
  cudaGetLastError();
  CHECKED(cudaFree(memory));
}

CASE(settings_that_cannot_be) {
  const filled_array<int> integers({1}, make_cudaExtent(1, 1, 0));
  const filled_array<float> floats({1}, make_cudaExtent(1, 1, 0));
  cudaResourceDesc resource = resource_of(integers);
  cudaTextureDesc description = settings(cudaAddressModeClamp, false, true);
  cudaTextureObject_t texture = 0;
  SHOW_ERROR(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeNormalizedFloat;
  SHOW_ERROR(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  resource = resource_of(floats);
  SHOW_ERROR(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  resource = resource_of(nullptr);
  SHOW_ERROR(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  cudaGetLastError();
}
