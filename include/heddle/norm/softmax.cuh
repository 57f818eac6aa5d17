// Turns rows into probabilities, or into their logarithms.
//   strategy    as rms_norm(); maximum and sum in one pass, rescaled when they are merged
//   needs       sm_75; clusters for long rows sm_90
#pragma once
#include <heddle/norm/launch.cuh>

namespace heddle::norm {

// output = exp(x) / sum(exp(x)) for every row x of the input.
//   called by   the host; asynchronous in the workspace's stream, can be captured in a CUDA graph
//   in place    the output may be the input (same data, same stride); otherwise they may not
//               overlap
//   result      computed in float relative to the row's maximum, rounded to T once. -inf becomes 0
//               if the row has a finite value. A row that holds a NaN or +inf, or nothing but -inf,
//               becomes all NaN
//   order       fixed for a given launch shape, so every run gives the same bits
//   cost        as rms_norm(); two exponentials per value
template <row_element T>
void softmax(device::workspace& space, const std::type_identity_t<matrix<const T>>& input,
             const matrix<T>& output, const launch_shape* shape = nullptr,
             source_location where = source_location::current()) {
  const detail::row_arguments<T> given{input, output, {}, {}, nullptr, nullptr, 0};
  detail::run_norm<detail::softmax_statistics<T, false>, false>(space, given, shape, where);
}

// output = x - log(sum(exp(x))) for every row x of the input.
//   called by   as softmax()
//   in place    as softmax()
//   result      as softmax(), but -inf stays -inf if the row has a finite value
//   order       as softmax()
//   cost        as rms_norm(); one exponential per value
template <row_element T>
void log_softmax(device::workspace& space, const std::type_identity_t<matrix<const T>>& input,
                 const matrix<T>& output, const launch_shape* shape = nullptr,
                 source_location where = source_location::current()) {
  const detail::row_arguments<T> given{input, output, {}, {}, nullptr, nullptr, 0};
  detail::run_norm<detail::softmax_statistics<T, true>, false>(space, given, shape, where);
}

}  // namespace heddle::norm
