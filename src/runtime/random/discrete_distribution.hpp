// The table that curand_discrete draws from.
#pragma once
#include <vector>

namespace heddle_host::random {

// An alias table (Walker, An Efficient Method for Generating Discrete Random Variables with General
// Distributions, 1977): pick a row uniformly; it gives its own value below its limit, and its alias
// above.
struct alias_table {
  unsigned int first = 0;  // the value of row 0
  std::vector<double> limits;
  std::vector<unsigned int> aliases;  // values
};

alias_table poisson_table(double lambda);

}  // namespace heddle_host::random
