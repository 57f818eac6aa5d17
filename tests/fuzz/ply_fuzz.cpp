// Reads any bytes as PLY.
#include "fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return heddle_test::fuzz_reader(heddle::cloud::format::ply, data, size);
}
