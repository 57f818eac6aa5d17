// The matrices of row norms: their meaning, and which ones are refused with a message.
#include <heddle/norm/matrix.cuh>

#include <string>

#include "support/on_device.cuh"

namespace {
using heddle::norm::matrix;
using heddle::norm::row_element;
namespace detail = heddle::norm::detail;

static_assert(row_element<float> && row_element<__half> && row_element<__nv_bfloat16>);
static_assert(!row_element<double> && !row_element<int> && !row_element<const float>);
static_assert(std::is_convertible_v<matrix<float>, matrix<const float>>);
static_assert(!std::is_convertible_v<matrix<const float>, matrix<float>>);
static_assert(!std::is_convertible_v<matrix<__half>, matrix<const float>>);

constexpr auto here = [] { return heddle::source_location::current(); };

std::string refusal_of(const matrix<float>& given, std::int64_t rows, std::int64_t columns) {
  try {
    detail::require_shape(given, rows, columns, "the residual", here());
    return {};
  } catch (const heddle::error& refusal) {
    EXPECT_EQ(refusal.code(), cudaErrorInvalidValue);
    return refusal.what();
  }
}
void expect_part(const std::string& sentence, const std::string& part) {
  EXPECT_NE(sentence.find(part), std::string::npos)
      << "'" << sentence << "' lacks '" << part << "'";
}

TEST(norm_matrix, is_contiguous_by_default) {
  float memory[1];
  const matrix<float> dense(memory, 3, 5), apart(memory, 3, 5, 8), none;
  EXPECT_EQ(dense.stride, 5);
  EXPECT_EQ(apart.stride, 8);
  EXPECT_EQ(none.data, nullptr);
  const matrix<const float> read_only = apart;
  EXPECT_EQ(read_only.data, memory);
  EXPECT_EQ(read_only.rows, 3);
  EXPECT_EQ(read_only.columns, 5);
  EXPECT_EQ(read_only.stride, 8);
}

TEST(norm_matrix, is_accepted_if_it_fits) {
  float memory[1];
  EXPECT_EQ(refusal_of({memory, 3, 5}, 3, 5), "");
  EXPECT_EQ(refusal_of({memory, 3, 5, 9}, 3, 5), "");
  EXPECT_EQ(refusal_of({memory, 1, 5, 0}, 1, 5), "") << "one row needs no stride";
  EXPECT_EQ(refusal_of({nullptr, 0, 5}, 0, 5), "") << "no rows need no memory";
}

TEST(norm_matrix, is_refused_if_shape_stride_or_memory_is_wrong) {
  float memory[1];
  expect_part(refusal_of({memory, 3, 4}, 3, 5),
              "the residual has 3 rows of 4 columns, and the input has 3 of 5");
  expect_part(refusal_of({memory, 2, 5}, 3, 5), "has 2 rows of 5 columns");
  expect_part(refusal_of({memory, 3, 5, 4}, 3, 5), "a stride smaller than its columns");
  expect_part(refusal_of({nullptr, 3, 5}, 3, 5), "has no memory");
}

TEST(norm_matrix, has_at_least_one_column_and_at_most_a_million_or_so) {
  for (const std::int64_t columns : {std::int64_t{1}, std::int64_t{1'048'576}}) {
    EXPECT_NO_THROW(detail::require_columns(0, columns, here())) << columns;
  }
  for (const std::int64_t columns : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1'048'577}}) {
    EXPECT_THROW(detail::require_columns(3, columns, here()), heddle::error) << columns;
  }
}

TEST(norm_matrix, has_no_fewer_than_no_rows) {
  try {
    detail::require_columns(-1, 8, here());
    FAIL() << "-1 rows are accepted";
  } catch (const heddle::error& refusal) {
    EXPECT_EQ(refusal.code(), cudaErrorInvalidValue);
    expect_part(refusal.what(), "a matrix has 0 or more rows, and not -1");
  }
}

}  // namespace
