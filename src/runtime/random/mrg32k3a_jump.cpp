// Moves MRG32k3a ahead. A step of each of its two recurrences is a 3 x 3 matrix modulo a prime, so
// many steps are a power of it.
#include <heddle_host/random_jump.hpp>

#include <array>

namespace heddle_host {
namespace {

constexpr int power_count = 127 + 64;  // up to 2^63 sequences of 2^127 steps

using vector = std::array<unsigned int, 3>;
using matrix = std::array<vector, 3>;  // rows

struct recurrence {
  unsigned long long modulus;
  std::array<matrix, power_count> powers;  // element k moves a state by 2^k steps

  unsigned int product(const vector& a, const vector& b) const {
    unsigned long long sum = 0;
    for (int i = 0; i < 3; ++i) {
      sum += static_cast<unsigned long long>(a[i]) * b[i] % modulus;
    }
    return static_cast<unsigned int>(sum % modulus);
  }

  matrix square(const matrix& of) const {
    matrix result;
    for (int column = 0; column < 3; ++column) {
      const vector values{of[0][column], of[1][column], of[2][column]};
      for (int row = 0; row < 3; ++row) result[row][column] = product(of[row], values);
    }
    return result;
  }

  // `coefficients` are ordered from the oldest value to the newest.
  recurrence(unsigned long long modulus, const vector& coefficients) : modulus(modulus) {
    powers[0] = {{{0, 1, 0}, {0, 0, 1}, coefficients}};
    for (int k = 1; k < power_count; ++k) powers[k] = square(powers[k - 1]);
  }

  void advance(unsigned int (&values)[3], unsigned long long count, int log2_distance) const {
    for (int k = log2_distance; count != 0; ++k, count >>= 1) {
      if ((count & 1) == 0) continue;
      const vector before{values[0], values[1], values[2]};
      for (int row = 0; row < 3; ++row) values[row] = product(powers[k][row], before);
    }
  }
};

constexpr unsigned int modulus1 = 4294967087u, modulus2 = 4294944443u;

struct generator {
  recurrence first{modulus1, {modulus1 - 810728, 1403580, 0}};
  recurrence second{modulus2, {modulus2 - 1370589, 0, 527612}};
};

const generator& steps() {
  static const generator only;
  return only;
}

// Initialised before main. Otherwise a lane could be preempted during the initialisation, and
// another lane of its thread would enter it again.
[[maybe_unused]] const generator& made_early = steps();

}  // namespace

mrg32k3a_words mrg32k3a_after(mrg32k3a_words from, unsigned long long count, int log2_distance) {
  steps().first.advance(from.s1, count, log2_distance);
  steps().second.advance(from.s2, count, log2_distance);
  return from;
}

}  // namespace heddle_host
