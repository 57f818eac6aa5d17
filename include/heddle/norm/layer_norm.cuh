// Rows shifted to mean 0 and scaled to variance 1.
//   strategy    as rms_norm(); mean and variance in one pass, merged pairwise
//   needs       sm_75; clusters for long rows sm_90
#pragma once
#include <heddle/norm/launch.cuh>

namespace heddle::norm {

// What layer_norm() may be told besides its rows.
template <row_element T>
struct layer_norm_options {
  const T* weight = nullptr;   // one for each column; none: 1
  const T* bias = nullptr;     // one for each column; none: 0
  float epsilon = 1e-5f;       // added to the variance
  matrix<const T> residual{};  // added to the input first
  matrix<T> sum{};             // gets that sum; needed with a residual
};

// output = (x - mean(x)) / sqrt(variance(x) + epsilon) * weight + bias for every row x of the
// input, or of input + residual, where the sum is rounded to T, stored, and normalised as it was
// stored.
//   called by   the host; asynchronous in the workspace's stream, can be captured in a CUDA graph
//   in place    the output may be the input, and the sum the input or the residual (the same data
//               with the same stride); nothing else may overlap
//   result      computed in float, rounded to T once, with division and root as in rms_norm(). The
//               variance is made of distances from values of the row itself, so that a large mean
//               costs no digits. A row with a NaN or an infinity is NaN throughout.
//               Where squares of distances overflow float, beyond 1e19, the row becomes the bias
//   order       of the sums: fixed for a shape of launch, hence the same bits on every run
//   cost        as rms_norm()
template <row_element T>
void layer_norm(device::workspace& space, const std::type_identity_t<matrix<const T>>& input,
                const matrix<T>& output, const layer_norm_options<T>& options = {},
                const launch_shape* shape = nullptr,
                source_location where = source_location::current()) {
  const detail::row_arguments<T> given{input,          output,       options.residual, options.sum,
                                       options.weight, options.bias, options.epsilon};
  if (options.residual.data != nullptr) {
    detail::run_norm<detail::layer_statistics, true>(space, given, shape, where);
  } else {
    detail::run_norm<detail::layer_statistics, false>(space, given, shape, where);
  }
}

}  // namespace heddle::norm
