// The language of kernels: templates, lambdas, virtual functions, recursion, new, printf.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

template <typename T, int Factor, bool Negate = false>
__global__ void scaled(T* results) {
  T value = static_cast<T>(rank_in_grid()) * Factor;
  if constexpr (Negate) value = -value;
  results[rank_in_grid()] = value;
}

CASE(kernel_templates) {
  const buffer<int> ints(64);
  const buffer<double> doubles(64);
  scaled<int, 3><<<2, 32>>>(ints);
  show("int", ints);
  scaled<double, 5, true><<<2, 32>>>(doubles);
  show("double", doubles);
}

template <typename Function>
__global__ void transform(Function function, int* results) {
  results[rank_in_grid()] = function(static_cast<int>(rank_in_grid()));
}

struct polynomial {
  int a, b, c;
  __host__ __device__ int operator()(int x) const { return (a * x + b) * x + c; }
};

struct nested {
  polynomial outer, inner;
  __device__ int operator()(int x) const { return outer(inner(x) % 100); }
};

CASE(functors_as_arguments) {
  const buffer<int> results(64);
  transform<<<2, 32>>>(polynomial{2, -3, 7}, static_cast<int*>(results));
  show("polynomial", results);
  transform<<<2, 32>>>(nested{{1, 1, 1}, {0, 3, -4}}, static_cast<int*>(results));
  show("nested", results);
  std::printf("on the host: %d\n", polynomial{2, -3, 7}(10));
}

__global__ void lambdas(int* results) {
  const int base = static_cast<int>(blockIdx.x) * 1000;
  int calls = 0;
  const auto shift = [base](int x) { return base + x; };
  auto count = [&calls](auto x) {
    ++calls;
    return x * 2;
  };
  const int first = count(shift(static_cast<int>(threadIdx.x)));
  const int second = count(static_cast<short>(threadIdx.x));
  results[rank_in_grid()] = first + second * 10 + calls;
}

CASE(lambdas_inside_a_kernel) {
  const buffer<int> results(64);
  lambdas<<<2, 32>>>(results);
  show("results", results);
}

struct shape {
  __device__ virtual ~shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct rectangle : shape {
  int width, height;
  __device__ rectangle(int w, int h) : width(w), height(h) {}
  __device__ int area() const override { return width * height; }
  __device__ int corners() const override { return 4; }
};
struct disc : shape {
  int radius;
  __device__ explicit disc(int r) : radius(r) {}
  __device__ int area() const override { return 3 * radius * radius; }
};

__global__ void virtual_calls(int* results) {
  const int i = static_cast<int>(rank_in_grid());
  shape* const thing = i % 3 ? static_cast<shape*>(new rectangle(i, i + 1)) : new disc(i);
  results[i] = thing->area() * 10 + thing->corners();
  delete thing;
}

CASE(virtual_functions_and_new) {
  const buffer<int> results(64);
  virtual_calls<<<2, 32>>>(results);
  show("results", results);
}

__device__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ unsigned ackermann_like(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return ackermann_like(m - 1, n == 0 ? 1 : ackermann_like(m, n - 1) % 7);
}

__global__ void recursive(unsigned* results) {
  results[rank_in_grid()] =
      fibonacci(threadIdx.x % 12) * 100 + ackermann_like(2, threadIdx.x % 5 + blockIdx.x);
}

CASE(recursion) {
  const buffer<unsigned> results(64);
  recursive<<<2, 32>>>(results);
  show("results", results);
}

struct node {
  int value;
  node* next;
};

__global__ void linked_lists(int* results) {
  node* head = nullptr;
  for (int i = 0; i < 5 + static_cast<int>(threadIdx.x % 4); ++i)
    head = new node{i * static_cast<int>(rank_in_grid() + 1), head};
  int sum = 0;
  while (head != nullptr) {
    sum = sum * 3 + head->value;
    node* const next = head->next;
    delete head;
    head = next;
  }
  int* const scratch = static_cast<int*>(malloc(10 * sizeof(int)));
  for (int i = 0; i < 10; ++i) scratch[i] = sum + i;
  int* const more = new int[4]{1, 2, 3, 4};
  results[rank_in_grid()] = scratch[9] + more[3];
  delete[] more;
  free(scratch);
}

CASE(heap_in_a_kernel) {
  const buffer<int> results(64);
  linked_lists<<<2, 32>>>(results);
  show("results", results);
}

__global__ void prints(int number) {
  if (threadIdx.x == 3) {
    printf("block size %d, number %d\n", static_cast<int>(blockDim.x), number);
    for (int i = 0; i < 3; ++i)
      printf("line %d: %u %5.2f %s %c%%\n", i, 7u * i, i * 0.25, "text", 'a' + i);
    printf("%lld %llx %-6d| %06d\n", -5000000000ll, 0xabcdef0123ull, 42, 42);
  }
}

CASE(printf_of_one_thread_keeps_its_order) {
  for (int number = 0; number < 3; ++number) {
    prints<<<1, 32>>>(number);
    CHECKED(cudaDeviceSynchronize());
    std::printf("after launch %d\n", number);
  }
}

__device__ int overloaded(int) { return 1; }
__device__ int overloaded(double) { return 2; }
__device__ int overloaded(const int*) { return 3; }

namespace inner {
template <typename T>
struct holder {
  T value;
  __device__ T twice() const { return value + value; }
};
}  // namespace inner

template <typename... Values>
__device__ int sum_of(Values... values) {
  return (0 + ... + values);
}

__global__ void overloads_and_packs(int* results) {
  const int i = static_cast<int>(rank_in_grid());
  const inner::holder<int> held{i};
  results[i] = overloaded(i) + 10 * overloaded(1.5) + 100 * overloaded(results) +
               1000 * sum_of(1, i, held.twice());
}

CASE(overloads_and_parameter_packs) {
  const buffer<int> results(64);
  overloads_and_packs<<<2, 32>>>(results);
  show("results", results);
}

struct large_argument {
  int values[100];
  double factor;
};

__global__ void by_value(large_argument argument, int* results) {
  // every thread changes its own copy of the argument
  argument.values[threadIdx.x % 100] += 1000;
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += argument.values[i];
  results[rank_in_grid()] = sum + static_cast<int>(argument.factor * blockIdx.x);
}

__global__ void constant_argument(const __grid_constant__ large_argument argument, int* results) {
  results[rank_in_grid()] = argument.values[rank_in_grid() % 100];
}

CASE(structures_as_arguments) {
  large_argument argument;
  for (int i = 0; i < 100; ++i) argument.values[i] = i * i;
  argument.factor = 7;
  const buffer<int> results(64);
  by_value<<<2, 32>>>(argument, results);
  show("by value", results);
  constant_argument<<<2, 32>>>(argument, results);
  show("constant", results);
}

__global__ void control_flow(unsigned* results) {
  unsigned value = mix(rank_in_grid());
  unsigned steps = 0;
  do {
    switch (value % 5) {
      case 0:
        value += 7;
        break;
      case 1:
        value /= 2;
        [[fallthrough]];
      case 2:
        value ^= 0x55;
        break;
      case 3:
        value = value * 3 + 1;
        continue;
      default:
        value -= 3;
    }
    if (value % 97 == 0) goto done;
  } while (++steps < 200);
done:
  results[rank_in_grid()] = value + steps;
}

CASE(switch_loops_and_goto) {
  const buffer<unsigned> results(2 * 64);
  control_flow<<<2, 64>>>(results);
  show("results", results);
}

__device__ int plus_one(int x) { return x + 1; }
__device__ int times_two(int x) { return x * 2; }

__global__ void function_pointers(int* results) {
  int (*const choices[2])(int) = {plus_one, times_two};
  int value = static_cast<int>(rank_in_grid());
  for (unsigned i = 0; i < 6; ++i) value = choices[(threadIdx.x + i + blockIdx.x) % 2](value);
  results[rank_in_grid()] = value;
}

CASE(function_pointers_in_device_code) {
  const buffer<int> results(64);
  function_pointers<<<2, 32>>>(results);
  show("results", results);
}

__global__ void vectors(float* results, const int4* source) {
  const unsigned i = rank_in_grid();
  const int4 v = source[i];
  float4 f = make_float4(v.x * 0.5f, v.y * 0.25f, 1.0f, 2.0f);
  f.z += v.z;
  const double2 d = make_double2(v.w, i);
  const uchar4 c = make_uchar4(static_cast<unsigned char>(i), 250, 3, 4);
  const short2 s = make_short2(-5, static_cast<short>(i));
  results[i] = f.x + f.y + f.z + f.w + static_cast<float>(d.x + d.y) + c.x + c.y + s.x + s.y +
               static_cast<float>(sizeof(float3) + sizeof(int4) + alignof(double2));
}

CASE(vector_types) {
  std::vector<int4> source(64);
  for (int i = 0; i < 64; ++i) source[i] = make_int4(i, 2 * i, 3 * i, i % 7);
  const buffer<int4> values(source);
  const buffer<float> results(64);
  vectors<<<2, 32>>>(results, values);
  show("results", results);
}

__global__ void __launch_bounds__(128, 2) with_bounds(int* results) {
  results[rank_in_grid()] = static_cast<int>(rank_in_grid() * blockDim.x);
}

__global__ void without_arguments() {}

static __global__ void declared_later(int* results);

CASE(attributes_and_declarations_of_kernels) {
  const buffer<int> results(2 * 64);
  with_bounds<<<2, 64>>>(results);
  show("with bounds", results);
  without_arguments<<<1, 32>>>();
  CHECKED(cudaGetLastError());
  declared_later<<<2, 64>>>(results);
  show("declared later", results);
}

static __global__ void declared_later(int* results) {
  results[rank_in_grid()] = static_cast<int>(mix(rank_in_grid()) % 77);
}
