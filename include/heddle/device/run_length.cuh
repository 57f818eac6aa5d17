// How long each run of equal keys is, in one kernel.
#pragma once
#include <heddle/device/iterators.cuh>
#include <heddle/device/reduce_by_key.cuh>
#include <heddle/device/workspace.cuh>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace heddle::device {

// Keeps one key of each run of equal neighbours, and counts its elements.
//   lengths     device memory: an integer for each run, of any type that its length fits
//   contract    as reduce_by_key()
//   cost        each key is read once, each result written once
template <typename Tuning = run_tuning, readable Keys, typename UniqueKeys, std::integral Length,
          std::integral Number, typename Equal = equal_to>
void run_length(workspace& workspace, const Keys& keys, std::int64_t count,
                const UniqueKeys& unique_keys, Length* lengths, Number* number, Equal equal = {},
                source_location where = source_location::current()) {
  reduce_by_key<Tuning>(workspace, keys, constant<Length>{1}, count, unique_keys, lengths, number,
                        plus{}, equal, where);
}

}  // namespace heddle::device
