// A worker's local tasks: a ring in shared memory from which it takes the newest and gives away
// the oldest.
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/sync/access.cuh>

#include <cstddef>
#include <type_traits>

namespace heddle::task {

// A task may have a kind, a small number, `__device__ int kind() const`: tasks of one kind are then
// visited together.
template <typename Task>
concept has_kind = requires(const Task& task) {
  {static_cast<int>(task.kind())};
};

namespace detail {

// A cache belongs to one warp. All lanes call every function except put(), and see in it what any
// lane has done before.
template <typename Task, int slots>
class cache {
  static_assert(slots >= 2 * warp_size, "tasks of one kind are looked for among two warps full");

 public:
  __device__ void clear() {
    __syncwarp();
    if (lane_id() == 0) first_ = count_ = 0;
    __syncwarp();
  }

  // Returns false and stores nothing if there is no room.
  //   called by   single lanes, any number of them; until all lanes have reconverged, other lanes
  //               may only put
  [[nodiscard]] __device__ bool put(const Task& task) {
    const int place = sync::add<sync::scope::block>(&count_, 1);
    if (place < slots) {
      at(place) = task;
      return true;
    }
    // A lane that came too late takes its increment back. This cannot give a place out twice: it
    // never brings the count below `slots`.
    sync::add<sync::scope::block>(&count_, -1);
    return false;
  }
  [[nodiscard]] __device__ int size() const { return count_; }

  // Stores the tasks of the first lanes; the last of them is the newest. The cache must be empty.
  __device__ void fill(const Task& mine, int tasks) {
    __syncwarp();
    if (lane_id() == 0) {
      first_ = 0;
      count_ = tasks;
    }
    __syncwarp();
    if (lane_id() < tasks) at(lane_id()) = mine;
    __syncwarp();
  }

  // Takes the oldest tasks, one for each of the first `tasks` lanes.
  __device__ void take_oldest(Task& mine, int tasks) {
    if (lane_id() < tasks) mine = at(lane_id());
    __syncwarp();
    if (lane_id() == 0) {
      first_ = wrapped(first_ + tasks);
      count_ -= tasks;
    }
    __syncwarp();
  }

  // Takes tasks of the same kind as the newest one, newest first, up to one for each lane. It looks
  // only at the newest two warps' worth of tasks.
  //   result in   every lane: the mask of the lanes that got a task
  [[nodiscard]] __device__ lane_mask take_newest(Task& mine) {
    if constexpr (has_kind<Task>) {
      return take_newest_of_kind(mine);
    } else {
      const int held = count_;
      const int taken = held < warp_size ? held : warp_size;
      if (lane_id() < taken) mine = at(held - 1 - lane_id());
      __syncwarp();
      if (lane_id() == 0) count_ = held - taken;
      __syncwarp();
      return lanes_below(taken);
    }
  }

 private:
  __device__ lane_mask take_newest_of_kind(Task& mine) {
    const int held = count_;
    const int newer_place = held - 1 - lane_id(), older_place = newer_place - warp_size;
    // A place below 0 holds no task.
    Task newer{}, older{};
    if (newer_place >= 0) newer = at(newer_place);
    if (older_place >= 0) older = at(older_place);
    const int newer_kind = newer_place >= 0 ? static_cast<int>(newer.kind()) : 0;
    const int older_kind = older_place >= 0 ? static_cast<int>(older.kind()) : 0;
    const int kind = __shfl_sync(all_lanes, newer_kind, 0);
    const lane_mask newer_fit = __ballot_sync(all_lanes, newer_place >= 0 && newer_kind == kind);
    const lane_mask older_fit = __ballot_sync(all_lanes, older_place >= 0 && older_kind == kind);
    const int room = warp_size - count(newer_fit);
    const bool takes_older = contains(older_fit, lane_id()) && rank(older_fit) < room;
    const lane_mask older_taken = __ballot_sync(all_lanes, takes_older);
    const int taken = count(newer_fit) + count(older_taken);
    __syncwarp();

    // Lanes whose newer task does not fit get one of the older tasks, by rank.
    const int wanted_rank = rank(~newer_fit);
    const int source =
        wanted_rank < count(older_taken) ? lane_of_rank(older_taken, wanted_rank) : 0;
    const Task from_older = shuffle(all_lanes, older, source);
    const bool has_newer = contains(newer_fit, lane_id());
    mine = has_newer ? newer : from_older;

    // Compacts the tasks that stay, keeping their order: the highest place holds the newest.
    const lane_mask newer_stay = __ballot_sync(all_lanes, newer_place >= 0 && !has_newer);
    const lane_mask older_stay = __ballot_sync(all_lanes, older_place >= 0 && !takes_older);
    const int looked_at = held < 2 * warp_size ? held : 2 * warp_size;
    const int newest_place = held - looked_at + count(newer_stay) + count(older_stay) - 1;
    if (contains(newer_stay, lane_id())) at(newest_place - rank(newer_stay)) = newer;
    if (contains(older_stay, lane_id())) {
      at(newest_place - count(newer_stay) - rank(older_stay)) = older;
    }
    if (lane_id() == 0) count_ = held - taken;
    __syncwarp();
    return newer_fit | __ballot_sync(all_lanes, !has_newer && wanted_rank < count(older_taken));
  }

  __device__ static int wrapped(int place) { return place < slots ? place : place - slots; }
  // Places count up from the oldest task.
  __device__ Task& at(int place) {
    return reinterpret_cast<Task*>(bytes_)[wrapped(first_ + place)];
  }

  int first_;
  int count_;
  alignas(Task) std::byte bytes_[slots * sizeof(Task)];
};

}  // namespace detail

}  // namespace heddle::task
