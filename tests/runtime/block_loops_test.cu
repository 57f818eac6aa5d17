// Kernels with barriers, as people write them, which run as loops between the barriers. The results
// are compared with plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

template <typename T>
class device_array {
 public:
  explicit device_array(const std::vector<T>& values) : count_(values.size()) {
    EXPECT_EQ(cudaMalloc(&memory_, count_ * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(memory_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  ~device_array() { cudaFree(memory_); }
  device_array(const device_array&) = delete;

  T* get() const { return memory_; }
  std::vector<T> values() const {
    std::vector<T> made(count_);
    EXPECT_EQ(cudaMemcpy(made.data(), memory_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return made;
  }

 private:
  std::size_t count_;
  T* memory_ = nullptr;
};

std::vector<int> numbers(int count) {
  std::vector<int> made(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    made[static_cast<std::size_t>(i)] = static_cast<int>(i * 2654435761u >> 20) - 2000;
  return made;
}

constexpr int tile = 16;

__global__ void __launch_bounds__(tile* tile)
    multiply(const int* a, const int* b, int* product, int n) {
  __shared__ int left[tile][tile], right[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  int sum = 0;
  for (int first = 0; first < n; first += tile) {
    const int x = first + threadIdx.x, y = first + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < n && x < n ? a[row * n + x] : 0;
    right[threadIdx.y][threadIdx.x] = column < n && y < n ? b[y * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) product[row * n + column] = sum;
}

TEST(block_loops, multiply_matrices_of_any_size) {
  for (const int n : {1, 15, 16, 17, 48, 50}) {
    const std::vector<int> a = numbers(n * n);
    std::vector<int> b = a;
    std::reverse(b.begin(), b.end());
    const device_array left(a), right(b), product(std::vector<int>(a.size(), -1));
    const unsigned blocks = static_cast<unsigned>((n + tile - 1) / tile);
    multiply<<<dim3(blocks, blocks), dim3(tile, tile)>>>(left.get(), right.get(), product.get(), n);
    const std::vector<int> found = product.values();
    for (int i = 0; i < n * n; ++i) {
      int expected = 0;
      for (int k = 0; k < n; ++k)
        expected +=
            a[static_cast<std::size_t>(i / n * n + k)] * b[static_cast<std::size_t>(k * n + i % n)];
      ASSERT_EQ(found[static_cast<std::size_t>(i)], expected) << n << ' ' << i;
    }
  }
}

template <typename T>
__global__ void sum_up(const T* in, T* sums, int n) {
  extern __shared__ unsigned char memory[];
  T* const s = reinterpret_cast<T*>(memory);
  unsigned tid = threadIdx.x;
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += in[i];
  s[tid] = mine;
  __syncthreads();
  for (unsigned width = blockDim.x / 2; width > 0; width >>= 1) {
    if (tid < width) {
      s[tid] += s[tid + width];
    }
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = s[0];
}

TEST(block_loops, reduce) {
  for (const unsigned threads : {1u, 2u, 32u, 64u, 256u, 1024u})
    for (const int n : {0, 1, 100, 5000}) {
      const std::vector<int> values = numbers(n + 1);
      const device_array in(values), sums(std::vector<int>(3, -1));
      sum_up<<<3, threads, threads * sizeof(int)>>>(in.get(), sums.get(), n);
      const std::vector<int> found = sums.values();
      EXPECT_EQ(std::accumulate(found.begin(), found.end(), 0),
                std::accumulate(values.begin(), values.end() - 1, 0))
          << threads << ' ' << n;
    }
}

// Hillis and Steele: each step reads what the last one has written.
__global__ void scan(int* values) {
  __shared__ int buffers[2][1024];
  int from = 0, to = 1;
  const int i = threadIdx.x;
  buffers[from][i] = values[i];
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    if (i >= static_cast<int>(distance))
      buffers[to][i] = buffers[from][i] + buffers[from][i - distance];
    else
      buffers[to][i] = buffers[from][i];
    from = 1 - from;
    to = 1 - to;
    __syncthreads();
  }
  values[i] = buffers[from][i];
}

TEST(block_loops, scan) {
  for (const int threads : {1, 7, 32, 100, 1000}) {
    const std::vector<int> values = numbers(threads);
    const device_array memory(values);
    scan<<<1, static_cast<unsigned>(threads)>>>(memory.get());
    std::vector<int> expected(values.size());
    std::partial_sum(values.begin(), values.end(), expected.begin());
    EXPECT_EQ(memory.values(), expected);
  }
}

__global__ void count(const unsigned char* bytes, unsigned* counts, unsigned* largest, int n) {
  __shared__ unsigned mine[256], most;
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&mine[bytes[i]], 1u);
    atomicMax(&most, static_cast<unsigned>(bytes[i]));
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (mine[i] > 0) atomicAdd(&counts[i], mine[i]);
  if (threadIdx.x == 0) atomicMax(largest, most);
}

TEST(block_loops, count_with_atomic_operations) {
  for (const unsigned threads : {1u, 32u, 100u, 256u}) {
    std::vector<unsigned char> bytes(10000);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<unsigned char>(i * i % 251);
    const device_array in(bytes);
    const device_array counts(std::vector<unsigned>(256)), largest(std::vector<unsigned>(1));
    count<<<4, threads>>>(in.get(), counts.get(), largest.get(), static_cast<int>(bytes.size()));
    std::vector<unsigned> expected(256);
    for (const unsigned char byte : bytes) ++expected[byte];
    EXPECT_EQ(counts.values(), expected) << threads;
    EXPECT_EQ(largest.values()[0], *std::max_element(bytes.begin(), bytes.end()));
  }
}

__global__ void transpose(const int* in, int* out, int width, int height) {
  __shared__ int square[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8)
    if (x < width && y + row < height)
      square[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8)
    if (x < height && y + row < width)
      out[(y + row) * height + x] = square[threadIdx.x][threadIdx.y + row];
}

TEST(block_loops, transpose) {
  for (const int width : {1, 32, 40, 100})
    for (const int height : {1, 31, 64, 70}) {
      const std::vector<int> values = numbers(width * height);
      const device_array in(values), out(std::vector<int>(values.size(), -1));
      transpose<<<dim3(static_cast<unsigned>(width + 31) / 32,
                       static_cast<unsigned>(height + 31) / 32),
                  dim3(32, 8)>>>(in.get(), out.get(), width, height);
      const std::vector<int> found = out.values();
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          ASSERT_EQ(found[static_cast<std::size_t>(x * height + y)],
                    values[static_cast<std::size_t>(y * width + x)]);
    }
}

// Arrays, vectors and pointers of a lane live across barriers, too.
__global__ void mix(const int* in, int* out, int n) {
  __shared__ int shared[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int* p = in + i;
  int four[4] = {i, 1};
  int late[2];
  int4 v = make_int4(i, i + 1, i + 2, i + 3);
  unsigned long long wide;
  wide = 1ull << threadIdx.x % 64;
  shared[threadIdx.x] = *p;
  __syncthreads();
  four[2] = shared[(threadIdx.x + 1) % blockDim.x];
  late[1] = four[0];
  v.y += four[2];
  if (n > 2) {
    __syncthreads();
    shared[threadIdx.x] += v.y;
    p += n;
    __syncthreads();
    late[0] = shared[(threadIdx.x + 5) % blockDim.x];
    v.w = *p;
  } else {
    late[0] = 0;
  }
  __syncthreads();
  if (i % 3 == 1) return;
  out[i] = four[0] + four[1] + four[2] + four[3] + late[0] * 7 + late[1] + v.x + v.y + v.z + v.w +
           static_cast<int>(wide >> 32);
}

TEST(block_loops, keep_arrays_vectors_and_pointers) {
  for (const int threads : {1, 16, 40, 128})
    for (const int n : {1, 3}) {
      const std::vector<int> values = numbers(2 * threads + n);
      const device_array in(values);
      const device_array out(std::vector<int>(static_cast<std::size_t>(2 * threads), -1));
      mix<<<2, static_cast<unsigned>(threads)>>>(in.get(), out.get(), n);
      const std::vector<int> found = out.values();
      const auto at = [&](int block, int lane) {
        return values[static_cast<std::size_t>(block * threads + lane % threads)];
      };
      for (int i = 0; i < 2 * threads; ++i) {
        const int block = i / threads, lane = i % threads;
        const auto y_of = [&](int other) {
          other %= threads;
          return block * threads + other + 1 + at(block, other + 1);
        };
        const int late = n > 2 ? at(block, lane + 5) + y_of(lane + 5) : 0;
        const int w = n > 2 ? values[static_cast<std::size_t>(i + n)] : i + 3;
        const int high = static_cast<int>((1ull << lane % 64) >> 32);
        const int expected =
            i + 1 + at(block, lane + 1) + 0 + late * 7 + i + i + y_of(lane) + i + 2 + w + high;
        EXPECT_EQ(found[static_cast<std::size_t>(i)], i % 3 == 1 ? -1 : expected) << n << ' ' << i;
      }
    }
}

}  // namespace
