// The table of a discrete distribution that curandCreatePoissonDistribution puts into device
// memory.
#pragma once

// Walker's alias method: pick a random row, then take either its own value or its alias.
struct curandDiscreteDistribution_st {
  const double* limits;         // row i gives its own value below limits[i], aliases[i] above
  const unsigned int* aliases;  // values
  unsigned int first;           // the value of row 0
  unsigned int rows;            // 0: no table; round normal numbers instead
  double mean;
  double deviation;
};
