// The shared memory of a block, static and dynamic, and its block variables while it does not run.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace heddle_host {

class shared_storage {
 public:
  // At least so many bytes of each, one after the other: shared addresses are 32-bit offsets from
  // the first byte.
  void reserve(std::size_t static_bytes, std::size_t dynamic_bytes);
  void poison();

  [[nodiscard]] unsigned char* begin() const { return memory_.get(); }
  [[nodiscard]] unsigned char* dynamic() const { return memory_.get() + static_bytes_; }
  [[nodiscard]] std::size_t static_bytes() const { return static_bytes_; }
  [[nodiscard]] std::size_t dynamic_bytes() const { return dynamic_bytes_; }

  // Of the thread that runs the block.
  void load_variables();
  void save_variables();

 private:
  struct aligned_free {
    void operator()(unsigned char* memory) const;
  };
  std::unique_ptr<unsigned char, aligned_free> memory_;
  std::size_t static_bytes_ = 0;
  std::size_t dynamic_bytes_ = 0;
  std::vector<unsigned char> variables_;
};

}  // namespace heddle_host
