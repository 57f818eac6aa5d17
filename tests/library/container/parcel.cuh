// A value that is easy to recognise when torn.
#pragma once

namespace heddle_test {

// More than 4 bytes.
struct parcel {
  unsigned number;
  unsigned copies[2];
  __host__ __device__ parcel(unsigned n = 0) : number(n), copies{n + 1, ~n} {}
  __host__ __device__ explicit operator unsigned() const {
    return copies[0] == number + 1 && copies[1] == ~number ? number : 0xdeadbeef;
  }
};

}  // namespace heddle_test
