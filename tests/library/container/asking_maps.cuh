// Runs one operation on a hash map, as a recorded step describes it.
#pragma once
#include <heddle/container/hash_key.cuh>
#include <heddle/core/mask.cuh>

#include "../../support/container_models.hpp"
#include "recording.cuh"

namespace heddle_test {

// {method, key, value} -> {word, value}
template <typename View, typename Value>
struct looking_up {
  View map;
  unsigned first_key;
  __device__ void operator()(const step& what, heddle::lane_mask members, unsigned* answer) const {
    const auto method = static_cast<map_method>(what.words[0]);
    const unsigned key = first_key + what.words[1];
    const Value brought(what.words[2]);
    Value found{};
    if (method == map_method::find) {
      answer[0] = word_of(map.find(key, found));
      answer[1] = answer[0] == word_of(true) ? static_cast<unsigned>(found) : 0;
    }
    if (heddle::count(members) == 1) {
      if (method == map_method::insert) answer[0] = word_of(map.insert(key, brought));
      if (method == map_method::insert_or_assign) {
        answer[0] = word_of(map.insert_or_assign(key, brought));
      }
      if (method == map_method::erase) answer[0] = word_of(map.erase(key));
      return;
    }
    const insertion inserted = map.insert(key, brought, method == map_method::insert, members);
    if (method == map_method::insert) answer[0] = word_of(inserted);
    const insertion assigned =
        map.insert_or_assign(key, brought, method == map_method::insert_or_assign, members);
    if (method == map_method::insert_or_assign) answer[0] = word_of(assigned);
    const bool is_erased = map.erase(key, method == map_method::erase, members);
    if (method == map_method::erase) answer[0] = word_of(is_erased);
  }

 private:
  using insertion = heddle::container::insertion;
  __device__ static unsigned word_of(bool is_so) {
    return static_cast<unsigned>(is_so ? map_word::yes : map_word::no);
  }
  __device__ static unsigned word_of(insertion said) {
    if (said == insertion::full) return static_cast<unsigned>(map_word::full);
    return word_of(said == insertion::inserted);
  }
};

inline operation<map_call, map_answer> answered(const step& what, const record& result) {
  return {0,
          {static_cast<map_method>(what.words[0]), what.words[1], what.words[2]},
          map_answer{static_cast<map_word>(result.words[0]), result.words[1]},
          0,
          0};
}

}  // namespace heddle_test
