// Local arrays are passed to functions in every way that C++ has.
#include <cstdio>
#include <cstring>

__managed__ int results[64];
static __device__ const int offsets[2][3] = {{1, 2, 3}, {4, 5, 6}};
namespace {
__constant__ float scale[2] = {1, 2}, bias = 0;
}

template <int n, typename T>
__device__ T sum(const T (&items)[n]) {
  T all{};
  for (const T& item : items) all = all + item;
  return all;
}

template <typename T>
__device__ __noinline__ void fill(T* items, int n, T value) {
  for (int i = 0; i < n; ++i) items[i] = value;
}

struct counted {
  int value = 1;
  __host__ __device__ counted() {}
  __host__ __device__ counted(int v) : value(v) {}
  __host__ __device__ ~counted() { value = 0; }
  __host__ __device__ counted operator+(const counted& other) const {
    return counted(value + other.value - 1);
  }
};

// The host calls this, too.
__host__ __device__ int digits_of(int number) {
  char text[12] = "";
  int length = 0;
  for (char* end = text; number > 0; number /= 10) {
    *end++ = static_cast<char>('0' + number % 10);
    ++length;
  }
  return length;
}

__host__ __device__ constexpr int largest(int a, int b) {
  int both[2] = {a, b};
  int* first = both;
  return first[0] > first[1] ? first[0] : first[1];
}

// Each call has its own array.
__device__ int depth_sum(int depth, const int* above) {
  int mine[3] = {depth, above ? above[0] : 0, 0};
  return depth == 0 ? mine[1] : depth_sum(depth - 1, mine) + mine[1];
}

template <typename T, int n>
__device__ T through_lambdas() {
  using row = T[n];
  row one;
  alignas(16) T items[n];
  fill(items, n, T(2));
  fill(one, n, T(1));
  const auto by_copy = [=] { return sum(items); };
  const auto by_reference = [&](auto more) {
    T inside[n] = {};
    fill<T>(inside, n, more);
    return sum(inside) + sum(items) + one[0];
  };
  return by_copy() + by_reference(T(1));
}

__global__ void all_kinds(int n) {
  const int i = threadIdx.x;
  volatile int seen[2] = {i, i};
  volatile int* const look = seen;
  float table[2][3];
  for (int row = 0; row < 2; ++row) fill(table[row], 3, scale[row] + bias);
  counted objects[3];
  int* pointers[2] = {&results[0], nullptr};
  int** const chosen = pointers;
  int total = sum(table[1]) + sum(objects).value + (chosen[0] != nullptr) + look[1];
  for (int round = 0; round < 3; ++round) {
    int fresh[4];
    fill(fresh, round + 1, round);  // the rest is neither written nor read
    total += fresh[round];
  }
  switch (n) {
    case 0:
      int unused[2];
      fill(unused, 2, 0);
      break;
    default: {
      int used[2];
      fill(used, 2, 1);
      total += sum(used);
    }
  }
  int copied[4], from[4] = {1, 2, 3, 4};
  std::memcpy(copied, from, sizeof(copied));
  if (i % 2 == 0) {
    int early[2];
    fill(early, 2, i);
    results[i] = total + sum(early);
    return;
  }
  results[i] = total + sum(copied) + digits_of(i) + largest(i, 3) + depth_sum(3, nullptr) +
               through_lambdas<int, 4>() + offsets[1][2];
}

int main() {
  all_kinds<<<1, 64>>>(1);
  cudaDeviceSynchronize();
  int all = digits_of(4711);
  for (const int result : results) all += result;
  printf("%d\n", all);
}
