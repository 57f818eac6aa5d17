// Reads any bytes as NPY.
#include "fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return heddle_test::fuzz_reader(heddle::cloud::format::npy, data, size);
}
