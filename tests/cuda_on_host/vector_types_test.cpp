// Sizes, alignments and construction of CUDA's vector types.
#include <cache_functions.h>
#include <gtest/gtest.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <cstddef>
#include <type_traits>

namespace {

template <typename Vector>
constexpr bool has_layout(std::size_t size, std::size_t alignment) {
  return sizeof(Vector) == size && alignof(Vector) == alignment &&
         std::is_trivially_copyable_v<Vector> && std::is_standard_layout_v<Vector> &&
         std::is_aggregate_v<Vector>;
}

// Sizes and alignments of the CUDA C++ Programming Guide, "Built-in Vector Types".
template <typename One, typename Two, typename Three, typename Four>
constexpr bool have_layouts(std::size_t part, std::size_t two, std::size_t four) {
  return has_layout<One>(part, part) && has_layout<Two>(2 * part, two) &&
         has_layout<Three>(3 * part, part) && has_layout<Four>(4 * part, four);
}
static_assert(have_layouts<char1, char2, char3, char4>(1, 2, 4));
static_assert(have_layouts<uchar1, uchar2, uchar3, uchar4>(1, 2, 4));
static_assert(have_layouts<short1, short2, short3, short4>(2, 4, 8));
static_assert(have_layouts<ushort1, ushort2, ushort3, ushort4>(2, 4, 8));
static_assert(have_layouts<int1, int2, int3, int4>(4, 8, 16));
static_assert(have_layouts<uint1, uint2, uint3, uint4>(4, 8, 16));
static_assert(have_layouts<long1, long2, long3, long4>(8, 16, 16));
static_assert(have_layouts<ulong1, ulong2, ulong3, ulong4>(8, 16, 16));
static_assert(have_layouts<longlong1, longlong2, longlong3, longlong4>(8, 16, 16));
static_assert(have_layouts<ulonglong1, ulonglong2, ulonglong3, ulonglong4>(8, 16, 16));
static_assert(have_layouts<float1, float2, float3, float4>(4, 8, 16));
static_assert(have_layouts<double1, double2, double3, double4>(8, 16, 16));
static_assert(has_layout<double4_16a>(32, 16) && has_layout<double4_32a>(32, 32));
static_assert(has_layout<long4_16a>(32, 16) && has_layout<long4_32a>(32, 32));
static_assert(has_layout<ulong4_16a>(32, 16) && has_layout<ulong4_32a>(32, 32));
static_assert(has_layout<longlong4_16a>(32, 16) && has_layout<longlong4_32a>(32, 32));
static_assert(has_layout<ulonglong4_16a>(32, 16) && has_layout<ulonglong4_32a>(32, 32));
static_assert(sizeof(dim3) == 12 && alignof(dim3) == 4 && std::is_trivially_copyable_v<dim3>);

TEST(vector_types, make_functions_fill_the_parts_in_order) {
  constexpr float4 f = make_float4(1, 2, 3, 4);
  static_assert(f.x == 1 && f.y == 2 && f.z == 3 && f.w == 4);
  EXPECT_EQ(make_char3(1, -2, 3).y, -2);
  EXPECT_EQ(make_uchar4(1, 2, 3, 255).w, 255);
  EXPECT_EQ(make_longlong2(1, -1).y, -1);
  EXPECT_EQ(make_ulonglong4_32a(1, 2, 3, 4).z, 3u);
  EXPECT_EQ(make_double4_16a(1, 2, 3, 4).w, 4);
}

TEST(vector_types, dim3_defaults_to_one_and_converts) {
  constexpr dim3 empty, line(7), plane(7, 8);
  static_assert(empty.x == 1 && empty.y == 1 && empty.z == 1);
  static_assert(line.x == 7 && line.y == 1 && plane.y == 8 && plane.z == 1);
  const uint3 plain = plane;
  EXPECT_EQ(plain.y, 8u);
  const dim3 back = plain;
  EXPECT_EQ(back.x, 7u);
  const dim3 from_number = 5;
  EXPECT_EQ(from_number.x, 5u);
  const dim3 listed = {2, 3};
  EXPECT_EQ(listed.x * listed.y * listed.z, 6u);
}

TEST(cache_functions, load_and_store_values) {
  float4 quad = make_float4(1, 2, 3, 4);
  EXPECT_EQ(__ldg(&quad).w, 4);
  EXPECT_EQ(__ldcg(&quad).x, 1);
  EXPECT_EQ(__ldca(&quad).y, 2);
  EXPECT_EQ(__ldcs(&quad).z, 3);
  EXPECT_EQ(__ldlu(&quad).w, 4);
  EXPECT_EQ(__ldcv(&quad).z, 3);
  const short small[] = {5, -6};
  EXPECT_EQ(__ldg(small + 1), -6);
  EXPECT_EQ(__ldcv(small + 1), -6);
  const char letter = 'h';
  EXPECT_EQ(__ldcv(&letter), 'h');
  __stcg(&quad, make_float4(5, 6, 7, 8));
  EXPECT_EQ(quad.y, 6);
  float single = 0;
  __stcs(&single, 1);  // converts like an assignment
  EXPECT_EQ(single, 1);
  __stwb(&single, 2);
  EXPECT_EQ(single, 2);
  __stwt(&single, 3);
  EXPECT_EQ(single, 3);
}

}  // namespace
