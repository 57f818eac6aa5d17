// Texture objects over linear memory: fetches of every type, both read modes, descriptors, errors.
#include <climits>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

static cudaResourceDesc linear(const void* memory, cudaChannelFormatDesc format,
                               std::size_t bytes) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(memory);
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes;
  return resource;
}

static cudaTextureObject_t texture_over(const cudaResourceDesc& resource,
                                        cudaTextureReadMode mode = cudaReadModeElementType) {
  cudaTextureDesc description = {};
  description.readMode = mode;
  cudaTextureObject_t texture = 0;
  CHECKED(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

// Lanes fetch elements in reverse order.
template <typename T>
__global__ void fetch(T* results, cudaTextureObject_t texture, int count) {
  const int i = static_cast<int>(rank_in_grid());
  if (i < count) results[i] = tex1Dfetch<T>(texture, count - 1 - i);
}

template <typename T>
__global__ void fetch_at(T* results, cudaTextureObject_t texture, const int* indices) {
  T value;
  tex1Dfetch(&value, texture, indices[threadIdx.x]);
  results[threadIdx.x] = value;
}

template <typename Channel>
static std::vector<Channel> samples(std::size_t count) {
  std::vector<Channel> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<unsigned>(i * 2654435761u + 12345u) >> (32 - 8 * sizeof(Channel));
    values[i] = std::is_floating_point_v<Channel>
                    ? static_cast<Channel>(static_cast<int>(i * 37) - 500) / 8
                    : static_cast<Channel>(bits);
  }
  return values;
}

template <typename T, typename Channel>
static void show_fetches(const char* label) {
  constexpr int count = 48;
  constexpr std::size_t bytes = sizeof(T), channels = bytes / sizeof(Channel);
  const buffer<Channel> memory(samples<Channel>(count * channels));
  const buffer<Channel> results(count * channels);
  const cudaTextureObject_t texture =
      texture_over(linear(memory, cudaCreateChannelDesc<T>(), count * sizeof(T)));
  fetch<T><<<2, 32>>>(reinterpret_cast<T*>(static_cast<Channel*>(results)), texture, count);
  show(label, results);
  CHECKED(cudaDestroyTextureObject(texture));
}

#define SHOW_FETCHES(T, Channel) show_fetches<T, Channel>(#T)

CASE(fetches_of_bytes) {
  SHOW_FETCHES(char, signed char);
  SHOW_FETCHES(signed char, signed char);
  SHOW_FETCHES(unsigned char, unsigned char);
  SHOW_FETCHES(char1, signed char);
  SHOW_FETCHES(char2, signed char);
  SHOW_FETCHES(char4, signed char);
  SHOW_FETCHES(uchar1, unsigned char);
  SHOW_FETCHES(uchar2, unsigned char);
  SHOW_FETCHES(uchar4, unsigned char);
}

CASE(fetches_of_16_bits) {
  SHOW_FETCHES(short, short);
  SHOW_FETCHES(unsigned short, unsigned short);
  SHOW_FETCHES(short1, short);
  SHOW_FETCHES(short2, short);
  SHOW_FETCHES(short4, short);
  SHOW_FETCHES(ushort1, unsigned short);
  SHOW_FETCHES(ushort2, unsigned short);
  SHOW_FETCHES(ushort4, unsigned short);
}

CASE(fetches_of_32_bits) {
  SHOW_FETCHES(int, int);
  SHOW_FETCHES(unsigned, unsigned);
  SHOW_FETCHES(int1, int);
  SHOW_FETCHES(int2, int);
  SHOW_FETCHES(int4, int);
  SHOW_FETCHES(uint1, unsigned);
  SHOW_FETCHES(uint2, unsigned);
  SHOW_FETCHES(uint4, unsigned);
  SHOW_FETCHES(float, float);
  SHOW_FETCHES(float1, float);
  SHOW_FETCHES(float2, float);
  SHOW_FETCHES(float4, float);
}

template <typename T>
static void show_normalized(const char* label, int count) {
  std::vector<T> values(count);
  for (int i = 0; i < count; ++i) values[i] = static_cast<T>(i - count / 2);
  const buffer<T> memory(values);
  const buffer<float> results(count);
  const cudaTextureObject_t texture = texture_over(
      linear(memory, cudaCreateChannelDesc<T>(), count * sizeof(T)), cudaReadModeNormalizedFloat);
  fetch<float><<<count / 64, 64>>>(results, texture, count);
  show(label, results);
  CHECKED(cudaDestroyTextureObject(texture));
}

CASE(normalized_reads_of_every_value) {
  show_normalized<signed char>("signed bytes", 256);
  show_normalized<unsigned char>("bytes", 256);
  show_normalized<short>("signed 16 bits", 65536);
  show_normalized<unsigned short>("16 bits", 65536);
}

CASE(normalized_reads_of_vectors) {
  const buffer<unsigned char> memory(samples<unsigned char>(64));
  const buffer<float> results(64);
  const cudaTextureObject_t texture = texture_over(
      linear(memory, cudaCreateChannelDesc<uchar4>(), 64), cudaReadModeNormalizedFloat);
  fetch<float4><<<1, 32>>>(reinterpret_cast<float4*>(static_cast<float*>(results)), texture, 16);
  show("four channels", results);
  CHECKED(cudaDestroyTextureObject(texture));
}

CASE(indices_out_of_range_give_zero) {
  const buffer<int> memory(samples<int>(64));
  const buffer<int> indices(
      std::vector<int>{0, 6, 7, 8, 15, 1000, -1, -8, INT_MAX, INT_MIN, INT_MAX / 8, 1 << 28});
  const buffer<int> results(24);
  // 63 bytes hold seven whole elements.
  const cudaTextureObject_t texture =
      texture_over(linear(memory, cudaCreateChannelDesc<int2>(), 63));
  fetch_at<int2><<<1, 12>>>(reinterpret_cast<int2*>(static_cast<int*>(results)), texture, indices);
  show("of seven elements", results);
  CHECKED(cudaDestroyTextureObject(texture));
}

struct tables {
  cudaTextureObject_t even, odd;
};

__global__ void choose(int* results, tables from) {
  const auto texture = threadIdx.x % 2 ? from.odd : from.even;
  results[threadIdx.x] = tex1Dfetch<int>(texture, static_cast<int>(threadIdx.x / 2));
}

CASE(lanes_may_choose_their_texture) {
  const buffer<int> memory(samples<int>(1024));
  const tables both{texture_over(linear(memory, cudaCreateChannelDesc<int>(), 64)),
                    texture_over(linear(memory + 512, cudaCreateChannelDesc<int>(), 64))};
  const buffer<int> results(32);
  choose<<<1, 32>>>(results, both);
  show("results", results);
  CHECKED(cudaDestroyTextureObject(both.even));
  CHECKED(cudaDestroyTextureObject(both.odd));
}

CASE(a_texture_sees_what_earlier_kernels_wrote) {
  const buffer<int> memory(32), results(32);
  const cudaTextureObject_t texture =
      texture_over(linear(memory, cudaCreateChannelDesc<int>(), 128));
  for (int round = 0; round < 2; ++round) {
    const std::vector<int> values(32, 7 + round);
    CHECKED(cudaMemcpy(memory, values.data(), 128, cudaMemcpyHostToDevice));
    fetch<int><<<1, 32>>>(results, texture, 32);
    show("round", results);
  }
  CHECKED(cudaDestroyTextureObject(texture));
}

template <typename T>
static void show_format(const char* label) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  std::printf("%s: %d %d %d %d, kind %d\n", label, format.x, format.y, format.z, format.w,
              static_cast<int>(format.f));
}
#define SHOW_FORMAT(T) show_format<T>(#T)

CASE(channel_descriptors) {
  SHOW_FORMAT(signed char);
  SHOW_FORMAT(char2);
  SHOW_FORMAT(uchar4);
  SHOW_FORMAT(short1);
  SHOW_FORMAT(ushort4);
  SHOW_FORMAT(int);
  SHOW_FORMAT(uint2);
  SHOW_FORMAT(float);
  SHOW_FORMAT(float4);
  SHOW_FORMAT(double);
  SHOW_FORMAT(float3);
}

CASE(descriptors_can_be_read_back) {
  const buffer<float> memory(64);
  const cudaResourceDesc resource = linear(memory, cudaCreateChannelDesc<float2>(), 200);
  const cudaTextureObject_t texture = texture_over(resource);
  cudaResourceDesc read;
  CHECKED(cudaGetTextureObjectResourceDesc(&read, texture));
  const auto& part = read.res.linear;
  std::printf("linear: %d, same pointer: %d, bytes %zu, format %d %d %d %d, kind %d\n",
              read.resType == cudaResourceTypeLinear, part.devPtr == memory, part.sizeInBytes,
              part.desc.x, part.desc.y, part.desc.z, part.desc.w, static_cast<int>(part.desc.f));
  cudaTextureDesc description;
  CHECKED(cudaGetTextureObjectTextureDesc(&description, texture));
  std::printf("element type: %d, normalized coordinates: %d\n",
              description.readMode == cudaReadModeElementType, description.normalizedCoords);
  CHECKED(cudaDestroyTextureObject(texture));
}

// Creates a texture only to see which error CUDA returns.
static cudaError_t creation(const cudaResourceDesc& resource) {
  const cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  if (error == cudaSuccess) CHECKED(cudaDestroyTextureObject(texture));
  cudaGetLastError();
  return error;
}

CASE(formats_that_cannot_be) {
  const buffer<char> memory(4096);
  const auto signs = cudaChannelFormatKindSigned;
  const auto floats = cudaChannelFormatKindFloat;
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, signs);
  SHOW_ERROR(creation(linear(memory, three, 64)));
  const cudaChannelFormatDesc nothing = cudaCreateChannelDesc(0, 0, 0, 0, signs);
  SHOW_ERROR(creation(linear(memory, nothing, 64)));
  const cudaChannelFormatDesc seven_bits = cudaCreateChannelDesc(7, 0, 0, 0, signs);
  SHOW_ERROR(creation(linear(memory, seven_bits, 64)));
  const cudaChannelFormatDesc mixed = cudaCreateChannelDesc(8, 16, 0, 0, signs);
  SHOW_ERROR(creation(linear(memory, mixed, 64)));
  const cudaChannelFormatDesc small_float = cudaCreateChannelDesc(8, 0, 0, 0, floats);
  SHOW_ERROR(creation(linear(memory, small_float, 64)));
  const cudaChannelFormatDesc of_double = cudaCreateChannelDesc<double>();
  SHOW_ERROR(creation(linear(memory, of_double, 64)));
}

CASE(resources_that_cannot_be) {
  const buffer<char> memory(4096);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  SHOW_ERROR(creation(linear(nullptr, format, 64)));
  SHOW_ERROR(creation(linear(memory, format, 0)));
  SHOW_ERROR(creation(linear(memory + 4, format, 64)));
  SHOW_ERROR(creation(linear(memory + 512, format, 64)));
  cudaResourceDesc resource = linear(memory, format, 64);
  const cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  SHOW_ERROR(cudaCreateTextureObject(nullptr, &resource, &description, nullptr));
  SHOW_ERROR(cudaCreateTextureObject(&texture, nullptr, &description, nullptr));
  SHOW_ERROR(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr));
  resource.resType = static_cast<cudaResourceType>(9);
  SHOW_ERROR(creation(resource));
  cudaGetLastError();
}

CASE(handles_of_no_texture) {
  const buffer<int> memory(64);
  const cudaTextureObject_t texture =
      texture_over(linear(memory, cudaCreateChannelDesc<int>(), 64));
  cudaResourceDesc resource;
  SHOW_ERROR(cudaGetTextureObjectResourceDesc(nullptr, texture));
  SHOW_ERROR(cudaDestroyTextureObject(texture));
  SHOW_ERROR(cudaGetTextureObjectResourceDesc(&resource, 0));
  SHOW_ERROR(cudaDestroyTextureObject(0));
  cudaGetLastError();
}
