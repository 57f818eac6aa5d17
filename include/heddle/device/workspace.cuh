// Reusable memory and the stream of device-wide algorithms: one call per algorithm, no size query.
#pragma once
#include <heddle/core/architecture.cuh>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace heddle::device {

// What a device-wide algorithm needs besides its input and output. It belongs to one stream:
// algorithms that may run concurrently need a workspace each.
//   called by   one host thread at a time, with the device current on which it was made; movable,
//               not copyable
//   memory      grows by doubling and is freed only when the workspace is destroyed: a captured
//               CUDA graph holds pointers into it, and must not be replayed afterwards
//   capture     every function can be called while the stream is being captured; memory allocated
//               then belongs to the workspace, not to the graph
//   cost        no allocation and no waiting after the first call of a given size
class workspace {
 public:
  // Throws heddle::error if the library cannot run on the current device.
  explicit workspace(cudaStream_t stream = nullptr,
                     source_location where = source_location::current())
      : stream_(stream), facts_(current_device(where)) {}
  workspace(workspace&& other) noexcept
      : stream_(other.stream_),
        facts_(other.facts_),
        scratch_(std::exchange(other.scratch_, {})),
        kept_(std::exchange(other.kept_, {})),
        allocated_(std::exchange(other.allocated_, {})),
        fits_(std::exchange(other.fits_, {})) {}
  workspace& operator=(workspace&& other) noexcept {
    if (this == &other) return *this;
    give_back();
    stream_ = other.stream_;
    facts_ = other.facts_;
    scratch_ = std::exchange(other.scratch_, {});
    kept_ = std::exchange(other.kept_, {});
    allocated_ = std::exchange(other.allocated_, {});
    fits_ = std::exchange(other.fits_, {});
    return *this;
  }
  // Waits for the device if there is memory to free.
  ~workspace() { give_back(); }

  // The stream, and the properties of the device.
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] const device_facts& facts() const noexcept { return facts_; }
  [[nodiscard]] int multiprocessors() const noexcept { return facts_.multiprocessors; }
  [[nodiscard]] int architecture() const noexcept { return facts_.architecture; }

  // Uninitialised memory for the current algorithm; a second call within the same algorithm returns
  // the same memory.
  //   result      at least `bytes`, aligned to 256
  [[nodiscard]] std::byte* scratch(std::size_t bytes,
                                   source_location where = source_location::current()) {
    if (bytes > scratch_.bytes) grow(scratch_, bytes, false, where);
    return scratch_.memory;
  }

  // Memory that belongs to one algorithm, named by `Owner`: any type that nobody else uses.
  //   result      at least `bytes`, aligned to 256; all zero when first returned and whenever it
  //               has grown, otherwise as that algorithm's last call left it
  template <typename Owner>
  [[nodiscard]] std::byte* kept(std::size_t bytes,
                                source_location where = source_location::current()) {
    block& mine = block_of(&name_of_owner<Owner>);
    if (bytes > mine.bytes) grow(mine, bytes, true, where);
    return mine.memory;
  }

  // How many blocks of a kernel are resident on the whole device at once, at least 1.
  //   cost        one driver query per kernel and shape
  template <typename... Parameters>
  [[nodiscard]] int resident_blocks(void (*kernel)(Parameters...), int threads,
                                    std::size_t shared_bytes = 0,
                                    source_location where = source_location::current()) {
    const auto* const name = reinterpret_cast<const void*>(kernel);
    for (const fit& known : fits_) {
      if (known.kernel == name && known.threads == threads && known.shared_bytes == shared_bytes) {
        return known.figure;
      }
    }
    int per_multiprocessor = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads,
                                                        shared_bytes),
          where);
    const int blocks = std::max(1, per_multiprocessor * facts_.multiprocessors);
    fits_.push_back({name, threads, shared_bytes, blocks});
    return blocks;
  }

  // The architecture a kernel was compiled for: see architecture_of_kernel().
  //   cost        one driver query per kernel
  template <typename... Parameters>
  [[nodiscard]] int architecture_of(void (*kernel)(Parameters...),
                                    source_location where = source_location::current()) {
    const auto* const name = reinterpret_cast<const void*>(kernel);
    for (const fit& known : fits_) {
      if (known.kernel == name && known.threads == 0) return known.figure;
    }
    fits_.push_back({name, 0, 0, architecture_of_kernel(kernel, where)});
    return fits_.back().figure;
  }

 private:
  struct block {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
    const void* owner = nullptr;
  };
  // The driver's answer about a kernel: how many blocks of `threads` threads fit on the device or,
  // if `threads` is 0, its architecture.
  struct fit {
    const void* kernel;
    int threads;
    std::size_t shared_bytes;
    int figure;
  };

  // Its address identifies the type.
  template <typename Owner>
  static inline char name_of_owner = 0;

  // While it lives, this thread may make calls that a stream capture forbids; they do not touch the
  // captured stream.
  class past_captures {
   public:
    past_captures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    ~past_captures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    past_captures(const past_captures&) = delete;
    past_captures& operator=(const past_captures&) = delete;

   private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
  };

  block& block_of(const void* owner) {
    for (block& known : kept_) {
      if (known.owner == owner) return known;
    }
    return kept_.emplace_back(block{nullptr, 0, owner});
  }

  void grow(block& old, std::size_t bytes, bool is_zeroed, source_location where) {
    constexpr std::size_t unit = 256;
    const std::size_t wanted = (std::max(bytes, 2 * old.bytes) + unit - 1) / unit * unit;
    const past_captures here;
    allocated_.reserve(allocated_.size() + 1);
    void* memory = nullptr;
    check(cudaMalloc(&memory, wanted), where);
    allocated_.push_back(memory);
    if (is_zeroed) zero(memory, wanted, where);
    old.memory = static_cast<std::byte*>(memory);
    old.bytes = wanted;
  }

  // Uses a separate stream: a capture of the workspace's stream would record the zeroing and repeat
  // it at every replay.
  static void zero(void* memory, std::size_t bytes, source_location where) {
    cudaStream_t aside = nullptr;
    check(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking), where);
    cudaError_t code = cudaMemsetAsync(memory, 0, bytes, aside);
    if (code == cudaSuccess) code = cudaStreamSynchronize(aside);
    cudaStreamDestroy(aside);
    check(code, where);
  }

  void give_back() noexcept {
    if (allocated_.empty()) return;
    const past_captures here;
    for (void* memory : allocated_) cudaFree(memory);
    allocated_.clear();
  }

  cudaStream_t stream_;
  device_facts facts_;
  block scratch_;
  std::vector<block> kept_;
  std::vector<void*> allocated_;
  std::vector<fit> fits_;
};

}  // namespace heddle::device
