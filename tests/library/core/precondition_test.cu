// A broken contract ends the kernel with its message, in every scope; a kept one does not.
// Preconditions are on in every build of this test.
#undef HEDDLE_CHECK_PRECONDITIONS
#define HEDDLE_CHECK_PRECONDITIONS 1
#include <unistd.h>
#include <heddle/block/histogram.cuh>
#include <heddle/core/vector_access.cuh>
#include <heddle/device/segmented_reduce.cuh>
#include <heddle/device/segmented_scan.cuh>
#include <heddle/group/lanes.cuh>
#include <heddle/group/reduce.cuh>
#include <heddle/group/shuffle.cuh>
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/broadcast.cuh>
#include <heddle/warp/match.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>
#include <heddle/warp/segmented.cuh>
#include <heddle/warp/sort.cuh>
#include <heddle/warp/top_k.cuh>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
namespace warp = heddle::warp;
using heddle::lane_mask;

// A GPU that traps may lose what its kernel has printed; the CPU prints at once.
#ifdef __HEDDLE_FRONTEND__
constexpr bool sentence_arrives = true;
#else
constexpr bool sentence_arrives = false;
#endif

constexpr int kernel_ended_well = 20;
constexpr int kernel_was_ended = 21;

// After a trap the process cannot use the GPU any more, so this process exits. Kernel output goes
// to standard error, where the test looks for it.
[[noreturn]] void exit_as_the_kernel_ends() {
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = cudaGetLastError();  // from the launch
  std::fflush(stdout);
  std::fprintf(stderr, "the kernel: %s\n", cudaGetErrorName(error));
  std::_Exit(error == cudaSuccess ? kernel_ended_well : kernel_was_ended);
}
template <typename Function>
[[noreturn]] void call_in_a_warp(const Function& function, int threads = 32) {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const device_array<int> answers(32);
  ask_every_thread<<<1, threads>>>(function, answers.data());
  exit_as_the_kernel_ends();
}

class precondition : public testing::Test {
 protected:
  // Each call runs in a new process, which has not used the GPU before.
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

  template <typename Function>
  static void expect_sentence(const Function& broken, const char* sentence) {
    EXPECT_EXIT(call_in_a_warp(broken), testing::ExitedWithCode(kernel_was_ended),
                sentence_arrives ? sentence : "the kernel: cudaErrorLaunchFailure");
  }
  template <typename Function>
  static void expect_no_complaint(const Function& kept) {
    EXPECT_EXIT(call_in_a_warp(kept), testing::ExitedWithCode(kernel_ended_well),
                "the kernel: cudaSuccess");
  }
};

// ---- core

struct load_four {
  int first;  // element
  __device__ int operator()() const {
    __shared__ alignas(16) int numbers[8];
    if (threadIdx.x < 8) numbers[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    return heddle::load_vector(numbers + first).values[3];
  }
};

struct add_up {
  int& sum;
  __device__ void operator()(int number, std::int64_t) const { sum += number; }
};
struct load_share {
  int stride;
  __device__ int operator()() const {
    __shared__ int numbers[32];
    numbers[threadIdx.x] = 1;
    __syncthreads();
    int sum = 0;
    heddle::load_each(numbers, 32, static_cast<int>(threadIdx.x), stride, add_up{sum});
    return sum;
  }
};

TEST_F(precondition, checks_the_alignment_of_a_vector) {
  expect_sentence(load_four{1}, "load_vector needs an address that is a multiple of 16");
  expect_no_complaint(load_four{4});
}

TEST_F(precondition, checks_that_first_is_below_the_stride) {
  expect_sentence(load_share{31}, "load_each needs 0 <= first < stride");
  expect_no_complaint(load_share{32});
}

// ---- warp: sixteen lanes call, in tiles of `width` lanes

enum class warp_call { reduce, scan, segments, sort, top_k, broadcast, increment };

template <warp_call called, int width>
struct call_in_tiles {
  __device__ int operator()() const {
    constexpr lane_mask callers = 0xffff;
    const int lane = heddle::lane_id();
    if (!heddle::contains(callers, lane)) return 0;
    if constexpr (called == warp_call::reduce) {
      return warp::reduce<width>(lane, heddle::plus{}, callers);
    } else if constexpr (called == warp_call::scan) {
      return warp::inclusive_scan<width>(lane, heddle::plus{}, callers);
    } else if constexpr (called == warp_call::segments) {
      return warp::segmented_reduce<width>(lane, lane % 3 == 0, heddle::plus{}, callers);
    } else if constexpr (called == warp_call::sort) {
      return warp::sort<width>(lane, heddle::ascending{}, callers);
    } else {
      return warp::top_k<2, width>(lane, heddle::descending{}, callers);
    }
  }
};

TEST_F(precondition, checks_that_members_hold_whole_tiles) {
  expect_sentence(call_in_tiles<warp_call::reduce, 32>{},
                  "warp::reduce needs every lane of the caller's tile among its members");
  expect_sentence(call_in_tiles<warp_call::scan, 32>{},
                  "warp::inclusive_scan needs every lane of the caller's tile among its members");
  expect_sentence(
      call_in_tiles<warp_call::segments, 32>{},
      "a segmented collective of a warp needs every lane of the caller's tile among its");
  expect_sentence(call_in_tiles<warp_call::sort, 32>{},
                  "warp::sort needs every lane of the caller's tile among its members");
  expect_sentence(call_in_tiles<warp_call::top_k, 32>{},
                  "warp::top_k needs every lane of the caller's tile among its members");
}

TEST_F(precondition, accepts_narrower_tiles) {
  expect_no_complaint(call_in_tiles<warp_call::reduce, 16>{});
  expect_no_complaint(call_in_tiles<warp_call::scan, 8>{});
  expect_no_complaint(call_in_tiles<warp_call::segments, 16>{});
  expect_no_complaint(call_in_tiles<warp_call::sort, 4>{});
  expect_no_complaint(call_in_tiles<warp_call::top_k, 16>{});
}

// All lanes are members by default, but some do not call: they have returned, or the block has no
// such thread.
template <warp_call called, int width>
struct call_after_an_exit {
  int first_to_exit;
  __device__ int operator()() const {
    const int lane = heddle::lane_id();
    if (lane >= first_to_exit) return 0;
    if constexpr (called == warp_call::reduce) {
      return warp::reduce<width>(lane);
    } else if constexpr (called == warp_call::scan) {
      return warp::inclusive_scan<width>(lane);
    } else if constexpr (called == warp_call::segments) {
      return warp::segmented_reduce<width>(lane, lane % 3 == 0);
    } else if constexpr (called == warp_call::sort) {
      return warp::sort<width>(lane);
    } else if constexpr (called == warp_call::top_k) {
      return warp::top_k<2, width>(lane);
    } else if constexpr (called == warp_call::broadcast) {
      return warp::broadcast<width>(lane, width - 1);
    } else {
      __shared__ int counter;
      counter = 0;
      return warp::aggregated_increment(&counter);
    }
  }
};

TEST_F(precondition, checks_that_no_lane_of_the_tile_has_exited) {
  const char* const gone = "needs every lane of the caller's tile to call, but one has exited or";
  expect_sentence(call_after_an_exit<warp_call::reduce, 32>{31}, gone);
  expect_sentence(call_after_an_exit<warp_call::scan, 32>{31}, gone);
  expect_sentence(call_after_an_exit<warp_call::segments, 32>{31}, gone);
  expect_sentence(call_after_an_exit<warp_call::sort, 32>{31}, gone);
  expect_sentence(call_after_an_exit<warp_call::top_k, 16>{24}, gone);
  expect_sentence(call_after_an_exit<warp_call::broadcast, 16>{24},
                  "warp::broadcast needs all its members to call");
  expect_sentence(call_after_an_exit<warp_call::increment, 32>{24},
                  "aggregated_increment needs all its members to call");
}

TEST_F(precondition, accepts_that_other_tiles_have_exited) {
  expect_no_complaint(call_after_an_exit<warp_call::reduce, 16>{16});
  expect_no_complaint(call_after_an_exit<warp_call::scan, 8>{24});
  expect_no_complaint(call_after_an_exit<warp_call::segments, 4>{4});
  expect_no_complaint(call_after_an_exit<warp_call::sort, 8>{24});
  expect_no_complaint(call_after_an_exit<warp_call::top_k, 16>{16});
  expect_no_complaint(call_after_an_exit<warp_call::broadcast, 16>{16});
}

TEST_F(precondition, checks_that_the_block_does_not_end_within_the_tile) {
  const call_after_an_exit<warp_call::reduce, 32> reduce{32};
  const call_after_an_exit<warp_call::reduce, 16> reduce_half{32};
  EXPECT_EXIT(call_in_a_warp(reduce, 24), testing::ExitedWithCode(kernel_was_ended),
              sentence_arrives ? "warp::reduce needs every lane of the caller's tile to call"
                               : "the kernel: cudaErrorLaunchFailure");
  EXPECT_EXIT(call_in_a_warp(reduce_half, 16), testing::ExitedWithCode(kernel_ended_well),
              "the kernel: cudaSuccess");
}

struct match_among {
  lane_mask members;
  __device__ int operator()() const {
    return static_cast<int>(warp::match_any(heddle::lane_id() % 4, members));
  }
};

struct draw_among {
  lane_mask members;
  __device__ int operator()() const {
    __shared__ int counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    return warp::aggregated_increment(&counter, members);
  }
};

TEST_F(precondition, checks_that_the_caller_is_a_member) {
  expect_sentence(match_among{0xfffffffe}, "match_any needs its caller among its members");
  expect_no_complaint(match_among{heddle::all_lanes});
  expect_sentence(draw_among{0x7fffffff},
                  "aggregated_increment needs its caller among its members");
  expect_no_complaint(draw_among{heddle::all_lanes});
}

// ---- group and block

struct reduce_in_group {
  lane_mask mask;
  __device__ int operator()() const {
    return heddle::group::reduce(heddle::group::lanes(mask), heddle::lane_id());
  }
};

struct shuffle_in_group {
  int source;
  __device__ int operator()() const {
    return heddle::group::shuffle(heddle::group::lanes(heddle::all_lanes), heddle::lane_id(),
                                  source);
  }
};

TEST_F(precondition, checks_that_the_caller_is_in_its_group) {
  expect_sentence(reduce_in_group{0xffff}, "the caller is no member of its group");
  expect_no_complaint(reduce_in_group{heddle::all_lanes});
}

TEST_F(precondition, checks_the_source_rank_of_a_group_shuffle) {
  expect_sentence(shuffle_in_group{32}, "group::shuffle needs the rank of a member as its source");
  expect_no_complaint(shuffle_in_group{31});
}

struct count_in_bin {
  int bin;
  __device__ int operator()() const {
    __shared__ heddle::block::histogram_scratch<8> scratch;
    heddle::block::clear_bins(scratch);
    heddle::block::count_in_bins(bin, scratch);
    return 0;
  }
};

// ---- device

// If the kernel has already been ended, the call's last launch reports it by an exception.
template <typename Function>
[[noreturn]] void call_on_device(const Function& function) {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  try {
    function();
  } catch (const heddle::error&) {
  }
  exit_as_the_kernel_ends();
}

// Three segments.
[[noreturn]] void sum_segments(const std::vector<int>& offsets) {
  heddle::device::workspace space;
  const device_array<int> values(std::vector<int>(100, 1)), begins(offsets), sums(3);
  call_on_device([&] {
    heddle::device::segmented_reduce(space, values.data(), begins.data(), 3, sums.data());
  });
}
[[noreturn]] void scan_segments(const std::vector<int>& offsets) {
  heddle::device::workspace space;
  const device_array<int> values(std::vector<int>(100, 1)), begins(offsets), sums(100);
  call_on_device([&] {
    heddle::device::inclusive_scan_by_offsets(space, values.data(), begins.data(), 3, sums.data(),
                                              100);
  });
}

TEST_F(precondition, checks_that_the_offsets_of_segments_ascend) {
  const char* const sentence = sentence_arrives ? "the offsets of segments must ascend"
                                                : "the kernel: cudaErrorLaunchFailure";
  const auto wrong = testing::ExitedWithCode(kernel_was_ended);
  const auto right = testing::ExitedWithCode(kernel_ended_well);
  EXPECT_EXIT(sum_segments({0, 60, 40, 100}), wrong, sentence);
  EXPECT_EXIT(sum_segments({0, 40, 40, 100}), right, "cudaSuccess");
  EXPECT_EXIT(scan_segments({0, 60, 40}), wrong, sentence);
  EXPECT_EXIT(scan_segments({10, 10, 40}), right, "cudaSuccess");
}

TEST_F(precondition, checks_the_bin_of_a_block_histogram) {
  expect_sentence(count_in_bin{8}, "block::count_in_bins needs a bin of the histogram");
  expect_no_complaint(count_in_bin{-1});
}

}  // namespace
