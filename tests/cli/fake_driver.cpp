// A fake NVIDIA driver whose answers come from environment variables.
#include <cstdlib>
#include <cstring>

namespace {

// HEDDLE_FAKE_GPU: "none", "failing", or the compute capability of one GPU, such as 61.
const char* asked_for() {
  const char* const answer = std::getenv("HEDDLE_FAKE_GPU");
  return answer != nullptr ? answer : "none";
}

constexpr int no_device = 100, unknown_failure = 999;

}  // namespace

extern "C" {

int cuDriverGetVersion(int* release) {
  const char* const asked = std::getenv("HEDDLE_FAKE_RELEASE");
  *release = asked != nullptr ? std::atoi(asked) : 13000;
  return 0;
}
int cuInit(unsigned) {
  if (std::strcmp(asked_for(), "none") == 0) return no_device;
  return std::strcmp(asked_for(), "failing") == 0 ? unknown_failure : 0;
}
int cuGetErrorString(int status, const char** words) {
  if (status != no_device) return 1;
  *words = "no CUDA-capable device is detected";
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int size, int) {
  std::strncpy(name, "Imagined GPU", static_cast<unsigned>(size));
  return 0;
}
int cuDeviceGetAttribute(int* value, int which, int) {
  constexpr int memory_clock = 36, memory_width = 37, major = 75;
  const int capability = std::atoi(asked_for());
  *value = which == memory_clock   ? 3'125'000
           : which == memory_width ? 512
           : which == major        ? capability / 10
                                   : capability % 10;
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = std::size_t{8} << 30;
  return 0;
}
}
