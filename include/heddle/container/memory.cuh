// The device memory that a container owns.
#pragma once
#include <heddle/core/error.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace heddle::container::detail {

// Data that different lanes change is on separate lines, so that their updates do not disturb each
// other.
inline constexpr std::size_t line_bytes = 256;
[[nodiscard]] inline std::size_t in_lines(std::size_t bytes) {
  return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

// The offsets of the parts of one allocation, each starting on a new line.
class memory_plan {
 public:
  template <typename Element>
  [[nodiscard]] std::size_t place_of(std::size_t count) {
    const std::size_t begin = bytes_;
    bytes_ += in_lines(count * sizeof(Element));
    return begin;
  }
  // Of all parts so far.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

// Memory on the current device, zeroed in stream order. Movable, not copyable.
class device_memory {
 public:
  device_memory() = default;
  // Throws heddle::error, and then has allocated nothing.
  device_memory(std::size_t bytes, cudaStream_t stream, source_location where) : bytes_(bytes) {
    void* memory = nullptr;
    const cudaError_t refusal = cudaMalloc(&memory, bytes);
    if (refusal != cudaSuccess) {
      throw error(refusal, "a container cannot have its " + std::to_string(bytes) + " bytes",
                  where);
    }
    data_ = static_cast<std::byte*>(memory);
    const cudaError_t code = cudaMemsetAsync(data_, 0, bytes, stream);
    if (code != cudaSuccess) {
      cudaFree(data_);
      throw error(code, "new memory could not be cleared", where);
    }
  }
  device_memory(device_memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  device_memory& operator=(device_memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  // Waits for the device.
  ~device_memory() {
    if (data_ != nullptr) cudaFree(data_);
  }

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  // The part at that offset.
  template <typename Element>
  [[nodiscard]] Element* at(std::size_t offset) const noexcept {
    return reinterpret_cast<Element*>(data_ + offset);
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace heddle::container::detail
