// How row norms are spread over the GPU, and the default shape of a launch.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/norm/packed.cuh>

#include <cstdint>

namespace heddle::norm {

// How a norm is spread over the GPU. Every shape reads a row once, except the one with two passes.
struct launch_shape {
  int lanes = 0;           // lanes of a warp per row: 2, 4, 8, 16 or 32; 0: whole blocks
  int vectors = 4;         // 16-byte vectors per thread. Whole blocks: 1, 2, 4 or 8; 0: two passes.
                           // 2 to 16 lanes: 2. 32 lanes: 2, 4, 8 or 16
  int threads = 128;       // per block
  int blocks_per_row = 1;  // for whole blocks: 1 to 8; more than one form a cluster
  // Persistent blocks, which fetch the next row while they work on this one. Only for whole blocks
  // and aligned rows, with 4 vectors, or 8 if a row has one block.
  bool fetches_ahead = false;
  bool starts_early = true;  // overlaps the launch with the previous kernel where possible
};

namespace detail {

[[nodiscard]] constexpr int rounded_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

// How many vectors a row touches; ragged rows may straddle one more.
template <row_element T>
[[nodiscard]] int vectors_of_row(std::int64_t columns, access kind) {
  constexpr int length = vector_length<T>;
  return rounded_up(static_cast<int>(columns), length) / length + (kind == access::ragged ? 1 : 0);
}

[[nodiscard]] inline launch_shape shape_of_blocks(int vectors_in_row, int vectors, int threads) {
  const int wanted = (vectors_in_row + vectors - 1) / vectors;
  const int blocks = (wanted + threads - 1) / threads;
  return {0, vectors, rounded_up((wanted + blocks - 1) / blocks, warp_size), blocks};
}

// For too few rows to fill the GPU: gives each row as many threads as possible. Norms with weights
// get half as many: each thread then has more loads in flight and waits for fewer warps.
[[nodiscard]] inline launch_shape shape_of_few_rows(int vectors_in_row, access kind,
                                                    int most_blocks, bool takes_factors) {
  if (kind == access::aligned) {
    for (int vectors = takes_factors ? 2 : 1; vectors <= 2; vectors *= 2) {
      if (vectors_in_row <= 512 * vectors) return shape_of_blocks(vectors_in_row, vectors, 512);
    }
    if (vectors_in_row <= 512 * 2 * most_blocks) return shape_of_blocks(vectors_in_row, 2, 512);
  }
  return shape_of_blocks(vectors_in_row, 4, 512);
}

[[nodiscard]] inline launch_shape shape_of_tiles(int vectors_in_row, access kind) {
  if (kind == access::ragged) {
    if (vectors_in_row <= 4) return {2, 2, 128};
    if (vectors_in_row <= 16) return {8, 2, 128};
    return {warp_size, 4, 128};
  }
  for (int lanes = 2; lanes <= warp_size; lanes *= 2) {
    if (vectors_in_row <= 2 * lanes) return {lanes, 2, 128};
  }
  return {warp_size, 4, 64};
}

// For rows so long that only a few fit on a multiprocessor: the next row is fetched while this one
// is worked on. One block is fastest, even though it reads weights and biases again for every row,
// because the blocks of a cluster wait for each other.
[[nodiscard]] inline launch_shape shape_of_long_rows(int vectors_in_row) {
  const bool is_alone = vectors_in_row <= 8 * 1024;
  launch_shape shape = shape_of_blocks(vectors_in_row, is_alone ? 8 : 4, 1024);
  shape.fetches_ahead = true;
  return shape;
}

// The shape a norm uses when the caller gives none.
//   most_blocks   most blocks per row: 1 without clusters
//   may_stream    true if blocks have room for rows fetched ahead
//   takes_factors true for norms with weights
[[nodiscard]] inline launch_shape default_shape(int vectors_in_row, access kind, std::int64_t rows,
                                                int multiprocessors, int most_blocks,
                                                bool may_stream, bool takes_factors,
                                                bool adds_residual) {
  const bool rows_are_few = rows <= 2 * multiprocessors;
  if (vectors_in_row > 2 * warp_size && rows_are_few) {
    const launch_shape few = shape_of_few_rows(vectors_in_row, kind, most_blocks, takes_factors);
    if (few.blocks_per_row <= most_blocks) return few;
  }
  // With two matrices to read, smaller shares balance the load better.
  if (adds_residual && kind == access::aligned && vectors_in_row > 2 * warp_size &&
      vectors_in_row <= 4 * warp_size) {
    return shape_of_blocks(vectors_in_row, 2, 2 * warp_size);
  }
  if (vectors_in_row <= 4 * warp_size) return shape_of_tiles(vectors_in_row, kind);
  if (vectors_in_row > 4 * 1024 && kind == access::aligned && may_stream) {
    const launch_shape shape = shape_of_long_rows(vectors_in_row);
    if (shape.blocks_per_row <= most_blocks) return shape;
  }
  // Blocks of up to 256 threads first, because several fit on a multiprocessor; then larger ones.
  for (const int threads : {256, 512, 1024}) {
    const launch_shape shape = shape_of_blocks(vectors_in_row, 4, threads);
    if (shape.blocks_per_row <= most_blocks) return shape;
  }
  if (kind == access::aligned) {
    const launch_shape shape = shape_of_blocks(vectors_in_row, 8, 512);
    if (shape.blocks_per_row <= most_blocks) return shape;
  }
  return {0, 0, 1024, rows_are_few ? most_blocks : 1};
}

}  // namespace detail

}  // namespace heddle::norm
