// Scans respect the order of their stream or graph: they run after earlier kernels, copies, memsets
// and scans, and next to scans in other streams.
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/scan.cuh>

#include <array>
#include <optional>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::workspace;
namespace device = heddle::device;

using problem = device::detail::whole_scan<const unsigned*, unsigned*, heddle::plus, false>;
using setting = device::detail::scan_setting_of<problem>;
constexpr std::int64_t tile =
    device::detail::shape_of<problem, setting::warps, setting::lane_bytes>::tile_items;

enum class kernel { pipeline, plain, at_once };

void scan_by(kernel which, workspace& work, const unsigned* input, unsigned* output,
             std::int64_t count) {
  const problem wanted{input, {}, output, count, heddle::plus{}, false, 0u};
  using short_setting = device::detail::short_scan_setting;
  if (which == kernel::pipeline && device::detail::scan_by_pipeline<setting>(work, wanted)) return;
  if (which == kernel::at_once && device::detail::scan_short<short_setting>(work, wanted)) return;
  device::detail::scan_plainly<setting>(work, wanted);
}

// How often to repeat: races need many tries, and a GPU has time for them.
int tries(int on_gpu, int on_cpu) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "properties");
  return properties.multiProcessorCount < 16 ? on_cpu : on_gpu;
}

// A non-blocking stream.
class lone_stream {
 public:
  lone_stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream"); }
  ~lone_stream() { cudaStreamDestroy(stream_); }
  lone_stream(const lone_stream&) = delete;
  lone_stream& operator=(const lone_stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_), "the stream"); }

 private:
  cudaStream_t stream_ = nullptr;
};

// Elements begin + i * step, whose scan, and the scan of that, have closed forms.
struct line {
  unsigned begin, step;

  __host__ __device__ unsigned element(std::uint64_t i) const {
    return begin + step * static_cast<unsigned>(i);
  }
  __host__ __device__ unsigned scanned(std::uint64_t i) const {
    return begin * static_cast<unsigned>(i + 1) + step * static_cast<unsigned>(i * (i + 1) / 2);
  }
  __host__ __device__ unsigned scanned_twice(std::uint64_t i) const {
    // i * (i + 1) * (i + 2) / 6 without a product of three, which would need more than 64 bits.
    const std::uint64_t pairs = i * (i + 1) / 2;
    const bool is_third = pairs % 3 == 0;
    const auto triples = static_cast<unsigned>(is_third ? pairs / 3 : pairs) *
                         static_cast<unsigned>(is_third ? i + 2 : (i + 2) / 3);
    return begin * static_cast<unsigned>((i + 1) * (i + 2) / 2) + step * triples;
  }
};

// A different line for each round of each replay, so that stale elements show.
__device__ line line_of(unsigned replay, unsigned round) {
  const std::uint64_t bits = sample_bits(replay, round);
  return {static_cast<unsigned>(bits), static_cast<unsigned>(bits >> 32)};
}

// Writes the elements late: the next kernel may already have started when this one begins to write.
__global__ void write_late(unsigned* elements, std::int64_t count, const unsigned* replay,
                           unsigned round) {
  device::detail::start_in_stream_order();
  for (int i = 0; i < 20; ++i) __nanosleep(1000);
  const line written = line_of(*replay, round);
  const auto stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    elements[i] = written.element(static_cast<std::uint64_t>(i));
  }
}

__global__ void count_wrong(const unsigned* once, const unsigned* twice, std::int64_t count,
                            const unsigned* replay, unsigned round, bool is_cleared,
                            unsigned* wrong) {
  device::detail::start_in_stream_order();
  const line written = is_cleared ? line{0x01010101u * (round + 1), 0} : line_of(*replay, round);
  const auto stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const auto place = static_cast<std::uint64_t>(i);
    if (once[i] != written.scanned(place) || twice[i] != written.scanned_twice(place)) {
      atomicAdd(wrong, 1u);
    }
  }
}

__global__ void begin_next_replay(unsigned* replay) {
  if (threadIdx.x == 0) ++*replay;
}

// Each round: new elements, a scan, a scan of its result, and a check of both. The elements come in
// turn from a kernel, from one that lets the scan start early, from a copy and from a memset.
class chain_of_scans {
 public:
  explicit chain_of_scans(cudaStream_t stream) : stream_(stream), work_(stream) {}

  void add_rounds() {
    for (unsigned round = 0; round < rounds_; ++round) add(round);
    begin_next_replay<<<1, 32, 0, stream_>>>(replay_.data());
    check(cudaGetLastError(), "the launch");
  }
  unsigned wrong() const { return wrong_.values()[0]; }

 private:
  static constexpr unsigned rounds_ = 12;
  static constexpr std::int64_t count_ = 3 * tile + 9;
  static constexpr std::size_t bytes_ = static_cast<std::size_t>(count_) * sizeof(unsigned);
  static constexpr int blocks_ = 8;

  void add(unsigned round) {
    const unsigned way = round % 4;
    unsigned* const written = way == 2 ? copied_.data() : input_.data();
    check(cudaMemsetAsync(twice_.data(), 0xa5, bytes_, stream_), "poison");
    check(cudaMemsetAsync(once_.data(), 0xa5, bytes_, stream_), "poison");
    device::detail::launch(work_, {.blocks = blocks_, .threads = 256, .starts_early = way == 1},
                           &write_late, written, count_, replay_.data(), round);
    if (way == 2) {
      check(cudaMemcpyAsync(input_.data(), written, bytes_, cudaMemcpyDeviceToDevice, stream_),
            "copy");
    } else if (way == 3) {
      check(cudaMemsetAsync(input_.data(), static_cast<int>(round + 1), bytes_, stream_), "clear");
    }
    const auto from = static_cast<const unsigned*>(input_.data());
    // Each kernel follows each of the others.
    constexpr kernel kernels[] = {kernel::plain, kernel::pipeline, kernel::at_once};
    scan_by(kernels[round % 3], work_, from, once_.data(), count_);
    scan_by(kernels[(round + round / 3) % 3], work_, static_cast<const unsigned*>(once_.data()),
            twice_.data(), count_);
    device::detail::launch(
        work_, {.blocks = blocks_, .threads = 256, .starts_early = round % 2 == 0}, &count_wrong,
        once_.data(), twice_.data(), count_, replay_.data(), round, way == 3, wrong_.data());
  }

  cudaStream_t stream_;
  workspace work_;
  device_array<unsigned> input_{static_cast<std::size_t>(count_)};
  device_array<unsigned> copied_{static_cast<std::size_t>(count_)};
  device_array<unsigned> once_{static_cast<std::size_t>(count_)};
  device_array<unsigned> twice_{static_cast<std::size_t>(count_)};
  device_array<unsigned> replay_{std::vector<unsigned>{1}};
  device_array<unsigned> wrong_{std::vector<unsigned>{0}};
};

TEST(device_scan_order, sees_the_writes_of_earlier_work_in_the_stream) {
  const lone_stream stream;
  chain_of_scans chain(stream);
  check(cudaDeviceSynchronize(), "the arrays, which other streams have filled");
  for (int i = tries(10, 1); i > 0; --i) chain.add_rounds();
  stream.wait();
  EXPECT_EQ(chain.wrong(), 0u);
}

TEST(device_scan_order, sees_the_writes_of_earlier_work_in_the_graph) {
  const lone_stream stream;
  chain_of_scans chain(stream);
  check(cudaDeviceSynchronize(), "the arrays, which other streams have filled");
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin");
  chain.add_rounds();
  check(cudaStreamEndCapture(stream, &graph), "end");
  cudaGraphExec_t ready = nullptr;
  check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
  for (int i = tries(10, 2); i > 0; --i) check(cudaGraphLaunch(ready, stream), "replay");
  stream.wait();
  EXPECT_EQ(chain.wrong(), 0u);
  check(cudaGraphExecDestroy(ready), "destroy");
  check(cudaGraphDestroy(graph), "destroy");
}

// Replays read what the host has copied to the input in stream order: a copy from pageable memory
// may still be in flight when cudaMemcpy() returns, and no other stream waits for it.
TEST(device_scan_order, is_replayed_with_other_values_in_a_graph) {
  HEDDLE_NAME_SEED();
  const lone_stream stream;
  workspace work(stream);
  const std::int64_t count = 4 * tile + 9;
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(unsigned);
  const device_array<unsigned> input(static_cast<std::size_t>(count));
  const device_array<unsigned> output(static_cast<std::size_t>(count));
  check(cudaDeviceSynchronize(), "the arrays, which another stream has filled");
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin");
  // The later scans read the results of the one before and replace them in place.
  scan_by(kernel::pipeline, work, input.data(), output.data(), count);
  scan_by(kernel::plain, work, output.data(), output.data(), count);
  scan_by(kernel::at_once, work, output.data(), output.data(), count);
  check(cudaStreamEndCapture(stream, &graph), "end");
  cudaGraphExec_t ready = nullptr;
  check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
  for (int replay = 0; replay < tries(20, 3); ++replay) {
    std::vector<unsigned> values(static_cast<std::size_t>(count)), wanted(values.size());
    unsigned once = 0, twice = 0, thrice = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = sample<unsigned>(seed() + static_cast<std::uint64_t>(replay), i);
      wanted[i] = thrice += twice += once += values[i];
    }
    check(cudaMemcpyAsync(input.data(), values.data(), bytes, cudaMemcpyHostToDevice, stream),
          "put");
    check(cudaGraphLaunch(ready, stream), "replay");
    stream.wait();
    EXPECT_TRUE(output.values() == wanted) << "replay " << replay;
  }
  check(cudaGraphExecDestroy(ready), "destroy");
  check(cudaGraphDestroy(graph), "destroy");
}

// Each scan wants all multiprocessors: blocks of one wait for room that blocks of another take, but
// tiles wait only for tiles of resident blocks.
TEST(device_scan_order, finishes_next_to_scans_of_other_streams) {
  struct side {
    lone_stream stream;
    std::optional<workspace> work;
    std::optional<device_array<unsigned>> input, once, twice;
  };
  std::array<side, 3> sides;
  const std::int64_t count = tries(700, 3) * tile + 5;
  const device_array<unsigned> numbers(std::vector<unsigned>{0, 7}),
      wrong(std::vector<unsigned>{0});
  for (side& one : sides) {
    one.work.emplace(one.stream);
    one.input.emplace(static_cast<std::size_t>(count));
    one.once.emplace(static_cast<std::size_t>(count));
    one.twice.emplace(static_cast<std::size_t>(count));
  }
  check(cudaDeviceSynchronize(), "the arrays, which another stream has filled");
  for (int i = 0; i < tries(30, 2); ++i) {
    for (unsigned which = 0; which < sides.size(); ++which) {
      side& one = sides[which];
      const unsigned round = static_cast<unsigned>(i) * 8 + which;
      device::detail::launch(*one.work, {.blocks = 64, .threads = 256}, &write_late,
                             one.input->data(), count, numbers.data() + 1, round);
      scan_by(which == 0   ? kernel::plain
              : which == 1 ? kernel::at_once
                           : kernel::pipeline,
              *one.work, one.input->data(), one.once->data(), count);
      scan_by(which == 1 ? kernel::plain : kernel::pipeline, *one.work, one.once->data(),
              one.twice->data(), count);
      device::detail::launch(*one.work, {.blocks = 64, .threads = 256}, &count_wrong,
                             one.once->data(), one.twice->data(), count, numbers.data() + 1, round,
                             false, wrong.data());
    }
  }
  for (const side& one : sides) one.stream.wait();
  EXPECT_EQ(wrong.values()[0], 0u);
}

}  // namespace
