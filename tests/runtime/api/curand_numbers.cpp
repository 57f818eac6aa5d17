// Prints the numbers of cuRAND's generators, for a comparison with the toolkit's library. A line of
// the input describes one generator: type order seed offset dimensions call:count …
#include <curand.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

template <typename Number, typename Call>
void print(const char* format, std::size_t count, Call call) {
  std::vector<Number> numbers(count);
  const curandStatus_t status = call(numbers.data(), count);
  std::printf("status %d", static_cast<int>(status));
  if (status == CURAND_STATUS_SUCCESS) {
    for (const Number number : numbers) {
      std::putchar(' ');
      std::printf(format, number);
    }
  }
  std::putchar('\n');
}

void make_call(curandGenerator_t generator, const std::string& name, std::size_t count) {
  if (name == "bits") {
    print<unsigned>("%u", count,
                    [&](auto* to, std::size_t n) { return curandGenerate(generator, to, n); });
  } else if (name == "wide_bits") {
    print<unsigned long long>("%llu", count, [&](auto* to, std::size_t n) {
      return curandGenerateLongLong(generator, to, n);
    });
  } else if (name == "uniform") {
    print<float>("%.9g", count,
                 [&](auto* to, std::size_t n) { return curandGenerateUniform(generator, to, n); });
  } else if (name == "uniform_double") {
    print<double>("%.17g", count, [&](auto* to, std::size_t n) {
      return curandGenerateUniformDouble(generator, to, n);
    });
  } else if (name == "normal") {
    print<float>("%.9g", count, [&](auto* to, std::size_t n) {
      return curandGenerateNormal(generator, to, n, 0.25f, 1.5f);
    });
  } else if (name == "normal_double") {
    print<double>("%.17g", count, [&](auto* to, std::size_t n) {
      return curandGenerateNormalDouble(generator, to, n, 0.25, 1.5);
    });
  } else if (name == "log_normal") {
    print<float>("%.9g", count, [&](auto* to, std::size_t n) {
      return curandGenerateLogNormal(generator, to, n, 0.25f, 0.5f);
    });
  } else if (name == "log_normal_double") {
    print<double>("%.17g", count, [&](auto* to, std::size_t n) {
      return curandGenerateLogNormalDouble(generator, to, n, 0.25, 0.5);
    });
  }
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    int type = 0, order = 0;
    unsigned long long seed = 0, offset = 0;
    unsigned dimensions = 0;
    words >> type >> order >> seed >> offset >> dimensions;
    curandGenerator_t generator = nullptr;
    if (curandCreateGeneratorHost(&generator, static_cast<curandRngType_t>(type)) !=
        CURAND_STATUS_SUCCESS) {
      return 1;
    }
    if (order != 0) curandSetGeneratorOrdering(generator, static_cast<curandOrdering_t>(order));
    if (seed != 0) curandSetPseudoRandomGeneratorSeed(generator, seed);
    if (offset != 0) curandSetGeneratorOffset(generator, offset);
    if (dimensions != 0) curandSetQuasiRandomGeneratorDimensions(generator, dimensions);
    for (std::string call; words >> call;) {
      const std::size_t colon = call.find(':');
      make_call(generator, call.substr(0, colon), std::stoul(call.substr(colon + 1)));
    }
    curandDestroyGenerator(generator);
  }
}
