// Each lane inserts, finds and erases its own keys, in the hash map and in the one with locks.
#pragma once
#include <heddle/container/hash_map.cuh>

#include <cstdint>
#include <string>

#include "container/container_contest.cuh"
#include "container/locked_map.cuh"
#include "container/map_keys.cuh"

namespace heddle_bench {

// Three operations per round. Sums up the values found, as if they were popped: see is_sum_right().
template <typename View>
__global__ void __launch_bounds__(threads_of_block)
    insert_find_erase(View map, unsigned rounds, popped_sum* sums) {
  const unsigned thread = thread_of_grid();
  popped_sum sum = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    const std::uint32_t number = thread * rounds + i;
    static_cast<void>(map.insert(key_at(number), number));
    std::uint32_t value = 0;
    if (map.find(key_at(number), value)) sum += value;
    map.erase(key_at(number));
  }
  sums[thread] = sum;
}

template <typename Map, typename Prepare>
finding measure_map_contention(container_contest& contest, contention level, bool is_slow,
                               const Map& make, const Prepare& prepare) {
  auto map = make();
  using view = decltype(map.view());
  const auto kernel = insert_find_erase<view>;
  const launch_shape shape = contest.shape_of(level, kernel);
  const unsigned rounds = rounds_for(level, is_slow);
  return contest.run(shape, rounds, shape.lanes(),
                     3.0 * rounds * static_cast<double>(shape.lanes()), [&](popped_sum* sums) {
                       prepare(map);
                       kernel<<<shape.blocks, shape.threads>>>(map.view(), rounds, sums);
                     });
}

inline void map_contention_cases(container_contest& contest) {
  using ours = heddle::container::hash_map<std::uint32_t, std::uint32_t>;
  // Room for all keys of a run: the slot of an erased key stays taken until the next settle().
  constexpr std::size_t slots = std::size_t{1} << 25;
  for (const contention level :
       {contention::one_lane, contention::one_warp, contention::one_block, contention::full}) {
    const std::string name = std::string("map insert, find, erase, ") + name_of(level);
    if (!contest.rows().wants(name)) continue;
    const finding free = measure_map_contention(
        contest, level, false, [] { return ours(slots); }, [](ours& map) { map.settle(); });
    const auto nothing = [](const auto&) {};
    const finding one_lock = measure_map_contention(
        contest, contention_of_locks(level), true,
        [] { return locked_map<std::uint32_t>(slots / 8, 1); }, nothing);
    const finding many_locks = measure_map_contention(
        contest, level, false, [] { return locked_map<std::uint32_t>(slots, slots / 32); },
        nothing);
    contest.rows().speed(name, "under one lock", free.speed, one_lock.speed, 0, 0,
                         wrong_side(free, one_lock));
    contest.rows().speed(name, "a lock for 32 slots", free.speed, many_locks.speed, 0, 0,
                         wrong_side(free, many_locks));
  }
}

}  // namespace heddle_bench
