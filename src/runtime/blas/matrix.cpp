#include "blas/matrix.hpp"

#include <cstdlib>
#include <cstring>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace heddle_host::blas {
namespace {

// A copy between the matrix in device memory and an image of it without gaps.
memory::copy transfer(const matrix& what, void* device, void* image, bool is_to_device) {
  const std::size_t bytes = element_bytes(what.type);
  memory::copy made;
  made.destination = is_to_device ? device : image;
  made.source = is_to_device ? image : device;
  made.width = static_cast<std::size_t>(what.rows) * bytes;
  made.height = static_cast<std::size_t>(what.columns);
  const std::size_t pitch = static_cast<std::size_t>(what.leading) * bytes;
  made.destination_pitch = is_to_device ? pitch : made.width;
  made.source_pitch = is_to_device ? made.width : pitch;
  return made;
}

template <typename Number, typename Stored>
void convert(const char* from, std::vector<Number>& to) {
  for (std::size_t at = 0; at < to.size(); ++at) {
    Stored value;
    std::memcpy(static_cast<void*>(&value), from + at * sizeof(Stored), sizeof(Stored));
    to[at] = static_cast<Number>(static_cast<float>(value));
  }
}

template <typename Number, typename Stored>
void convert_back(const std::vector<Number>& from, char* to) {
  for (std::size_t at = 0; at < from.size(); ++at) {
    const Stored value(static_cast<float>(from[at]));
    std::memcpy(to + at * sizeof(Stored), static_cast<const void*>(&value), sizeof(Stored));
  }
}

template <typename Number, typename Stored>
void copy_numbers(const char* from, std::vector<Number>& to) {
  for (std::size_t at = 0; at < to.size(); ++at) {
    Stored value;
    std::memcpy(&value, from + at * sizeof(Stored), sizeof(Stored));
    to[at] = static_cast<Number>(value);
  }
}

template <typename Number, typename Stored>
void copy_numbers_back(const std::vector<Number>& from, char* to) {
  for (std::size_t at = 0; at < from.size(); ++at) {
    const Stored value = static_cast<Stored>(from[at]);
    std::memcpy(to + at * sizeof(Stored), &value, sizeof(Stored));
  }
}

}  // namespace

matrix matrix::moved_by(std::int64_t elements) const {
  matrix moved = *this;
  moved.at =
      static_cast<const char*>(at) + elements * static_cast<std::int64_t>(element_bytes(type));
  return moved;
}

matrix vector_at(const void* at, cudaDataType type, std::int64_t count, std::int64_t step) {
  const std::int64_t distance = std::abs(step);
  if (distance == 1) return {at, type, count, 1, count};
  return {at, type, 1, count, distance};
}

std::size_t element_bytes(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
      return 4;
    case CUDA_R_64F:
      return 8;
    default:
      return 0;
  }
}

bool is_usable(const matrix& what) {
  if (what.is_empty()) return true;
  char image = 0;
  const memory::copy from = transfer(what, const_cast<void*>(what.at), &image, false);
  return memory::check(from, cudaMemcpyDeviceToHost) == cudaSuccess;
}

template <typename Number>
std::vector<Number> fetch(const matrix& from) {
  std::vector<Number> numbers(static_cast<std::size_t>(from.rows * from.columns));
  if (numbers.empty()) return numbers;
  std::vector<char> image(numbers.size() * element_bytes(from.type));
  memory::perform(transfer(from, const_cast<void*>(from.at), image.data(), false));
  switch (from.type) {
    case CUDA_R_16F:
      convert<Number, __half>(image.data(), numbers);
      break;
    case CUDA_R_16BF:
      convert<Number, __nv_bfloat16>(image.data(), numbers);
      break;
    case CUDA_R_32F:
      copy_numbers<Number, float>(image.data(), numbers);
      break;
    default:
      copy_numbers<Number, double>(image.data(), numbers);
  }
  return numbers;
}

template <typename Number>
void store(const std::vector<Number>& numbers, const matrix& to) {
  if (numbers.empty()) return;
  std::vector<char> image(numbers.size() * element_bytes(to.type));
  switch (to.type) {
    case CUDA_R_16F:
      convert_back<Number, __half>(numbers, image.data());
      break;
    case CUDA_R_16BF:
      convert_back<Number, __nv_bfloat16>(numbers, image.data());
      break;
    case CUDA_R_32F:
      copy_numbers_back<Number, float>(numbers, image.data());
      break;
    default:
      copy_numbers_back<Number, double>(numbers, image.data());
  }
  memory::perform(transfer(to, const_cast<void*>(to.at), image.data(), true));
}

template std::vector<float> fetch<float>(const matrix&);
template std::vector<double> fetch<double>(const matrix&);
template void store(const std::vector<float>&, const matrix&);
template void store(const std::vector<double>&, const matrix&);

}  // namespace heddle_host::blas
