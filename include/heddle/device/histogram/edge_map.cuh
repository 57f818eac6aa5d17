// Finds a value's bin between given edges, with a search that starts near the right one.
#pragma once
#include <heddle/device/bins.cuh>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::device::detail {

// The type in which a value and an edge are compared.
template <typename Value, typename Edge>
struct comparison {
  using type = std::common_type_t<Value, Edge>;
};
template <typename Value, typename Edge>
requires(std::is_integral_v<Value>&& std::is_integral_v<Edge> && sizeof(Value) <= 4 &&
         sizeof(Edge) <= 4) struct comparison<Value, Edge> {
  using type = std::conditional_t<std::is_signed_v<Value> == std::is_signed_v<Edge>,
                                  std::common_type_t<Value, Edge>, std::int64_t>;
};

inline constexpr float largest_float = std::numeric_limits<float>::max();

// Divides the range of the edges into cells of equal width. Each cell knows which edges lie in it,
// and a value is compared only with the edges of its cell. This is correct because every step of
// at() is monotonic: an edge in an earlier cell is below the value, one in a later cell is
// above it.
struct edge_cells {
  float lower = 0;
  float scale = 0;  // 0: a single cell for all numbers
  int count = 0;
  const std::uint32_t* spans = nullptr;  // low half: first edge of a cell; high half: end

  __host__ __device__ static int count_for(int edges) {
    constexpr int many = 4096;
    const int wanted = edges < many / 4 ? 4 * edges : edges < many ? many : edges;
    int power = 1;
    while (power <= wanted / 2) power *= 2;
    return power;
  }
  __device__ edge_cells(int cells, float first, float last, const std::uint32_t* table)
      : count(cells), spans(table) {
    const float fitting = static_cast<float>(cells) / (last - first);
    if (fitting > 0 && fitting <= largest_float) {
      lower = first;
      scale = fitting;
    }
  }
  edge_cells() = default;

  // A NaN falls in the first cell.
  [[nodiscard]] __device__ int at(float number) const {
    const float cell = (number - lower) * scale;
    return static_cast<int>(fminf(fmaxf(cell, 0.0f), static_cast<float>(count - 1)));
  }
};

template <typename Edge>
struct edge_map {
  const Edge* edges;
  int edge_count;
  edge_cells cells{};

  template <typename Value>
  __device__ int operator()(const Value& value) const {
    static_assert(!std::is_integral_v<Value> || !std::is_integral_v<Edge> ||
                      (sizeof(Value) <= 4 && sizeof(Edge) <= 4) ||
                      std::is_signed_v<Value> == std::is_signed_v<Edge>,
                  "64-bit integers and their edges have both a sign, or neither");
    using number = typename comparison<Value, Edge>::type;
    const auto wanted = static_cast<number>(value);
    int below = 0;           // this many edges are known not to exceed the value
    int above = edge_count;  // the edges from here on exceed it
    if (cells.spans != nullptr) {
      const std::uint32_t span = cells.spans[cells.at(static_cast<float>(wanted))];
      below = static_cast<int>(span & 0xffffu);
      above = static_cast<int>(span >> 16);
    }
    while (below < above) {
      const int middle = (below + above) / 2;
      const bool is_below = static_cast<number>(edges[middle]) <= wanted;
      below = is_below ? middle + 1 : below;
      above = is_below ? above : middle;
    }
    return below == edge_count ? -1 : below - 1;
  }

  [[nodiscard]] __host__ __device__ std::size_t table_bytes() const {
    return edge_bytes() + sizeof(std::uint32_t) * edge_cells::count_for(edge_count);
  }
  template <typename Value>
  __device__ edge_map with_table(std::byte* memory) const {
    using number = typename comparison<Value, Edge>::type;
    const auto position = [](const Edge& edge) {
      return static_cast<float>(static_cast<number>(edge));
    };
    auto* const table = reinterpret_cast<Edge*>(memory);
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    for (int i = thread; i < edge_count; i += threads) table[i] = edges[i];
    __syncthreads();
    auto* const spans = reinterpret_cast<std::uint32_t*>(memory + edge_bytes());
    const edge_cells built(edge_cells::count_for(edge_count), position(table[0]),
                           position(table[edge_count - 1]), spans);
    // The first edge in this cell or a later one.
    const auto first_from = [&](int cell) {
      int below = 0, above = edge_count;
      while (below < above) {
        const int middle = (below + above) / 2;
        const bool is_before = built.at(position(table[middle])) < cell;
        below = is_before ? middle + 1 : below;
        above = is_before ? above : middle;
      }
      return static_cast<std::uint32_t>(below);
    };
    for (int cell = thread; cell < built.count; cell += threads) {
      spans[cell] = first_from(cell) | first_from(cell + 1) << 16;
    }
    return {table, edge_count, built};
  }

 private:
  [[nodiscard]] __host__ __device__ std::size_t edge_bytes() const {
    return (static_cast<std::size_t>(edge_count) * sizeof(Edge) + 15) / 16 * 16;
  }
};

}  // namespace heddle::device::detail
