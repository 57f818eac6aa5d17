// What half and bfloat16 are as types: layout, names, implicit conversion, packing.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>

namespace {

template <typename Scalar, typename Pair, typename Raw, typename PairRaw>
constexpr bool has_layout() {
  return sizeof(Scalar) == 2 && alignof(Scalar) == 2 && sizeof(Pair) == 4 && alignof(Pair) == 4 &&
         std::is_trivially_copyable<Scalar>::value && std::is_trivially_copyable<Pair>::value &&
         std::is_trivially_default_constructible<Scalar>::value &&
         std::is_trivially_default_constructible<Pair>::value &&
         std::is_standard_layout<Scalar>::value && std::is_standard_layout<Pair>::value &&
         std::is_convertible<Scalar, Raw>::value && std::is_convertible<Raw, Scalar>::value &&
         std::is_convertible<Pair, PairRaw>::value && std::is_convertible<PairRaw, Pair>::value;
}
static_assert(has_layout<__half, __half2, __half_raw, __half2_raw>(), "half");
static_assert(has_layout<__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw>(),
              "bfloat16");
static_assert(std::is_same<half, __half>::value && std::is_same<half2, __half2>::value, "names");
static_assert(std::is_same<nv_bfloat16, __nv_bfloat16>::value, "names");
static_assert(std::is_same<nv_bfloat162, __nv_bfloat162>::value, "names");
static_assert(!std::is_convertible<__half, __nv_bfloat16>::value, "only said out loud");
static_assert(std::is_constructible<__half, __nv_bfloat16>::value, "said out loud");

constexpr __half constant_half(__half_raw{0x3c00});

TEST(narrow_types, numbers_convert_implicitly) {
  const half from_float = 1.5f, from_double = 1.5, from_int = 3, from_unsigned = 3u;
  const half from_long = 3l, from_long_long = 3ll, from_short = short(3), from_size = sizeof(int);
  EXPECT_EQ(static_cast<float>(from_float), 1.5f);
  EXPECT_EQ(static_cast<float>(from_double), 1.5f);
  EXPECT_EQ(static_cast<int>(from_int), 3);
  EXPECT_EQ(static_cast<unsigned>(from_unsigned), 3u);
  EXPECT_EQ(static_cast<long>(from_long), 3l);
  EXPECT_EQ(static_cast<long long>(from_long_long), 3ll);
  EXPECT_EQ(static_cast<short>(from_short), 3);
  EXPECT_EQ(static_cast<std::size_t>(from_size), 4u);
  const float widened = from_float;
  const double widened_twice = from_float;
  EXPECT_EQ(widened, 1.5f);
  EXPECT_EQ(widened_twice, 1.5);
  EXPECT_EQ(__half2float(constant_half), 1.0f);
  half assigned;
  assigned = 2.5f;
  EXPECT_EQ(__half2float(assigned), 2.5f);
  assigned = 7;
  EXPECT_EQ(__half2float(assigned), 7.0f);
  if (!assigned) ADD_FAILURE() << "7 counts as true";
  const nv_bfloat16 brain = 1.5f;
  EXPECT_EQ(static_cast<float>(brain), 1.5f);
  EXPECT_EQ(static_cast<float>(static_cast<half>(brain)), 1.5f);
}

TEST(narrow_types, volatile_numbers_can_be_written_and_read) {
  volatile __half shared = __half(2.0f);
  shared = __half(3.0f);
  const __half read(shared);
  EXPECT_EQ(__half2float(read), 3.0f);
}

TEST(narrow_types, pairs_pack_low_and_high) {
  const half2 pair = __floats2half2_rn(1, 2);
  EXPECT_EQ(__low2float(pair), 1);
  EXPECT_EQ(__high2float(pair), 2);
  unsigned int word;
  std::memcpy(&word, &pair, 4);
  EXPECT_EQ(word, 0x40003c00u);
  EXPECT_EQ(__half22float2(__lowhigh2highlow(pair)).x, 2);
  EXPECT_EQ(__half22float2(__low2half2(pair)).y, 1);
  EXPECT_EQ(__half22float2(__high2half2(pair)).x, 2);
  EXPECT_EQ(__half22float2(__lows2half2(pair, __half2half2(__low2half(pair)))).y, 1);
  EXPECT_EQ(__half22float2(__highs2half2(pair, pair)).x, 2);
  EXPECT_EQ(__half22float2(__float2half2_rn(3)).y, 3);
  EXPECT_EQ(__half22float2(__float22half2_rn(float2{4, 5})).y, 5);
  EXPECT_EQ(__half22float2(__halves2half2(__high2half(pair), __low2half(pair))).x, 2);
  EXPECT_EQ(__half22float2(make_half2(pair.y, pair.x)).y, 1);
  const nv_bfloat162 brains = __floats2bfloat162_rn(1, 2);
  EXPECT_EQ(__bfloat1622float2(brains).y, 2);
  EXPECT_EQ(__bfloat1622float2(__bfloat162bfloat162(brains.y)).x, 2);
  EXPECT_EQ(__bfloat162float(__high2bfloat16(brains)), 2);
  EXPECT_EQ(__bfloat1622float2(make_bfloat162(brains.y, brains.x)).y, 1);
  EXPECT_EQ(__bfloat1622float2(__halves2bfloat162(brains.y, brains.x)).y, 1);
}

TEST(narrow_types, constants_and_cached_loads_have_the_right_values) {
  EXPECT_EQ(__hisinf(CUDART_INF_FP16), 1);
  EXPECT_TRUE(__hisnan(CUDART_NAN_FP16));
  EXPECT_EQ(__half2float(CUDART_MAX_NORMAL_FP16), 65504.0f);
  EXPECT_EQ(__half2float(CUDART_MIN_DENORM_FP16), 0x1p-24f);
  EXPECT_EQ(__half2float(CUDART_ONE_FP16), 1.0f);
  EXPECT_EQ(__hisinf(CUDART_INF_BF16), 1);
  EXPECT_EQ(__bfloat162float(CUDART_ONE_BF16), 1.0f);
  EXPECT_EQ(__bfloat162float(CUDART_MIN_DENORM_BF16), 0x1p-133f);
  half numbers[] = {1, 2, 3};
  EXPECT_EQ(__half2float(__ldg(numbers + 1)), 2);
  EXPECT_EQ(__half2float(__ldcv(numbers + 2)), 3);
  __stcg(numbers, half(9));
  EXPECT_EQ(__half2float(numbers[0]), 9);
  const half2 pair(numbers[0], numbers[1]);
  EXPECT_EQ(__high2float(__ldcs(&pair)), 2);
}

}  // namespace
