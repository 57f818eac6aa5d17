// Rows as probabilities, or their logarithms.
//   strategy    as rms_norm(); maximum and sum in one pass, rescaled when they are merged
//   needs       sm_75; clusters for long rows sm_90
#pragma once
#include <heddle/norm/launch.cuh>

namespace heddle::norm {

// output = exp(x) / sum(exp(x)) for every row x of the input.
//   called by   the host; asynchronous in the workspace's stream, can be captured in a CUDA graph
//   in place    the output may be the input (the same data with the same stride); else they may not
//               overlap
//   result      computed in float relative to the row's greatest value, rounded to T once. Where
//               others are finite, -inf becomes 0. A row with a NaN, with +inf or of nothing but
//               -inf becomes NaN throughout
//   order       of the sum: fixed for a shape of launch, hence the same bits on every run
//   cost        as rms_norm(); two exponentials for every value
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
//   result      as softmax(), but -inf among finite values stays -inf
//   order       as softmax()
//   cost        as rms_norm(); one exponential for every value
template <row_element T>
void log_softmax(device::workspace& space, const std::type_identity_t<matrix<const T>>& input,
                 const matrix<T>& output, const launch_shape* shape = nullptr,
                 source_location where = source_location::current()) {
  const detail::row_arguments<T> given{input, output, {}, {}, nullptr, nullptr, 0};
  detail::run_norm<detail::softmax_statistics<T, true>, false>(space, given, shape, where);
}

}  // namespace heddle::norm
