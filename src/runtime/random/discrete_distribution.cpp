// Makes the alias table of a Poisson distribution.
#include "random/discrete_distribution.hpp"

#include <cmath>
#include <cstddef>

namespace heddle_host::random {
namespace {

// Smaller probabilities cannot be selected by a 53-bit random number.
constexpr double negligible = 1e-20;

double poisson_probability(double count, double lambda) {
  return std::exp(count * std::log(lambda) - lambda - std::lgamma(count + 1));
}

// Vose's construction: fills up rows below the average from rows above it.
alias_table table_of(unsigned int first, const std::vector<double>& probabilities) {
  const std::size_t rows = probabilities.size();
  alias_table table{first, std::vector<double>(rows, 1.0), std::vector<unsigned int>(rows)};
  double total = 0;
  for (const double probability : probabilities) total += probability;
  std::vector<double> heights(rows);
  std::vector<std::size_t> low, high;
  for (std::size_t row = 0; row < rows; ++row) {
    table.aliases[row] = first + static_cast<unsigned int>(row);
    heights[row] = probabilities[row] / total * static_cast<double>(rows);
    (heights[row] < 1 ? low : high).push_back(row);
  }
  while (!low.empty() && !high.empty()) {
    const std::size_t filled = low.back(), filling = high.back();
    low.pop_back();
    table.limits[filled] = heights[filled];
    table.aliases[filled] = first + static_cast<unsigned int>(filling);
    heights[filling] -= 1 - heights[filled];
    if (heights[filling] < 1) {
      high.pop_back();
      low.push_back(filling);
    }
  }
  return table;  // rows that are still on a list are full, apart from rounding
}

}  // namespace

alias_table poisson_table(double lambda) {
  const double mode = std::floor(lambda);
  double begin = mode, end = mode + 1;
  while (begin > 0 && poisson_probability(begin - 1, lambda) > negligible) --begin;
  while (poisson_probability(end, lambda) > negligible) ++end;
  std::vector<double> probabilities;
  for (double count = begin; count < end; ++count) {
    probabilities.push_back(poisson_probability(count, lambda));
  }
  return table_of(static_cast<unsigned int>(begin), probabilities);
}

}  // namespace heddle_host::random
