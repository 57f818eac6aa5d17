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
inline constexpr int max_linear_texture_width = 1 << 28;
inline constexpr int version = 13000;
inline constexpr char bus_id[] = "0000:00:00.0";

constexpr bool is_device(int device) { return device == 0; }  // the only one

}  // namespace heddle_host::api
