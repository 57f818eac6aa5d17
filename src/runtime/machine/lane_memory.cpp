// Memory for the values that lanes keep between the loops of a block: a stack of pieces in chunks
// that are never given back, because the next block needs them again.
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include <heddle_host/lane_block.hpp>

namespace heddle_host {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t least_chunk = 256 * 1024;

struct free_chunk {
  void operator()(std::byte* memory) const {
    ::operator delete(memory, std::align_val_t(alignment));
  }
};

class lane_memory {
 public:
  void* take(std::size_t bytes) {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    while (current_ < chunks_.size() && chunks_[current_].bytes - used_ < bytes) use(current_ + 1);
    if (current_ == chunks_.size()) add(bytes);
    std::byte* const piece = chunks_[current_].memory.get() + used_;
    used_ += bytes;
    return piece;
  }

  void give_back(const void* piece) {
    while (!chunks_[current_].holds(piece)) --current_;
    used_ = static_cast<std::size_t>(static_cast<const std::byte*>(piece) -
                                     chunks_[current_].memory.get());
  }

  void forget() { use(0); }

 private:
  struct chunk {
    std::unique_ptr<std::byte, free_chunk> memory;
    std::size_t bytes;
    bool holds(const void* piece) const {
      return piece >= memory.get() && piece < memory.get() + bytes;
    }
  };

  void use(std::size_t next) {
    current_ = next;
    used_ = 0;
  }

  void add(std::size_t bytes) {
    const std::size_t size = bytes > least_chunk ? bytes : least_chunk;
    chunks_.push_back({std::unique_ptr<std::byte, free_chunk>(static_cast<std::byte*>(
                           ::operator new(size, std::align_val_t(alignment)))),
                       size});
  }

  std::vector<chunk> chunks_;
  std::size_t current_ = 0;
  std::size_t used_ = 0;  // of the current chunk
};

thread_local lane_memory kept;

}  // namespace

void* take_lane_memory(std::size_t bytes) { return kept.take(bytes); }
void give_back_lane_memory(void* piece) { kept.give_back(piece); }
void forget_lane_memory() { kept.forget(); }

}  // namespace heddle_host
