// Rows divided by their root mean square.
//   strategy    a row for a tile of lanes, a block or a cluster, held in registers between the sum
//               and the writing; longer ones are read twice
//   needs       sm_75; clusters for long rows sm_90
#pragma once
#include <heddle/norm/launch.cuh>

namespace heddle::norm {

// What rms_norm() may be told besides its rows.
template <row_element T>
struct rms_norm_options {
  const T* weight = nullptr;   // one for each column; none: 1
  float epsilon = 1e-6f;       // added to the mean square
  matrix<const T> residual{};  // added to the input first
  matrix<T> sum{};             // gets that sum; needed with a residual
};

// output = x / sqrt(mean(x * x) + epsilon) * weight for every row x of the input, or of input +
// residual, where the sum is rounded to T, stored, and normalised as it was stored.
//   called by   the host; asynchronous in the workspace's stream, can be captured in a CUDA graph
//   in place    the output may be the input, and the sum the input or the residual (the same data
//               with the same stride); nothing else may overlap
//   result      computed in float, rounded to T once. Division and root are the hardware's, which
//               are off by up to two units each, so that a result in float is right to 2^-21 of
//               itself, besides the rounding of the sum of squares. A row with a NaN or an infinity
//               is NaN where the row or the scale is (a single infinity gives NaN there and 0
//               elsewhere). Squares are summed in float: where that overflows, at values
//               beyond 1e19, the row becomes 0
//   order       of the sum: fixed for a shape of launch, hence the same bits on every run
//   cost        one kernel; a row is read once up to 64 KB, and on GPUs with clusters up to 512 KB.
//               Rows, strides or weights that are not multiples of 16 bytes cost more
template <row_element T>
void rms_norm(device::workspace& space, const std::type_identity_t<matrix<const T>>& input,
              const matrix<T>& output, const rms_norm_options<T>& options = {},
              const launch_shape* shape = nullptr,
              source_location where = source_location::current()) {
  const detail::row_arguments<T> given{input,          output,  options.residual, options.sum,
                                       options.weight, nullptr, options.epsilon};
  if (options.residual.data != nullptr) {
    detail::run_norm<detail::rms_statistics, true>(space, given, shape, where);
  } else {
    detail::run_norm<detail::rms_statistics, false>(space, given, shape, where);
  }
}

}  // namespace heddle::norm
