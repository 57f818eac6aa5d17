// Computes a digest of a lane's registers and stack, to detect that it is in the same state again.
#include <unwind.h>

#include <cstring>

#include <heddle_host/schedule.hpp>

#include "checker/explore/spin_watch.hpp"

namespace heddle_checker {
namespace {

// Callee-saved registers, by DWARF number. No other register holds a value that is needed after the
// call.
#if defined(__aarch64__)
constexpr int kept_registers[]{19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#else
constexpr int kept_registers[]{3, 6, 12, 13, 14, 15};
#endif

struct digest {
  const void* code;
  std::uint64_t value = 0;
  bool is_complete = false;
  void add(std::uint64_t word) { value = ((value ^ word) * 0x9e3779b97f4a7c15u) ^ (value >> 29); }
};

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* into) {
  auto& all = *static_cast<digest*>(into);
  if (reinterpret_cast<const void*>(_Unwind_GetIP(frame)) != all.code) return _URC_NO_REASON;
  for (const int number : kept_registers) all.add(_Unwind_GetGR(frame, number));
  const auto* word = reinterpret_cast<const unsigned char*>(_Unwind_GetCFA(frame));
  const auto* const end = static_cast<const unsigned char*>(heddle_host::end_of_running_stack());
  for (; word != nullptr && word + 8 <= end; word += 8) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, word, sizeof bits);
    all.add(bits);
  }
  all.is_complete = true;
  return _URC_END_OF_STACK;
}

}  // namespace

std::uint64_t state_of_running_lane(const void* code) {
  static std::uint64_t different_each_time = 0;
  digest all{code};
  _Unwind_Backtrace(visit, &all);
  return all.is_complete ? all.value : ++different_each_time;
}

}  // namespace heddle_checker
