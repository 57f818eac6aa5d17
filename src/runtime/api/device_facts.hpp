// The numbers that describe the device; every query is answered from here.
#pragma once
#include <cstddef>

namespace heddle_host::api {

inline constexpr int warp_size = 32;
inline constexpr int max_threads_per_block = 1024;
inline constexpr int max_block_z = 64;
inline constexpr int max_grid_x = 2147483647;
inline constexpr int max_grid_y_or_z = 65535;
inline constexpr int max_threads_per_multiprocessor = 2048;
// Few, so that grids which fill the device stay small: every resident block needs stacks.
inline constexpr int max_blocks_per_multiprocessor = 4;
inline constexpr std::size_t shared_per_block = 48 * 1024;
inline constexpr std::size_t shared_per_block_optin = 227 * 1024;
inline constexpr std::size_t shared_per_multiprocessor = 228 * 1024;
inline constexpr std::size_t shared_reserved_per_block = 1024;
inline constexpr int registers = 65536;
inline constexpr int portable_cluster_blocks = 8;
inline constexpr int largest_cluster_blocks = 16;
inline constexpr int compute_major = 9;
inline constexpr int compute_minor = 0;
inline constexpr std::size_t constant_bytes = 64 * 1024;
inline constexpr std::size_t pitch_alignment = 512;
inline constexpr std::size_t texture_pitch_alignment = 32;
inline constexpr int max_linear_texture_width = 1 << 28;
inline constexpr std::size_t max_pitched_texture_width = 131072;
inline constexpr std::size_t max_pitched_texture_height = 65000;
inline constexpr std::size_t max_pitched_texture_pitch = 2097120;  // bytes

// The largest arrays of each shape; 0 for a dimension that the shape does not have.
struct array_limits {
  std::size_t width, height, depth;
};
inline constexpr array_limits largest_line = {131072, 0, 0};
inline constexpr array_limits largest_plane = {131072, 65536, 0};
inline constexpr array_limits largest_volume = {16384, 16384, 16384};
inline constexpr array_limits largest_lines_in_layers = {32768, 0, 2048};
inline constexpr array_limits largest_planes_in_layers = {32768, 32768, 2048};
inline constexpr array_limits largest_cubes = {32768, 32768, 2046};
inline constexpr int version = 13000;
}  // namespace heddle_host::api
