// Moves the random-number generators XORWOW and MRG32k3a ahead by distances that are too long for a
// loop. Part of the runtime library, because the tables are large and need no checking.
#pragma once

namespace heddle_host {

// The part of XORWOW's state that shifts and xors transform: everything except the counter.
struct xorwow_words {
  unsigned int v[5];
};

// The state after `count` times 2^`log2_distance` steps; the logarithm is 0 or 67.
xorwow_words xorwow_after(xorwow_words from, unsigned long long count, int log2_distance);

// The last three values of each of MRG32k3a's two recurrences, oldest first.
struct mrg32k3a_words {
  unsigned int s1[3];
  unsigned int s2[3];
};

// The same for MRG32k3a; the logarithm is 0, 76 or 127.
mrg32k3a_words mrg32k3a_after(mrg32k3a_words from, unsigned long long count, int log2_distance);

}  // namespace heddle_host
