// A stack, the stack of node numbers, or the offers of stacks, used by a few lanes: stack_proof
// KIND CAPACITY LANES_OF_WARP BEFORE PROGRAM…; see passing.cuh. Returns 0 if one order explains all
// results.
#include <heddle/container/index_stack.cuh>
#include <heddle/container/stack.cuh>

#include "passing.cuh"

namespace {
using namespace heddle_test;
using heddle::container::stack;
using heddle::container::stack_view;
using heddle::container::detail::company;
using heddle::container::detail::index_stack_view;
using heddle::container::detail::neighbours;
using heddle::container::detail::offers_view;

// Nodes alone: the values are their numbers.
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

int judge_nodes(const passing_case& parsed) {
  const device_array<unsigned long long> top(std::vector<unsigned long long>{0});
  const device_array<std::uint32_t> links(64);
  return parsed.judge_view(bare_nodes{index_stack_view(top.data(), links.data())}, stack_model(64));
}

// The same with values in nodes that are reused: free nodes are on a second stack.
struct linked_words {
  using value_type = unsigned;
  index_stack_view used, free;
  unsigned* values;
  __device__ bool try_push(unsigned value, bool wants, heddle::lane_mask members) const {
    std::uint32_t node = 0;
    const bool has_node = free.pop(node, wants, members);
    if (has_node) values[node] = value;
    used.push(node, has_node, members);
    return has_node;
  }
  __device__ bool try_pop(unsigned& value, bool wants, heddle::lane_mask members) const {
    std::uint32_t node = 0;
    const bool has_value = used.pop(node, wants, members);
    if (has_value) value = values[node];
    free.push(node, has_value, members);
    return has_value;
  }
};

int judge_linked(const passing_case& parsed) {
  const device_array<unsigned long long> tops(std::vector<unsigned long long>{0, 1});
  std::vector<std::uint32_t> chain(parsed.capacity());
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) chain[i] = static_cast<std::uint32_t>(i + 2);
  const device_array<std::uint32_t> links(chain);
  const device_array<unsigned> values(chain.size());
  const linked_words object{index_stack_view(tops.data(), links.data()),
                            index_stack_view(tops.data() + 1, links.data()), values.data()};
  return parsed.judge_view(object, stack_model(parsed.capacity()));
}

// Tries offers first. In a real stack they are the last resort, which takes three lanes to reach.
// The bit of a node is its value.
struct offered_first {
  using value_type = unsigned;
  offers_view offers;
  index_stack_view nodes;
  __device__ bool try_push(unsigned value, bool wants, heddle::lane_mask members) const {
    std::uint32_t left = wants ? 1u << value : 0;
    heddle::sync::fence();
    if (wants) (void)offers.offer<false>({0, left}, 0, 2, left);
    nodes.push(value, left != 0, members);
    return wants;
  }
  __device__ bool try_pop(unsigned& value, bool wants, heddle::lane_mask members) const {
    const company<false> who(members);
    const neighbours got = offers.take(who, offers.look(who, 0), 1);
    if (got.bits == 0) return nodes.pop(value, wants, members);
    value = static_cast<unsigned>(heddle::last_lane(got.bits));
    return true;
  }
};

int judge_offers(const passing_case& parsed) {
  const device_array<unsigned long long> top(std::vector<unsigned long long>{0});
  const device_array<unsigned long long> slot(std::vector<unsigned long long>{0});
  const device_array<std::uint32_t> links(64);
  const offered_first object{offers_view(slot.data(), 1),
                             index_stack_view(top.data(), links.data())};
  return parsed.judge_view(object, stack_model(64));
}

// A stack with its calls for single lanes.
struct called_alone {
  using value_type = unsigned;
  stack_view<unsigned> words;
  __device__ bool try_push(unsigned value, bool wants, heddle::lane_mask) const {
    return wants && words.try_push(value);
  }
  __device__ bool try_pop(unsigned& value, bool wants, heddle::lane_mask) const {
    return wants && words.try_pop(value);
  }
};

int judge_alone(const passing_case& parsed) {
  const stack<unsigned> object(parsed.capacity());
  return parsed.judge_view(called_alone{object.view()}, stack_model(parsed.capacity()));
}

template <typename T>
int judge_stack(const passing_case& parsed) {
  const stack<T> object(parsed.capacity());
  return parsed.judge_view(object.view(), stack_model(parsed.capacity()));
}

}  // namespace

int main(int count, char** arguments) {
  const std::string kind = arguments[1];
  const passing_case parsed(count - 2, arguments + 2);
  if (kind == "nodes") return judge_nodes(parsed);
  if (kind == "linked") return judge_linked(parsed);
  if (kind == "offers") return judge_offers(parsed);
  if (kind == "alone") return judge_alone(parsed);
  if (kind == "words") return judge_stack<unsigned>(parsed);
  if (kind == "structs") return judge_stack<parcel>(parsed);
  return 2;
}
