// What kernels know about their architecture, and what the host reports and refuses.
#include <heddle/core/architecture.cuh>

#include <string>

#include "support/on_device.cuh"

namespace {
using heddle::feature;
using namespace heddle_test;

// Each feature and the first architecture that has it, by the CUDA programming guide and PTX ISA.
struct feature_of_cuda {
  feature what;
  int since;
};
constexpr int features = 7;
constexpr feature_of_cuda all_features[features] = {
    {feature::warp_reduction, 80}, {feature::asynchronous_copy, 80}, {feature::bulk_copy, 90},
    {feature::cluster, 90},        {feature::early_start, 90},       {feature::wide_atomic, 90},
    {feature::vector_atomic, 90}};

struct compiled_facts {
  int architecture;
  bool has[features];
};

struct ask_the_compiler {
  __device__ compiled_facts operator()() const {
    using heddle::has_feature;
    return {heddle::compiled_architecture,
            {has_feature<feature::warp_reduction>, has_feature<feature::asynchronous_copy>,
             has_feature<feature::bulk_copy>, has_feature<feature::cluster>,
             has_feature<feature::early_start>, has_feature<feature::wide_atomic>,
             has_feature<feature::vector_atomic>}};
  }
};

TEST(core_architecture, reports_no_feature_that_the_device_lacks) {
  const heddle::device_facts device = heddle::current_device();
  const compiled_facts compiled = answers_of(ask_the_compiler{}, 1)[0];
  EXPECT_GE(compiled.architecture, heddle::oldest_architecture);
  EXPECT_LE(compiled.architecture, device.architecture);
  for (int i = 0; i < features; ++i) {
    const auto [what, since] = all_features[i];
    EXPECT_EQ(heddle::first_architecture(what), since) << name_of(what);
    EXPECT_EQ(compiled.has[i], compiled.architecture >= since) << name_of(what);
    if (compiled.has[i]) EXPECT_TRUE(device.has(what)) << name_of(what);
  }
}

__global__ void empty_kernel(int) {}

TEST(core_architecture, knows_what_a_kernel_was_compiled_for) {
  const compiled_facts compiled = answers_of(ask_the_compiler{}, 1)[0];
  EXPECT_EQ(heddle::architecture_of_kernel(empty_kernel), compiled.architecture);
}

TEST(core_architecture, describes_the_current_device) {
  const heddle::device_facts device = heddle::current_device();
  const auto attribute = [&](cudaDeviceAttr which) {
    int value = -1;
    check(cudaDeviceGetAttribute(&value, which, device.device), "an attribute");
    return value;
  };
  EXPECT_EQ(device.architecture, 10 * attribute(cudaDevAttrComputeCapabilityMajor) +
                                     attribute(cudaDevAttrComputeCapabilityMinor));
  EXPECT_EQ(device.multiprocessors, attribute(cudaDevAttrMultiProcessorCount));
  EXPECT_EQ(device.threads_per_multiprocessor, attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  EXPECT_EQ(device.resident_threads(),
            std::size_t{1} * static_cast<unsigned>(device.multiprocessors) *
                static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerMultiProcessor)));
  EXPECT_FALSE(device.name.empty());
  EXPECT_EQ(device.lanes_per_warp, 32);
  EXPECT_GE(device.multiprocessors, 1);
  EXPECT_GE(device.resident_threads(), 1024u);
  EXPECT_GE(device.shared_bytes_per_block, std::size_t{48} * 1024);
  EXPECT_NO_THROW(heddle::require_supported(device));
}

TEST(core_architecture, refuses_a_missing_device) {
  EXPECT_THROW(static_cast<void>(heddle::facts_of_device(4711)), heddle::error);
  static_cast<void>(cudaGetLastError());  // clear it for the next test
}

template <typename Function>
std::string refusal_of(Function function) {
  try {
    function();
  } catch (const heddle::error& thrown) {
    EXPECT_EQ(thrown.code(), cudaErrorNotSupported);
    return thrown.what();
  }
  return "nothing was thrown";
}

TEST(core_architecture, refuses_gpus_before_turing_with_a_message) {
  const heddle::device_facts volta{1, "Tesla V100", 70, 32, 80, 98304, 6291456};
  EXPECT_NE(refusal_of([&] {
              heddle::require_supported(volta);
            }).find("device 1 (Tesla V100, compute capability 7.0) is older than Turing"),
            std::string::npos);
  const heddle::device_facts turing{0, "Tesla T4", 75, 32, 40, 65536, 4194304};
  EXPECT_NO_THROW(heddle::require_supported(turing));
}

TEST(core_architecture, refuses_other_warp_sizes) {
  const heddle::device_facts other{0, "something else", 90, 64, 100, 65536, 4194304};
  EXPECT_NE(refusal_of([&] { heddle::require_supported(other); }).find("warps of 64 lanes"),
            std::string::npos);
}

TEST(core_architecture, names_the_feature_that_is_missing) {
  const heddle::device_facts ampere{0, "A100", 80, 32, 108, 166912, 41943040};
  EXPECT_NO_THROW(heddle::require_feature(ampere, feature::warp_reduction));
  EXPECT_NO_THROW(heddle::require_feature(ampere, feature::asynchronous_copy));
  EXPECT_NE(refusal_of([&] { heddle::require_feature(ampere, feature::cluster); })
                .find("device 0 (A100, compute capability 8.0) has no thread block clusters, which "
                      "came with compute capability 9.0"),
            std::string::npos);
  for (const feature missing : {feature::bulk_copy, feature::wide_atomic, feature::vector_atomic}) {
    EXPECT_NE(refusal_of([&] {
                heddle::require_feature(ampere, missing);
              }).find(heddle::name_of(missing)),
              std::string::npos);
  }
  const heddle::device_facts turing{0, "Tesla T4", 75, 32, 40, 65536, 4194304};
  for (const auto& missing : all_features) EXPECT_FALSE(turing.has(missing.what));
}

}  // namespace
