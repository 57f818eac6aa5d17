// Reductions and scans of arbitrary groups of lanes, against cooperative groups and serial loops.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <heddle/group/reduce.cuh>
#include <heddle/group/scan.cuh>
#include <heddle/group/split.cuh>

#include <string>
#include <type_traits>
#include <vector>

#include "support/contest.cuh"

namespace heddle_bench {

namespace cg = cooperative_groups;

// ---- ours: from a mask, or from the coalesced group of these lanes

template <typename T>
struct heddle_lanes_reduce {
  heddle::group::lanes own;
  __device__ explicit heddle_lanes_reduce(heddle::lane_mask members) : own(members) {}
  __device__ T operator()(T value) const { return heddle::group::reduce(own, value); }
};
template <typename T>
struct heddle_coalesced_reduce {
  cg::coalesced_group own = cg::coalesced_threads();
  __device__ explicit heddle_coalesced_reduce(heddle::lane_mask) {}
  __device__ T operator()(T value) const { return heddle::group::reduce(own, value); }
};
template <typename T>
struct heddle_lanes_scan {
  heddle::group::lanes own;
  __device__ explicit heddle_lanes_scan(heddle::lane_mask members) : own(members) {}
  __device__ T operator()(T value) const { return heddle::group::inclusive_scan(own, value); }
};
template <typename T>
struct heddle_coalesced_scan {
  cg::coalesced_group own = cg::coalesced_threads();
  __device__ explicit heddle_coalesced_scan(heddle::lane_mask) {}
  __device__ T operator()(T value) const { return heddle::group::inclusive_scan(own, value); }
};

// ---- peers

template <typename T>
struct groups_coalesced_reduce {
  cg::coalesced_group own = cg::coalesced_threads();
  __device__ explicit groups_coalesced_reduce(heddle::lane_mask) {}
  __device__ T operator()(T value) const { return cg::reduce(own, value, cg::plus<T>()); }
};
template <typename T>
struct groups_coalesced_scan {
  cg::coalesced_group own = cg::coalesced_threads();
  __device__ explicit groups_coalesced_scan(heddle::lane_mask) {}
  __device__ T operator()(T value) const { return cg::inclusive_scan(own, value, cg::plus<T>()); }
};

// What people write for a mask: one member after another.
template <typename T>
struct serial_reduce {
  heddle::lane_mask members;
  __device__ explicit serial_reduce(heddle::lane_mask own) : members(own) {}
  __device__ T operator()(T value) const {
    T sum{};
    for (unsigned left = members; left != 0; left &= left - 1) {
      sum += __shfl_sync(members, value, __ffs(static_cast<int>(left)) - 1);
    }
    return sum;
  }
};

// ---- labelled groups, formed for every call, as if the labels were data

template <typename T>
struct heddle_labelled_reduce {
  __device__ T operator()(T value) const {
    const int label = static_cast<int>(thread_bits(heddle::thread_rank()) % 4);
    const auto own = heddle::group::split_by_label(heddle::group::lanes(heddle::all_lanes), label);
    return heddle::group::reduce(own, value);
  }
};
template <typename T>
struct groups_labelled_reduce {
  __device__ T operator()(T value) const {
    const int label = static_cast<int>(thread_bits(heddle::thread_rank()) % 4);
    const auto own = cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), label);
    return cg::reduce(own, value, cg::plus<T>());
  }
};

struct named_mask {
  heddle::lane_mask members;
  const char* name;
};

template <typename T>
void lanes_of_type(contest& contest, const std::string& type, const named_mask& mask) {
  using feed = number_feed<T>;
  const callers who{.members = mask.members};
  const std::string of = "(" + std::string(mask.name) + ", " + type + ")";
  // Below 32 lanes the goal is to be twice as fast as cooperative groups. If the hardware reduces
  // integers in one instruction, both sides are that instruction.
  const double goal = mask.members == heddle::all_lanes ? 1 : 0.5;
  const double reduce_goal = std::is_integral_v<T> ? 1 : goal;
  contest.run<feed>(
      {members<feed, heddle_lanes_reduce<T>>("group::reduce" + of),
       members<feed, groups_coalesced_reduce<T>>("cooperative_groups::reduce", reduce_goal),
       members<feed, serial_reduce<T>>("loop over the members")},
      who);
  contest.run<feed>(
      {members<feed, heddle_coalesced_reduce<T>>("group::reduce(coalesced, " + of.substr(1)),
       members<feed, groups_coalesced_reduce<T>>("cooperative_groups::reduce", reduce_goal)},
      who);
  contest.run<feed>(
      {members<feed, heddle_lanes_scan<T>>("group::inclusive_scan" + of),
       members<feed, groups_coalesced_scan<T>>("cooperative_groups::inclusive_scan", goal)},
      who);
  contest.run<feed>(
      {members<feed, heddle_coalesced_scan<T>>("group::inclusive_scan(coalesced, " + of.substr(1)),
       members<feed, groups_coalesced_scan<T>>("cooperative_groups::inclusive_scan", goal)},
      who);
}

inline void group_cases(contest& contest) {
  const std::vector<named_mask> masks = {{0x00001fff, "13 lanes"},
                                         {0x000fffff, "20 lanes"},
                                         {0x003ffe00, "lanes 9 to 21"},
                                         {0x80000021, "lanes 0, 5, 31"},
                                         {0x5a96c3e1, "16 lanes here and there"},
                                         {0xfdbfeff6, "27 lanes of 32"},
                                         {heddle::all_lanes, "32 lanes"}};
  for (const named_mask& mask : masks) {
    lanes_of_type<float>(contest, "float", mask);
    lanes_of_type<int>(contest, "int", mask);
    lanes_of_type<double>(contest, "double", mask);
  }
  {
    using feed = number_feed<float>;
    contest.run<feed>(
        {warps<feed, heddle_labelled_reduce<float>>("group::split_by_label + reduce(float)"),
         warps<feed, groups_labelled_reduce<float>>("labeled_partition + reduce")});
  }
  {
    using feed = number_feed<int>;
    contest.run<feed>(
        {warps<feed, heddle_labelled_reduce<int>>("group::split_by_label + reduce(int)"),
         warps<feed, groups_labelled_reduce<int>>("labeled_partition + reduce")});
  }
}

}  // namespace heddle_bench
