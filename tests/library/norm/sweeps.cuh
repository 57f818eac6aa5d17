// Runs the row norms in every kernel, layout and length.
#pragma once
#include <algorithm>

#include "norm/rows.cuh"

namespace heddle_test {

// Every kernel, and the longest row it can hold, in vectors of 16 bytes.
struct kernel_shape {
  launch_shape shape;
  int vectors;
};
inline std::vector<kernel_shape> shapes_of_aligned_rows() {
  return {{{2, 2, 64, 1}, 4},          {{4, 2, 64, 1}, 8},          {{8, 2, 96, 1}, 16},
          {{16, 2, 64, 1}, 32},        {{32, 2, 64, 1}, 64},        {{32, 4, 64, 1}, 128},
          {{32, 8, 64, 1}, 256},       {{32, 16, 32, 1}, 512},      {{0, 1, 64, 1}, 64},
          {{0, 2, 96, 1}, 192},        {{0, 4, 64, 1}, 256},        {{0, 8, 32, 1}, 256},
          {{0, 1, 512, 1}, 512},       {{0, 2, 32, 2}, 128},        {{0, 4, 64, 3}, 768},
          {{0, 8, 32, 8}, 2048},       {{0, 1, 1024, 8}, 8192},     {{0, 0, 64, 1}, 700},
          {{0, 0, 32, 4}, 1200},       {{0, 4, 64, 1, true}, 256},  {{0, 4, 32, 2, true}, 256},
          {{0, 4, 96, 3, true}, 1152}, {{0, 4, 32, 8, true}, 1024}, {{0, 8, 32, 1, true}, 256},
          {{0, 8, 96, 1, true}, 768}};
}
inline std::vector<kernel_shape> shapes_of_ragged_rows() {
  return {{{2, 2, 64, 1}, 4},   {{8, 2, 64, 1}, 16},  {{32, 4, 64, 1}, 128}, {{0, 4, 64, 1}, 256},
          {{0, 4, 32, 2}, 256}, {{0, 0, 64, 1}, 700}, {{0, 0, 32, 4}, 1200}};
}

// For each kernel: rows that fill it, rows one vector shorter, and rows of one vector; more rows
// than one block handles, and a single row.
template <typename T, typename Norm>
void expect_every_aligned_kernel(const Norm& norm, bool has_residual = false) {
  constexpr int length = heddle::vector_length<T>;
  for (const kernel_shape& kernel : shapes_of_aligned_rows()) {
    for (const int vectors : {kernel.vectors, kernel.vectors - 1, 1}) {
      for (const std::int64_t rows : {1, 5}) {
        if (rows * vectors > 4096) continue;
        layout where;
        where.rows = rows;
        where.columns = vectors * length;
        where.has_residual = has_residual;
        where.shape = &kernel.shape;
        ASSERT_NO_FATAL_FAILURE(expect_norm<T>(norm, where));
      }
    }
  }
}

// Persistent blocks have several rows each, also on a large GPU. With few multiprocessors, as on a
// CPU, few rows suffice.
template <typename T, typename Norm>
void expect_many_rows_for_blocks_that_stay(const Norm& norm, bool has_residual = false) {
  int multiprocessors = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
            cudaSuccess);
  const launch_shape shapes[]{{0, 4, 512, 1, true},
                              {0, 4, 256, 2, true},
                              {0, 4, 544, 1, true},
                              {0, 4, 544, 2, true},
                              {0, 8, 512, 1, true}};
  for (const launch_shape& shape : shapes) {
    layout where;
    const int blocks = shape.threads > 512 || shape.vectors == 8 ? 1 : 3;  // per multiprocessor
    where.rows = std::max(3 * blocks * multiprocessors, 30);
    where.columns = 3 * heddle::vector_length<T>;
    where.has_residual = has_residual;
    where.shape = &shape;
    ASSERT_NO_FATAL_FAILURE(expect_norm<T>(norm, where));
  }
  // Rows that fill all vectors: with a residual they have more loads than can be in flight.
  const launch_shape full{0, 8, 64, 1, true};
  layout where;
  where.rows = 120;
  where.columns = (8 * 64 - 1) * heddle::vector_length<T>;
  where.has_residual = has_residual;
  where.shape = &full;
  ASSERT_NO_FATAL_FAILURE(expect_norm<T>(norm, where));
}

// Every kernel for rows that begin and end anywhere: one vector of its room is for the start.
template <typename T, typename Norm>
void expect_every_ragged_kernel(const Norm& norm, bool has_residual = false) {
  constexpr int length = heddle::vector_length<T>;
  for (const kernel_shape& kernel : shapes_of_ragged_rows()) {
    for (const int columns :
         {(kernel.vectors - 1) * length, (kernel.vectors - 2) * length - 1, 1}) {
      for (const int offset : {0, 1, length - 1}) {
        layout where;
        where.rows = 3;
        where.columns = columns;
        where.input_gap = 1;
        where.output_gap = offset;  // sometimes equal to the input's, mostly not
        where.input_offset = offset;
        where.output_offset = offset == 1 ? 1 : 2;
        where.weight_offset = offset;
        where.has_residual = has_residual;
        where.shape = &kernel.shape;
        ASSERT_NO_FATAL_FAILURE(expect_norm<T>(norm, where));
      }
    }
  }
}

// Lengths around every point where the default shape changes, with few rows and with many.
template <typename T, typename Norm>
void expect_default_shapes(const Norm& norm) {
  for (const int columns : {1,    2,    3,    7,    8,    9,    16,   31,   32,   33,   63,
                            64,   65,   127,  128,  129,  255,  256,  257,  511,  512,  513,
                            1000, 1023, 1024, 1032, 2047, 2048, 2056, 4096, 4097, 8192, 16384}) {
    for (const std::int64_t rows : {1, 3, 300}) {
      if (rows * columns > 100'000) continue;
      layout where;
      where.rows = rows;
      where.columns = columns;
      ASSERT_NO_FATAL_FAILURE(expect_norm<T>(norm, where));
    }
  }
}

}  // namespace heddle_test
