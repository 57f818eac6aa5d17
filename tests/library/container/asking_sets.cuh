// Runs one operation on a union-find, as a recorded step describes it.
#pragma once
#include <heddle/container/union_find.cuh>

#include "../../support/container_models.hpp"
#include "recording.cuh"

namespace heddle_test {

// {question, one, other} -> {number}
struct asking {
  heddle::container::union_find_view sets;
  __device__ void operator()(const step& what, heddle::lane_mask, unsigned* answer) const {
    const auto [question, one, other] = what.words;
    switch (static_cast<set_question>(question)) {
      case set_question::unite:
        answer[0] = sets.unite(one, other);
        break;
      case set_question::find:
        answer[0] = sets.find(one);
        break;
      case set_question::are_united:
        answer[0] = sets.are_united(one, other);
        break;
    }
  }
};

}  // namespace heddle_test
