// Divides rows by their root mean square.
//   strategy    a tile of lanes, a block or a cluster per row, which stays in registers between the
//               sum and the store; longer rows are read twice
//   needs       sm_75; clusters for long rows sm_90
#pragma once
#include <heddle/norm/launch.cuh>

namespace heddle::norm {

// Optional arguments of rms_norm().
template <row_element T>
struct rms_norm_options {
  const T* weight = nullptr;   // one per column; none: 1
  float epsilon = 1e-6f;       // added to the mean square
  matrix<const T> residual{};  // added to the input first
  matrix<T> sum{};             // receives input + residual; required with a residual
};

// output = x / sqrt(mean(x * x) + epsilon) * weight for every row x of the input. With a residual,
// x is input + residual, rounded to T; this sum is stored and then normalised as stored.
//   called by   the host; asynchronous in the workspace's stream, can be captured in a CUDA graph
//   in place    the output may be the input, and the sum may be the input or the residual (same
//               data, same stride); nothing else may overlap
//   result      computed in float, rounded to T once. Uses the hardware's division and square root,
//               each accurate to two units in the last place, so a float result has a relative
//               error of at most 2^-21 besides the rounding of the sum of squares. A NaN makes the
//               whole row NaN. An infinity becomes NaN and the finite values of its row become 0.
//               Squares are summed in float: if the sum overflows, at values above 1e19, the row
//               becomes 0
//   order       fixed for a given launch shape, so every run gives the same bits
//   cost        one kernel; rows of up to 64 KB are read once, with clusters up to 512 KB. Rows,
//               strides or weights that are not multiples of 16 bytes cost more
template <row_element T>
void rms_norm(device::workspace& space, const std::type_identity_t<matrix<const T>>& input,
              const matrix<T>& output, const rms_norm_options<T>& options = {},
              const launch_shape* shape = nullptr,
              source_location where = source_location::current()) {
  const detail::row_arguments<T> given{input,          output,  options.residual, options.sum,
                                       options.weight, nullptr, options.epsilon};
  detail::run_residual_norm<detail::rms_statistics>(space, given, shape, where);
}

}  // namespace heddle::norm
