// Coalesced groups of any lanes: by predicate, by label, and of the active lanes.
#include <cooperative_groups.h>

#include "expect.hpp"

#include <algorithm>
#include <map>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned warps = 12, threads = warps * 32;

struct wide_value {
  double number;
  unsigned thread, again;
  short last;
};

struct answers {
  unsigned rank, size, meta_rank, meta_size;
  unsigned ballot, match_any, match_all, match_all_flag, any, all;
  unsigned from_first, from_last, from_below, from_above, wide_from_second;
};

template <typename Group>
__device__ answers ask(const Group& group, int key, unsigned distance) {
  answers out;
  out.rank = group.thread_rank();
  out.size = group.size();
  out.meta_rank = group.meta_group_rank();
  out.meta_size = group.meta_group_size();
  out.ballot = group.ballot(key & 1);
  out.match_any = group.match_any(key);
  int flag = -1;
  out.match_all = group.match_all(key / 8, flag);
  out.match_all_flag = flag;
  out.any = group.any(key > 5);
  out.all = group.all(key < 7);
  out.from_first = group.shfl(threadIdx.x, 0);
  out.from_last = group.shfl(threadIdx.x, group.size() - 1);
  out.from_below = group.shfl_up(threadIdx.x, distance);
  out.from_above = group.shfl_down(threadIdx.x, distance);
  const wide_value value{threadIdx.x * 0.5, threadIdx.x, threadIdx.x + 1,
                         static_cast<short>(threadIdx.x)};
  const wide_value second = group.shfl(value, group.size() / 2);
  out.wide_from_second = second.thread;
  if (second.number != second.thread * 0.5 || second.again != second.thread + 1 ||
      second.last != static_cast<short>(second.thread)) {
    out.wide_from_second = 0xdeadu;
  }
  group.sync();
  return out;
}

// The expected answers, from the list of the group's members in rank order.
answers reference(const std::vector<unsigned>& members, unsigned thread, unsigned meta_rank,
                  unsigned meta_size, const std::vector<int>& keys, unsigned distance) {
  answers out{};
  const unsigned size = static_cast<unsigned>(members.size());
  unsigned rank = 0;
  while (members[rank] != thread) ++rank;
  out.rank = rank;
  out.size = size;
  out.meta_rank = meta_rank;
  out.meta_size = meta_size;
  out.all = 1;
  bool all_match = true;
  for (unsigned r = 0; r < size; ++r) {
    const int key = keys[members[r]];
    out.ballot |= static_cast<unsigned>(key & 1) << r;
    out.match_any |= static_cast<unsigned>(key == keys[thread]) << r;
    all_match = all_match && key / 8 == keys[thread] / 8;
    out.any |= key > 5;
    out.all &= key < 7;
  }
  out.match_all_flag = all_match;
  out.match_all = all_match ? 0xffffffffu >> (32 - size) : 0;
  out.from_first = members[0];
  out.from_last = members[size - 1];
  out.from_below = rank >= distance ? members[rank - distance] : thread;
  out.from_above = rank + distance < size ? members[rank + distance] : thread;
  out.wide_from_second = members[size / 2];
  return out;
}

__global__ void split(const int* keys, const int* labels, unsigned distance, answers* by_predicate,
                      answers* by_label, answers* by_nested) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int key = keys[threadIdx.x], label = labels[threadIdx.x];
  by_predicate[threadIdx.x] = ask(cg::binary_partition(warp, label > 1), key, distance);
  const cg::coalesced_group same = cg::labeled_partition(warp, label);
  by_label[threadIdx.x] = ask(same, key, distance);
  by_nested[threadIdx.x] = ask(cg::tiled_partition(same, 4), key, distance);
}

void test_split(std::mt19937_64& random, int labels_in_use) {
  std::vector<int> keys(threads), labels(threads);
  for (int& key : keys) key = static_cast<int>(random() % 9);
  for (int& label : labels) label = static_cast<int>(random() % labels_in_use);
  const unsigned distance = static_cast<unsigned>(random() % 4);
  device_array<int> keys_on_device(keys), labels_on_device(labels);
  device_array<answers> by_predicate(threads, answers{}), by_label(threads, answers{}),
      by_nested(threads, answers{});
  split<<<1, threads>>>(keys_on_device.get(), labels_on_device.get(), distance, by_predicate.get(),
                        by_label.get(), by_nested.get());
  finish_kernels("split");

  std::vector<answers> want_predicate(threads), want_label(threads), want_nested(threads);
  for (unsigned first = 0; first < threads; first += 32) {
    std::vector<unsigned> sides[2];
    std::vector<int> order;  // labels in the order of their first lanes
    std::map<int, std::vector<unsigned>> parts;
    for (unsigned i = first; i < first + 32; ++i) {
      sides[labels[i] > 1].push_back(i);
      if (parts[labels[i]].empty()) order.push_back(labels[i]);
      parts[labels[i]].push_back(i);
    }
    const bool is_split = !sides[0].empty() && !sides[1].empty();
    for (unsigned i = first; i < first + 32; ++i) {
      const bool side = labels[i] > 1;
      want_predicate[i] =
          reference(sides[side], i, is_split ? side : 0, is_split ? 2 : 1, keys, distance);
      unsigned part = 0;
      while (order[part] != labels[i]) ++part;
      const std::vector<unsigned>& members = parts[labels[i]];
      const unsigned count = static_cast<unsigned>(order.size());
      want_label[i] = reference(members, i, part, count, keys, distance);
      const unsigned size = static_cast<unsigned>(members.size());
      if (size <= 4) {
        want_nested[i] = want_label[i];
      } else {
        const unsigned begin = want_label[i].rank / 4 * 4, end = std::min(begin + 4, size);
        want_nested[i] = reference({members.begin() + begin, members.begin() + end}, i, begin / 4,
                                   (size + 3) / 4, keys, distance);
      }
    }
  }
  const std::string name = " with " + std::to_string(labels_in_use) + " labels";
  expect_equal("binary_partition" + name, by_predicate.read(), want_predicate);
  expect_equal("labeled_partition" + name, by_label.read(), want_label);
  expect_equal("tiled_partition of a labelled group" + name, by_nested.read(), want_nested);
}

__global__ void label_by_other_types(const int* labels, unsigned* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int label = labels[threadIdx.x];
  const auto tile = cg::tiled_partition<16>(warp);
  unsigned* mine = out + threadIdx.x * 4;
  mine[0] = cg::labeled_partition(warp, static_cast<unsigned char>(label)).size();
  mine[1] = cg::labeled_partition(warp, (1ull << 40) * label).size();
  mine[2] = cg::labeled_partition(warp, &labels[label]).size();
  mine[3] = cg::labeled_partition(tile, label > 1).size();
}

// After a branch, the active lanes may be in one group or several; the sizes must add up.
__global__ void gather_the_active(unsigned chosen, unsigned* leaders, unsigned* counted) {
  if (chosen >> threadIdx.x % 32 & 1) {
    const cg::coalesced_group active = cg::coalesced_threads();
    const unsigned rank_sum = active.shfl(active.thread_rank(), active.size() - 1);
    if (active.thread_rank() == 0) {
      atomicAdd(leaders, 1u);
      atomicAdd(counted, active.size());
      if (rank_sum != active.size() - 1) atomicAdd(counted, 1000u);
    }
  }
}

}  // namespace

int main() {
  std::mt19937_64 random = random_numbers();
  for (const int labels_in_use : {1, 2, 3, 5, 32}) test_split(random, labels_in_use);

  std::vector<int> labels(threads);
  for (int& label : labels) label = static_cast<int>(random() % 4);
  device_array<int> labels_on_device(labels);
  device_array<unsigned> out(threads * 4, 0u);
  label_by_other_types<<<1, threads>>>(labels_on_device.get(), out.get());
  finish_kernels("label_by_other_types");
  std::vector<unsigned> want;
  for (unsigned i = 0; i < threads; ++i) {
    unsigned same = 0, side = 0;
    for (unsigned j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      same += labels[j] == labels[i];
      side += j / 16 == i / 16 && (labels[j] > 1) == (labels[i] > 1);
    }
    want.insert(want.end(), {same, same, same, side});
  }
  expect_equal("labels may be bytes, 64-bit numbers, pointers and truth values", out.read(), want);

  const unsigned chosen = static_cast<unsigned>(random()) | 1u;
  unsigned expected = 0;
  for (unsigned bits = chosen; bits != 0; bits &= bits - 1) ++expected;
  device_array<unsigned> leaders(1, 0u), counted(1, 0u);
  gather_the_active<<<1, threads>>>(chosen, leaders.get(), counted.get());
  finish_kernels("gather_the_active");
  expect_value("coalesced_threads counts each lane once", counted.read()[0], expected * warps);
  expect("coalesced_threads forms groups", leaders.read()[0] >= warps);
  return report();
}
