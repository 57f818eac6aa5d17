// Shifts rows to mean 0 and scales them to variance 1.
//   strategy    as rms_norm(); mean and variance in one pass, merged pairwise
//   needs       sm_75; clusters for long rows sm_90
#pragma once
#include <heddle/norm/launch.cuh>

namespace heddle::norm {

// Optional arguments of layer_norm().
template <row_element T>
struct layer_norm_options {
  const T* weight = nullptr;   // one per column; none: 1
  const T* bias = nullptr;     // one per column; none: 0
  float epsilon = 1e-5f;       // added to the variance
  matrix<const T> residual{};  // added to the input first
  matrix<T> sum{};             // receives input + residual; required with a residual
};

// output = (x - mean(x)) / sqrt(variance(x) + epsilon) * weight + bias for every row x of the
// input. With a residual, x is input + residual, rounded to T; this sum is stored and then
// normalised as stored.
//   called by   the host; asynchronous in the workspace's stream, can be captured in a CUDA graph
//   in place    the output may be the input, and the sum may be the input or the residual (same
//               data, same stride); nothing else may overlap
//   result      computed in float, rounded to T once, with division and square root as in
//               rms_norm(). Mean and variance are computed from distances to values of the row
//               itself, and the mean keeps the digits of two floats, so a large mean costs no
//               precision. A NaN or an infinity makes the whole row NaN. If squared distances
//               overflow float, above 1e19, the row becomes the bias
//   order       fixed for a given launch shape, so every run gives the same bits
//   cost        as rms_norm()
template <row_element T>
void layer_norm(device::workspace& space, const std::type_identity_t<matrix<const T>>& input,
                const matrix<T>& output, const layer_norm_options<T>& options = {},
                const launch_shape* shape = nullptr,
                source_location where = source_location::current()) {
  const detail::row_arguments<T> given{input,          output,       options.residual, options.sum,
                                       options.weight, options.bias, options.epsilon};
  detail::run_residual_norm<detail::layer_statistics>(space, given, shape, where);
}

}  // namespace heddle::norm
