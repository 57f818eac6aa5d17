// Launches in every spelling: macros, macro arguments, templates, comments and spaces inside.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void store(int* results, int value) {
  results[rank_in_grid()] = value * 1000 + static_cast<int>(rank_in_grid());
}

template <typename T, int Factor>
__global__ void store_as(T* results, T value) {
  results[rank_in_grid()] = value * Factor + static_cast<T>(rank_in_grid());
}

namespace outer::inner {
__global__ void in_namespace(int* results) {
  results[rank_in_grid()] = -static_cast<int>(rank_in_grid());
}
}  // namespace outer::inner

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define STORE(value) store<<<2, 16>>>(results, value)
#define RUN(statement) \
  do {                 \
    statement;         \
  } while (false)
#define CONFIGURATION 2, 16
// clang-format off
#define OPEN <<<
#define CLOSE >>>
// clang-format on

CASE(launch_in_a_macro) {
  const buffer<int> results(32);
  LAUNCH(store, 2, 16, results, 4);
  show("whole launch", results);
  STORE(5);
  show("fixed shape", results);
  store<<<CONFIGURATION>>>(results, 6);
  show("shape by macro", results);
  store OPEN 2, 16 CLOSE(results, 7);
  show("brackets by macro", results);
}

CASE(launch_as_a_macro_argument) {
  const buffer<int> results(32);
  RUN((store<<<2, 16>>>(results, 8)));
  show("in brackets", results);
  RUN(LAUNCH(store, 2, 16, results, 9));
  show("nested macros", results);
}

// clang-format off
CASE(launch_with_spaces_comments_and_lines) {
  const buffer<int> results(32);
  store  <<<  2 ,  16  >>>  ( results , 1 ) ;
  show("spaces", results);
  store<<</* grid */ 2, /* block >>> */ 16>>>(/* results */ results, 2);
  show("comments", results);
  store
      <<<
        2,   // two blocks >>>
        16
      >>>
      (
        results, 3
      );
  show("lines", results);
  store<<<dim3(2, 1, 1), dim3{4, 4}>>>(results, 4);
  show("braces", results);
  store<<<(32 >> 4), (1 << 4)>>>(results, 5);
  show("shifts", results);
  store<<<2, 16, (3 > 2 ? 64 : 0), static_cast<cudaStream_t>(nullptr)>>>(results, (2 > 1) ? 6 : 7);
  show("comparisons", results);
}
// clang-format on

template <int Factor>
void launch_from_template(int* results, int value) {
  store_as<int, Factor><<<2, 16>>>(results, value);
}

template <typename T>
struct launcher {
  dim3 grid = 2;
  template <int Factor>
  void launch(T* results) const {
    store_as<T, Factor><<<grid, dim3(16)>>>(results, T(3));
  }
  void operator()(T* results) { this->template launch<7>(results); }
};

CASE(launch_in_template_code) {
  const buffer<int> results(32);
  launch_from_template<3>(results, 10);
  show("function template", results);
  const buffer<double> doubles(32);
  launcher<double>{}(doubles);
  show("member template", doubles);
  store_as<long long, (5 > 3 ? 2 : 1)>
      <<<2, 16>>>(reinterpret_cast<long long*>(static_cast<double*>(doubles)), 4ll);
  CHECKED(cudaDeviceSynchronize());
  std::vector<long long> words(32);
  CHECKED(cudaMemcpy(words.data(), doubles, 256, cudaMemcpyDeviceToHost));
  show("comparison as argument", words);
}

CASE(launch_in_expressions_and_statements) {
  const buffer<int> results(32);
  if (true)
    store<<<2, 16>>>(results, 1);
  else
    store<<<2, 16>>>(results, 2);
  show("if and else", results);
  for (int i = 0; i < 3; ++i) store<<<2, 16>>>(results, i);
  show("for", results);
  switch (3) {
    case 3:
      store<<<2, 16>>>(results, 33);
      break;
    default:
      store<<<2, 16>>>(results, 44);
  }
  show("switch", results);
  store<<<2, 16>>>(results, 5), store<<<1, 16>>>(results, 6);
  show("comma", results);
  const auto launch = [&](int value) { store<<<2, 16>>>(results, value); };
  launch(77);
  show("lambda", results);
  true ? store<<<2, 16>>>(results, 8) : store<<<2, 16>>>(results, 9);
  show("conditional", results);
}

CASE(launch_of_qualified_names_and_pointers) {
  const buffer<int> results(32);
  outer::inner::in_namespace<<<2, 16>>>(results);
  show("qualified", results);
  ::outer::inner::in_namespace<<<1, 16>>>(results + 16);
  show("from the root", results);
  void (*chosen)(int*, int) = store;
  chosen<<<2, 16>>>(results, 12);
  show("pointer", results);
  void (*choices[])(int*, int) = {store, store_as<int, 2>};
  for (auto* choice : choices) {
    choice<<<2, 16>>>(results, 3);
    show("array of pointers", results);
  }
  using outer::inner::in_namespace;
  (in_namespace)<<<2, 16>>>(results);
  show("in parentheses", results);
}

CASE(configuration_is_evaluated_once) {
  const buffer<int> results(32);
  int evaluations = 0;
  const auto blocks = [&] { return ++evaluations, 2u; };
  store<<<blocks(), 16>>>(results, 1);
  show("results", results);
  std::printf("evaluations: %d\n", evaluations);
  const int shift_left = 1 << 3, shift_right = 256 >> 2;
  std::printf("shifts stay shifts: %d %d\n", shift_left, shift_right);
  const char* const text = "k<<<1, 2>>>(3)";
  std::printf("text stays text: %s\n", text);
}
