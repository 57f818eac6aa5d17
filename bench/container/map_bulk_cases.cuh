// Inserts, finds and erases whole arrays of keys in a hash map, at several load factors.
#pragma once
#include <heddle/container/hash_map.cuh>

#include <cstdint>
#include <string>
#include <vector>

#include "container/container_contest.cuh"
#include "container/map_keys.cuh"

namespace heddle_bench {

using heddle::container::bulk_settings;
using heddle::container::insertion;

template <typename Key, typename Value>
class map_bench {
 public:
  using map = heddle::container::hash_map<Key, Value>;

  map_bench(container_contest& contest, std::uint32_t count, double load)
      : contest_(contest),
        count_(count),
        map_(map::for_elements(count, load)),
        keys_(count),
        mixed_keys_(count),
        values_(count),
        found_values_(count),
        found_(count),
        answers_(count),
        wrong_(1) {
    write_keys<<<grid_, threads_of_block>>>(keys_.data(), count, 0u, false);
    write_keys<<<grid_, threads_of_block>>>(mixed_keys_.data(), count, 0u, true);
    write_values<<<grid_, threads_of_block>>>(keys_.data(), values_.data(), count);
    check(cudaGetLastError());
  }

  // Inserts into an empty map, without results. A run before the timed ones checks the results.
  template <bulk_settings settings = bulk_settings{}>
  finding insert() {
    map_.clear();
    answers_.poison();
    map_.template insert<settings>(keys_.data(), values_.data(), count_, answers_.data());
    finding found{0, others_than(insertion::inserted) == 0 && map_.size() == count_};
    found.speed =
        speed_of([&] { map_.clear(); },
                 [&] { map_.template insert<settings>(keys_.data(), values_.data(), count_); });
    found.is_right = found.is_right && map_.size() == count_;
    return found;
  }
  // Finds in the map that insert() left.
  template <bulk_settings settings = bulk_settings{}>
  finding find(bool half) {
    const Key* const keys = half ? mixed_keys_.data() : keys_.data();
    found_values_.poison();
    found_.poison();
    map_.template find<settings>(keys, count_, found_values_.data(), found_.data());
    check(cudaMemset(wrong_.data(), 0, sizeof(unsigned long long)));
    count_wrong_values<<<grid_, threads_of_block>>>(keys, found_values_.data(), found_.data(),
                                                    count_, half, wrong_.data());
    check(cudaGetLastError());
    finding found{0, wrong_.values(1)[0] == 0};
    found.speed =
        speed_of([] {}, [&] { map_.template find<settings>(keys, count_, found_values_.data()); });
    return found;
  }
  finding insert_or_assign() {
    finding found{0, true};
    found.speed =
        speed_of([] {}, [&] { map_.insert_or_assign(keys_.data(), values_.data(), count_); });
    found.is_right = map_.size() == count_;
    return found;
  }
  // Erases all keys; the map is filled again before each run.
  finding erase() {
    finding found{0, true};
    found.speed = speed_of(
        [&] {
          map_.clear();
          map_.insert(keys_.data(), values_.data(), count_);
        },
        [&] { map_.erase(keys_.data(), count_); });
    found.is_right = map_.size() == 0;
    return found;
  }

 private:
  static constexpr int grid_ = 2048;
  static constexpr int runs_ = 6;

  template <typename Prepare, typename Call>
  double speed_of(const Prepare& prepare, const Call& call) {
    std::vector<double> took;
    for (int run = 0; run < runs_; ++run) {
      prepare();
      contest_.watch().start();
      call();
      const double nanoseconds = contest_.watch().nanoseconds();
      if (run > 0) took.push_back(nanoseconds);
    }
    return count_ / median(took) * 1e3;
  }
  unsigned long long others_than(insertion expected) {
    check(cudaMemset(wrong_.data(), 0, sizeof(unsigned long long)));
    count_other_answers<<<grid_, threads_of_block>>>(answers_.data(), count_, expected,
                                                     wrong_.data());
    check(cudaGetLastError());
    return wrong_.values(1)[0];
  }

  container_contest& contest_;
  std::uint32_t count_;
  map map_;
  device_array<Key> keys_, mixed_keys_;
  device_array<Value> values_, found_values_;
  device_array<bool> found_;
  device_array<insertion> answers_;
  device_array<unsigned long long> wrong_;
};

// Millions per second that our map must reach.
struct map_targets {
  double load, insert, find, find_half;
};

template <typename Key, typename Value>
void map_bulk_rows(container_contest& contest, const std::string& what, std::uint32_t count,
                   const map_targets& target) {
  container_report& rows = contest.rows();
  char load[32];
  std::snprintf(load, sizeof load, ", load %.1f: ", target.load);
  const std::string name = what + load;
  if (!rows.wants(name)) return;
  map_bench<Key, Value> bench(contest, count, target.load);
  const auto row = [&](const char* call, const finding& ours, double wanted) {
    rows.speed(name + call, "", ours.speed, 0, wanted, 0, wrong_side(ours));
    return ours;
  };
  const auto other_setting = [&](const char* call, const char* setting, const finding& ours,
                                 const finding& other) {
    rows.speed(name + call, setting, ours.speed, other.speed, 0, 0, wrong_side(ours, other));
  };
  // By region, keys always go one at a time, in pairs and merged. The other settings apply only
  // to unsorted keys.
  constexpr bulk_settings unsorted{.by_region = false}, two{.in_flight = 2, .by_region = false},
      four{.in_flight = 4, .by_region = false}, unmerged{.merges = false, .by_region = false},
      unpaired{.in_pairs = false, .by_region = false};
  const finding inserted = row("insert", bench.insert(), target.insert);
  other_setting("insert", "ours, unsorted", inserted, bench.template insert<unsorted>());
  other_setting("insert", "ours, 2 in flight", inserted, bench.template insert<two>());
  other_setting("insert", "ours, 4 in flight", inserted, bench.template insert<four>());
  other_setting("insert", "ours, equal keys apart", inserted, bench.template insert<unmerged>());
  other_setting("insert", "ours, lanes alone", inserted, bench.template insert<unpaired>());
  const finding found = row("find, all there", bench.find(false), target.find);
  other_setting("find, all there", "ours, 2 in flight", found, bench.template find<two>(false));
  other_setting("find, all there", "ours, 4 in flight", found, bench.template find<four>(false));
  other_setting("find, all there", "ours, lanes alone", found,
                bench.template find<unpaired>(false));
  const finding half = row("find, half there", bench.find(true), target.find_half);
  other_setting("find, half there", "ours, 2 in flight", half, bench.template find<two>(true));
  other_setting("find, half there", "ours, 4 in flight", half, bench.template find<four>(true));
  other_setting("find, half there", "ours, lanes alone", half, bench.template find<unpaired>(true));
  row("insert_or_assign, all there", bench.insert_or_assign(), 0);
  row("erase, all there", bench.erase(), 0);
}

inline constexpr std::uint32_t map_bench_keys = 50'000'000;

inline void map_bulk_cases(container_contest& contest) {
  const std::string keys = std::to_string(map_bench_keys / 1'000'000) + " M keys";
  for (const map_targets& target :
       {map_targets{0.5, 15'500, 30'000, 31'000}, map_targets{0.8, 14'600, 24'000, 17'000},
        map_targets{0.9, 12'800, 19'500, 12'500}}) {
    map_bulk_rows<std::uint32_t, std::uint32_t>(contest, "map 32+32, " + keys, map_bench_keys,
                                                target);
  }
  map_bulk_rows<std::uint64_t, std::uint64_t>(contest, "map 64+64, " + keys, map_bench_keys,
                                              {0.8, 0, 0, 0});
}

}  // namespace heddle_bench
