// CUDA's built-in variables and the running lane. Compiled with debug information, so that a
// debugger knows their types: clang++ describes no variable that a program only declares.
#include <heddle_host/lane.hpp>

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

namespace heddle_host {

__thread lane_state lane_now;

}  // namespace heddle_host
