// Shifts of every integer type by distances below, at and above its width.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

inline constexpr unsigned distances = 256;  // far beyond every width

template <typename T>
__global__ void shift(const unsigned* distance, T* results) {
  const unsigned i = rank_in_grid();
  const T x = static_cast<T>(mix64(i));
  results[2 * i] = static_cast<T>(x << distance[i]);
  results[2 * i + 1] = static_cast<T>(x >> distance[i]);
}

template <typename T>
static void show_shifts(const char* name) {
  std::vector<unsigned> each(distances);
  for (unsigned i = 0; i < distances; ++i) each[i] = i < 128 ? i : 1u << i % 32;
  const buffer<unsigned> distance(each);
  const buffer<T> results(2 * distances);
  shift<T><<<2, distances / 2>>>(distance, results);
  show(name, results);
}

CASE(words_are_shifted_out) {
  show_shifts<int>("int");
  show_shifts<unsigned>("unsigned");
}

CASE(long_words_are_shifted_out) {
  show_shifts<long long>("long long");
  show_shifts<unsigned long long>("unsigned long long");
}

CASE(small_integers_are_shifted_as_int) {
  show_shifts<short>("short");
  show_shifts<unsigned short>("unsigned short");
}
