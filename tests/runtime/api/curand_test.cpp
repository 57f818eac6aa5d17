// cuRAND's host API: the order of numbers, which the device API defines, settings, streams, errors.
#include <curand_kernel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels.hpp"

namespace {

constexpr unsigned long long seed = 0x1234567890abcdefull;

class host_generator {
 public:
  explicit host_generator(curandRngType_t type) {
    EXPECT_EQ(curandCreateGeneratorHost(&handle_, type), CURAND_STATUS_SUCCESS);
  }
  ~host_generator() { EXPECT_EQ(curandDestroyGenerator(handle_), CURAND_STATUS_SUCCESS); }
  operator curandGenerator_t() const { return handle_; }

  std::vector<unsigned> bits(std::size_t count) {
    std::vector<unsigned> numbers(count, 0xa5a5a5a5u);
    EXPECT_EQ(curandGenerate(handle_, numbers.data(), count), CURAND_STATUS_SUCCESS);
    return numbers;
  }

 private:
  curandGenerator_t handle_ = nullptr;
};

// Number n is number n / streams of subsequence n % streams.
template <typename State>
std::vector<unsigned> interleaved(unsigned streams, std::size_t first, std::size_t count) {
  std::vector<unsigned> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    State state;
    curand_init(seed, (first + i) % streams, (first + i) / streams, &state);
    numbers[i] = curand(&state);
  }
  return numbers;
}

TEST(curand, interleaves_4096_subsequences_of_xorwow) {
  host_generator made(CURAND_RNG_PSEUDO_DEFAULT);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(made, seed), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(made.bits(10000), interleaved<curandStateXORWOW_t>(4096, 0, 10000));
  EXPECT_EQ(made.bits(5), interleaved<curandStateXORWOW_t>(4096, 10000, 5));
  ASSERT_EQ(curandSetGeneratorOffset(made, 4095 + 4096 * 3), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(made.bits(4100), interleaved<curandStateXORWOW_t>(4096, 4095 + 4096 * 3, 4100));
}

TEST(curand, interleaves_more_subsequences_of_mrg32k3a_unless_the_order_is_legacy) {
  host_generator made(CURAND_RNG_PSEUDO_MRG32K3A);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(made, seed), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(made.bits(90000), interleaved<curandStateMRG32k3a_t>(81920, 0, 90000));
  ASSERT_EQ(curandSetGeneratorOrdering(made, CURAND_ORDERING_PSEUDO_LEGACY), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(made.bits(9000), interleaved<curandStateMRG32k3a_t>(4096, 0, 9000));
}

// Blocks of four numbers: block b is block b / 65536 of subsequence b % 65536.
std::vector<unsigned> blocks_of_philox(std::size_t first, std::size_t count) {
  std::vector<unsigned> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t block = (first + i) / 4;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, block % 65536, block / 65536 * 4 + (first + i) % 4, &state);
    numbers[i] = curand(&state);
  }
  return numbers;
}

TEST(curand, interleaves_65536_subsequences_of_philox_in_blocks) {
  host_generator made(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(made, seed), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(made.bits(7), blocks_of_philox(0, 7));
  EXPECT_EQ(made.bits(300000), blocks_of_philox(7, 300000));
  ASSERT_EQ(curandSetGeneratorOffset(made, 262150), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(made.bits(9), blocks_of_philox(262150, 9));
}

// The reference implementation's output for its default seed, at number 10000.
TEST(curand, yields_the_numbers_of_mt19937) {
  host_generator made(CURAND_RNG_PSEUDO_MT19937);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(made, 5489), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(made.bits(10000).back(), 4123659995u);
  EXPECT_EQ(curandSetGeneratorOffset(made, 1), CURAND_STATUS_TYPE_ERROR);
}

// The numbers are not NVIDIA's, but a program gets the same ones again, and others for another
// seed.
TEST(curand, yields_uniform_numbers_for_mtgp32_that_depend_on_the_seed) {
  constexpr std::size_t count = 100000;
  host_generator made(CURAND_RNG_PSEUDO_MTGP32), again(CURAND_RNG_PSEUDO_MTGP32),
      other(CURAND_RNG_PSEUDO_MTGP32), plain(CURAND_RNG_PSEUDO_MT19937);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(made, seed), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(again, seed), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(plain, seed), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(other, seed + (1ull << 32)), CURAND_STATUS_SUCCESS);
  const std::vector<unsigned> numbers = made.bits(count);
  EXPECT_EQ(again.bits(count), numbers);
  EXPECT_NE(other.bits(count), numbers);
  EXPECT_NE(plain.bits(count), numbers);
  // Each bit is set in half of the numbers: 158 is the standard deviation.
  for (int bit = 0; bit < 32; ++bit) {
    const auto set = std::count_if(numbers.begin(), numbers.end(),
                                   [bit](unsigned number) { return (number >> bit & 1) != 0; });
    EXPECT_NEAR(static_cast<double>(set), count / 2.0, 6 * 158.0) << "bit " << bit;
  }
  EXPECT_EQ(curandSetGeneratorOffset(made, 1), CURAND_STATUS_TYPE_ERROR);
}

TEST(curand, makes_a_pair_of_normal_numbers_from_each_subsequence) {
  host_generator made(CURAND_RNG_PSEUDO_XORWOW);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(made, seed), CURAND_STATUS_SUCCESS);
  constexpr std::size_t count = 2 * 4096 + 6;
  std::vector<float> numbers(count);
  ASSERT_EQ(curandGenerateNormal(made, numbers.data(), count, 3, 0.5f), CURAND_STATUS_SUCCESS);
  for (std::size_t pair = 0; pair < count / 2; ++pair) {
    curandStateXORWOW_t state;
    curand_init(seed, pair % 4096, pair / 4096 * 2, &state);
    const float2 normal = curand_normal2(&state);
    ASSERT_EQ(numbers[2 * pair], 3 + 0.5f * normal.x) << pair;
    ASSERT_EQ(numbers[2 * pair + 1], 3 + 0.5f * normal.y) << pair;
  }
  EXPECT_EQ(curandGenerateNormal(made, numbers.data(), 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
}

TEST(curand, fills_one_dimension_after_the_other) {
  for (const auto type : {CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64}) {
    host_generator made(type);
    ASSERT_EQ(curandSetQuasiRandomGeneratorDimensions(made, 3), CURAND_STATUS_SUCCESS);
    std::vector<float> numbers(12);
    ASSERT_EQ(curandGenerateUniform(made, numbers.data(), 12), CURAND_STATUS_SUCCESS);
    const float expected[] = {0, .5f, .75f, .25f, 0, .5f, .25f, .75f, 0, .5f, .25f, .75f};
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(numbers[i], expected[i], 1e-7) << i;
    EXPECT_EQ(curandGenerateUniform(made, numbers.data(), 11), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    // The next call continues each dimension; an offset counts points.
    ASSERT_EQ(curandGenerateUniform(made, numbers.data(), 3), CURAND_STATUS_SUCCESS);
    std::vector<float> by_offset(3);
    ASSERT_EQ(curandSetGeneratorOffset(made, 4), CURAND_STATUS_SUCCESS);
    ASSERT_EQ(curandGenerateUniform(made, by_offset.data(), 3), CURAND_STATUS_SUCCESS);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(numbers[i], by_offset[i]);
  }
}

// 2^k points of a Sobol sequence have one point in each of 2^k equal intervals of every dimension.
TEST(curand, covers_every_dimension_evenly) {
  constexpr unsigned dimensions = 37, points = 1024;
  host_generator made(CURAND_RNG_QUASI_SOBOL32);
  ASSERT_EQ(curandSetQuasiRandomGeneratorDimensions(made, dimensions), CURAND_STATUS_SUCCESS);
  const std::vector<unsigned> numbers = made.bits(dimensions * points);
  for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
    std::vector<bool> is_hit(points);
    for (unsigned i = 0; i < points; ++i) is_hit[numbers[dimension * points + i] >> 22] = true;
    for (unsigned i = 0; i < points; ++i) ASSERT_TRUE(is_hit[i]) << dimension << ' ' << i;
  }
  EXPECT_EQ(curandSetQuasiRandomGeneratorDimensions(made, dimensions + 1),
            CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandSetQuasiRandomGeneratorDimensions(made, 0), CURAND_STATUS_OUT_OF_RANGE);
}

TEST(curand, vectors_of_64_bits_begin_with_those_of_32_bits) {
  curandDirectionVectors32_t* narrow = nullptr;
  curandDirectionVectors64_t* wide = nullptr;
  ASSERT_EQ(curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_32_JOEKUO6),
            CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6),
            CURAND_STATUS_SUCCESS);
  for (int dimension = 0; dimension < 37; ++dimension) {
    for (int k = 0; k < 32; ++k) ASSERT_EQ(narrow[dimension][k], wide[dimension][k] >> 32);
  }
  EXPECT_EQ(curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_64_JOEKUO6),
            CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandGetDirectionVectors32(nullptr, CURAND_DIRECTION_VECTORS_32_JOEKUO6),
            CURAND_STATUS_OUT_OF_RANGE);
}

TEST(curand, refuses_what_a_type_does_not_have) {
  host_generator pseudo(CURAND_RNG_PSEUDO_XORWOW), quasi(CURAND_RNG_QUASI_SOBOL32),
      wide(CURAND_RNG_QUASI_SOBOL64);
  unsigned word = 0;
  unsigned long long wide_word = 0;
  curandGenerator_t none = nullptr;
  EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(quasi, 1), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandSetQuasiRandomGeneratorDimensions(pseudo, 2), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandSetGeneratorOrdering(pseudo, CURAND_ORDERING_QUASI_DEFAULT),
            CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandSetGeneratorOrdering(quasi, CURAND_ORDERING_PSEUDO_BEST),
            CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandGenerate(wide, &word, 1), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandGenerateLongLong(pseudo, &wide_word, 1), CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandGeneratePoisson(pseudo, &word, 1, 0), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandGeneratePoisson(pseudo, &word, 1, 400001), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandCreateGenerator(&none, static_cast<curandRngType_t>(7)),
            CURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(curandGenerate(nullptr, &word, 1), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(curandDestroyGenerator(nullptr), CURAND_STATUS_NOT_INITIALIZED);
}

class curand_on_device : public device_test {};

TEST_F(curand_on_device, fills_device_memory_in_the_order_of_the_stream) {
  constexpr std::size_t count = 5000;
  cudaStream_t stream = nullptr;
  unsigned* memory = nullptr;
  curandGenerator_t made = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&memory, count * sizeof(unsigned)), cudaSuccess);
  ASSERT_EQ(cudaMemset(memory, 0xa5, count * sizeof(unsigned)), cudaSuccess);
  ASSERT_EQ(curandCreateGenerator(&made, CURAND_RNG_PSEUDO_XORWOW), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(made, seed), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandSetStream(made, stream), CURAND_STATUS_SUCCESS);
  gate closed;
  closed.hold(stream);
  ASSERT_EQ(curandGenerate(made, memory, count), CURAND_STATUS_SUCCESS);
  // A new seed and the end of the generator do not change what has been submitted.
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(made, 1), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandDestroyGenerator(made), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  closed.open();
  std::vector<unsigned> numbers(count);
  ASSERT_EQ(cudaMemcpyAsync(numbers.data(), memory, count * sizeof(unsigned),
                            cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(numbers, interleaved<curandStateXORWOW_t>(4096, 0, count));
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(curand_on_device, makes_new_numbers_each_time_that_a_graph_runs) {
  cudaStream_t stream = nullptr;
  unsigned* memory = nullptr;
  curandGenerator_t made = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&memory, 4 * sizeof(unsigned)), cudaSuccess);
  ASSERT_EQ(curandCreateGenerator(&made, CURAND_RNG_PSEUDO_XORWOW), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(made, seed), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandSetStream(made, stream), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(curandGenerate(made, memory, 4), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (std::size_t round = 0; round < 3; ++round) {
    ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(std::vector<unsigned>(memory, memory + 4),
              interleaved<curandStateXORWOW_t>(4096, 4 * round, 4));
  }
  EXPECT_EQ(curandDestroyGenerator(made), CURAND_STATUS_SUCCESS);
}

TEST_F(curand_on_device, fails_for_host_memory) {
  unsigned word = 0;
  curandGenerator_t made = nullptr;
  ASSERT_EQ(curandCreateGenerator(&made, CURAND_RNG_PSEUDO_XORWOW), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(curandGenerate(made, &word, 1), CURAND_STATUS_LAUNCH_FAILURE);
  EXPECT_EQ(word, 0u);
  EXPECT_EQ(curandDestroyGenerator(made), CURAND_STATUS_SUCCESS);
  cudaGetLastError();
}

void draw_counts(unsigned* counts, curandDiscreteDistribution_t distribution) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    curandStatePhilox4_32_10_t state;
    curand_init(9, threadIdx.x, 0, &state);
    for (int i = 0; i < 1000; ++i) {
      counts[threadIdx.x * 1000 + i] = curand_discrete(&state, distribution);
    }
  });
}

TEST_F(curand_on_device, draws_poisson_numbers_from_a_table) {
  constexpr int threads = 64, draws = threads * 1000;
  unsigned* counts = nullptr;
  ASSERT_EQ(cudaMallocManaged(&counts, draws * sizeof(unsigned)), cudaSuccess);
  for (const double lambda : {0.5, 40.0, 1999.0, 2001.0}) {
    curandDiscreteDistribution_t distribution = nullptr;
    ASSERT_EQ(curandCreatePoissonDistribution(lambda, &distribution), CURAND_STATUS_SUCCESS);
    launch_on(nullptr, 1, threads, draw_counts, counts, distribution);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    double sum = 0, squares = 0;
    for (int i = 0; i < draws; ++i) {
      sum += counts[i];
      squares += (counts[i] - lambda) * (counts[i] - lambda);
    }
    EXPECT_NEAR(sum / draws, lambda, 6 * std::sqrt(lambda / draws)) << lambda;
    EXPECT_NEAR(squares / draws, lambda, 0.06 * lambda) << lambda;
    EXPECT_EQ(curandDestroyDistribution(distribution), CURAND_STATUS_SUCCESS);
  }
  curandDiscreteDistribution_t none = nullptr;
  EXPECT_EQ(curandCreatePoissonDistribution(-1, &none), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandDestroyDistribution(nullptr), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cudaFree(counts), cudaSuccess);
}

}  // namespace
