// A stack, or the stack of nodes in it, in the hands of a few lanes: stack_proof KIND CAPACITY
// LANES_OF_WARP BEFORE PROGRAM…; see passing.cuh. Returns 0 if one order explains all answers.
#include <heddle/container/stack.cuh>

#include "passing.cuh"

namespace {
using namespace heddle_test;
using heddle::container::stack;
using heddle::container::detail::index_stack_view;

// Nodes alone: their numbers are the values.
struct bare_nodes {
  using value_type = unsigned;
  index_stack_view nodes;
  __device__ bool try_push(unsigned value, bool wants, heddle::lane_mask members) const {
    nodes.push(value, wants, members);
    return wants;
  }
  __device__ bool try_pop(unsigned& value, bool wants, heddle::lane_mask members) const {
    return nodes.pop(value, wants, members);
  }
};

int judge_nodes(const passing_case& told) {
  const device_array<unsigned long long> top(std::vector<unsigned long long>{0});
  const device_array<std::uint32_t> links(64);
  return told.judge_view(bare_nodes{index_stack_view(top.data(), links.data())}, stack_model(64));
}

template <typename T>
int judge_stack(const passing_case& told) {
  const stack<T> object(told.capacity());
  return told.judge_view(object.view(), stack_model(told.capacity()));
}

}  // namespace

int main(int count, char** words) {
  const std::string kind = words[1];
  const passing_case told(count - 2, words + 2);
  if (kind == "nodes") return judge_nodes(told);
  if (kind == "words") return judge_stack<unsigned>(told);
  if (kind == "structs") return judge_stack<parcel>(told);
  return 2;
}
