// Reference arithmetic: the processor's, in a rounding mode that is set for one operation.
#pragma once
#include <cfenv>

class rounding_scope {
 public:
  explicit rounding_scope(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~rounding_scope() { std::fesetround(before_); }
  rounding_scope(const rounding_scope&) = delete;
  rounding_scope& operator=(const rounding_scope&) = delete;

 private:
  int before_;
};

// Operands and result are volatile, so no compiler moves the operation out of the scope.
template <typename Result, typename Operation, typename... Operands>
__attribute__((noinline)) Result under_mode(int mode, Operation operation, Operands... operands) {
  rounding_scope scope(mode);
  volatile Result result = operation(static_cast<volatile Operands&>(operands)...);
  return result;
}

// The result rounded towards zero in double, and whether the exact result is larger in magnitude.
struct truncated {
  double value;
  bool has_more;
};
template <typename Operation, typename... Operands>
__attribute__((noinline)) truncated truncate(Operation operation, Operands... operands) {
  rounding_scope scope(FE_TOWARDZERO);
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile double result = operation(static_cast<volatile Operands&>(operands)...);
  return {result, std::fetestexcept(FE_INEXACT) != 0};
}
