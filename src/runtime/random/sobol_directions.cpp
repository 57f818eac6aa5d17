// Computes direction vectors from the initial numbers of Joe and Kuo (Constructing Sobol sequences
// with better two-dimensional projections, SIAM Journal on Scientific Computing 30, 2008; criterion
// D(6)). Their list has 21201 dimensions; the initial numbers below are its beginning, up to
// polynomials of degree 7.
#include "random/sobol_directions.hpp"

#include <array>

namespace heddle_host::random {
namespace {

constexpr unsigned int largest_degree = 7;
using initial_numbers = std::array<unsigned char, largest_degree>;  // as many as the degree

// From the second dimension on, in the order of the primitive polynomials: by degree, then by the
// coefficients read as a binary number.
constexpr std::array<initial_numbers, sobol_dimensions - 1> initial{{
    {1},
    {1, 3},
    {1, 3, 1},
    {1, 1, 1},
    {1, 1, 3, 3},
    {1, 3, 5, 13},
    {1, 1, 5, 5, 17},
    {1, 1, 5, 5, 5},
    {1, 1, 7, 11, 19},
    {1, 1, 5, 1, 1},
    {1, 1, 1, 3, 11},
    {1, 3, 5, 5, 31},
    {1, 3, 3, 9, 7, 49},
    {1, 1, 1, 15, 21, 21},
    {1, 3, 1, 13, 27, 49},
    {1, 1, 1, 15, 7, 5},
    {1, 3, 1, 15, 13, 25},
    {1, 1, 5, 5, 19, 61},
    {1, 3, 7, 11, 23, 15, 103},
    {1, 3, 7, 13, 13, 15, 69},
    {1, 1, 3, 13, 7, 35, 63},
    {1, 3, 5, 9, 1, 25, 53},
    {1, 3, 1, 13, 9, 35, 107},
    {1, 3, 1, 5, 27, 61, 31},
    {1, 1, 5, 11, 19, 41, 61},
    {1, 3, 5, 3, 3, 13, 69},
    {1, 1, 7, 13, 1, 19, 1},
    {1, 3, 7, 5, 13, 19, 59},
    {1, 1, 3, 9, 25, 29, 41},
    {1, 3, 5, 13, 23, 1, 55},
    {1, 3, 7, 3, 13, 59, 17},
    {1, 3, 1, 3, 5, 53, 69},
    {1, 1, 5, 5, 23, 33, 13},
    {1, 1, 7, 7, 1, 61, 123},
    {1, 1, 7, 9, 13, 61, 49},
    {1, 3, 3, 5, 3, 55, 33},
}};

// Whether the powers of x modulo the polynomial run through all non-zero residues.
constexpr bool is_primitive(unsigned int polynomial, unsigned int degree) {
  unsigned int power = 1, order = 0;
  do {
    power <<= 1;
    if (power >> degree & 1) power ^= polynomial;
    ++order;
  } while (power != 1);
  return order == (1u << degree) - 1;
}

unsigned int degree_of(unsigned int polynomial) { return 31 - __builtin_clz(polynomial); }

unsigned int next_primitive(unsigned int polynomial) {
  do {
    polynomial += 2;  // the constant term of a primitive polynomial is 1
  } while (!is_primitive(polynomial, degree_of(polynomial)));
  return polynomial;
}

template <typename Word>
struct direction_table {
  static constexpr unsigned int bits = 8 * sizeof(Word);
  Word vectors[sobol_dimensions][bits];

  direction_table() {
    for (unsigned int k = 0; k < bits; ++k) vectors[0][k] = Word{1} << (bits - 1 - k);
    unsigned int polynomial = 3;  // x + 1
    for (unsigned int dimension = 1; dimension < sobol_dimensions; ++dimension) {
      fill(vectors[dimension], initial[dimension - 1], polynomial);
      polynomial = next_primitive(polynomial);
    }
  }

  // Vector k is a binary fraction with k + 1 digits. The polynomial is a recurrence for the vectors
  // after the initial ones.
  static void fill(Word (&to)[bits], const initial_numbers& from, unsigned int polynomial) {
    const unsigned int degree = degree_of(polynomial);
    for (unsigned int k = 0; k < bits; ++k) {
      if (k < degree) {
        to[k] = static_cast<Word>(from[k]) << (bits - 1 - k);
        continue;
      }
      to[k] = to[k - degree] >> degree;
      for (unsigned int back = 1; back <= degree; ++back) {
        if (polynomial >> (degree - back) & 1) to[k] ^= to[k - back];
      }
    }
  }
};

}  // namespace

template <typename Word>
Word* direction_vectors(unsigned int dimension) {
  static direction_table<Word> only;
  return only.vectors[dimension];
}
template unsigned int* direction_vectors<unsigned int>(unsigned int);
template unsigned long long* direction_vectors<unsigned long long>(unsigned int);

}  // namespace heddle_host::random
