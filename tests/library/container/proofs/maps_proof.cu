// A hash table used by a few lanes: maps_proof KIND BUCKETS LANES_OF_WARP EPOCH_BEFORE BEFORE
// PROGRAM…; a word has a letter and a key for each operation: i0 inserts, a0 inserts or assigns, f0
// finds, e0 erases. All keys have the same home bucket. After the programs one lane finds and
// erases each key, and then finds none. Returns 0 if one order of the operations explains all
// results.
#include <heddle/container/hash_kernels.cuh>
#include <heddle/container/hash_nodes.cuh>
#include <heddle/container/hash_together.cuh>
#include <heddle/container/hash_words.cuh>

#include <algorithm>
#include <optional>
#include <string>

#include "../asking_maps.cuh"
#include "../parcel.cuh"
#include "small_program.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_mask;
using heddle::container::insertion;
using heddle::container::probing;
namespace detail = heddle::container::detail;

constexpr int slots_of_bucket = 2;  // the minimum

// The operations of lanes on a table, with the interface of maps and sets.
template <typename Table, typename Value>
struct table_as_map {
  Table table;
  using bits = typename Table::bits;
  __device__ static auto kept(const Value& value) {
    if constexpr (std::is_same_v<bits, unsigned long long>) {
      return detail::no_value{};
    } else {
      return value;
    }
  }
  __device__ insertion insert(unsigned key, const Value& value) const {
    return detail::insert_one(table, bits{key}, kept(value), false);
  }
  __device__ insertion insert_or_assign(unsigned key, const Value& value) const {
    return detail::insert_one(table, bits{key}, kept(value), true);
  }
  __device__ bool find(unsigned key, Value& value) const {
    auto found = kept(value);
    const bool is_there = detail::find_one(table, bits{key}, found);
    if constexpr (std::is_same_v<decltype(found), Value>) value = found;
    return is_there;
  }
  __device__ bool erase(unsigned key) const { return detail::erase_one(table, bits{key}); }
  __device__ insertion insert(unsigned key, const Value& value, bool wants,
                              lane_mask members) const {
    return detail::insert_together(table, bits{key}, kept(value), false, wants, members);
  }
  __device__ insertion insert_or_assign(unsigned key, const Value& value, bool wants,
                                        lane_mask members) const {
    return detail::insert_together(table, bits{key}, kept(value), true, wants, members);
  }
  __device__ bool erase(unsigned key, bool wants, lane_mask members) const {
    return detail::erase_together(table, bits{key}, wants, members);
  }
};

class map_case {
 public:
  map_case(int words, char** word, bool has_values)
      : buckets_(static_cast<unsigned>(std::stoul(word[0]))), has_values_(has_values) {
    const auto lanes_of_warp = static_cast<unsigned>(std::stoul(word[1]));
    program_.meanwhile = lane_programs(lanes_of_warp, timing_of(word[1]));
    epoch_before_ = steps_of(word[2]);
    program_.before.add(steps_of(word[3]));
    for (int i = 4; i < words; ++i) {
      for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        program_.meanwhile.add(steps_of(word[i]));
      }
    }
    std::string all;
    for (unsigned key = 0; key < keys_; ++key) {
      for (const char method : {'f', 'e', 'f'}) all += method + std::to_string(key);
    }
    program_.behind.add(steps_of(all));
  }

  template <typename Table, typename Value>
  int judge_table(erased_slot rule) const {
    const std::size_t spares = program_.meanwhile.lanes();  // spare nodes: the minimum
    const device_array<std::byte> memory(
        std::vector<std::byte>(Table::bytes(buckets_, spares), std::byte{0}));
    using bits = typename Table::bits;
    const auto table = Table::over(memory.data(), buckets_, spares, {~bits{0}, ~bits{1}, ~bits{2}});
    detail::clear_parts<<<1, 32>>>(table);
    const looking_up<table_as_map<Table, Value>, Value> object{{table}, first_key<bits>()};
    std::vector<std::optional<unsigned>> values(keys_);
    if (!epoch_before_.empty()) {
      recorded(object, {1, 1, 1}, false, epoch_before_);
      for (const step& one : epoch_before_) replay(one, values);
      if constexpr (Table::sweeps) detail::sweep_slots<<<1, 32>>>(table);
      detail::begin_epoch<<<1, 1>>>(table);
    }
    using one_operation = operation<map_call, map_answer>;
    return judge<one_operation>(program_, object, map_model(table.slot_count(), values, rule),
                                answered);
  }

 private:
  std::vector<step> steps_of(const std::string& program) {
    const std::string letters = "iafe";  // in the order of map_method
    std::vector<step> steps;
    for (std::size_t i = 0; i + 1 < program.size(); i += 2) {
      const auto key = static_cast<unsigned>(program[i + 1] - '0');
      keys_ = std::max(keys_, key + 1);
      steps.push_back(
          {{static_cast<unsigned>(letters.find(program[i])), key, has_values_ ? ++values_ : 0}});
    }
    return steps;
  }
  // What a single lane does, all of which succeeds.
  static void replay(const step& one, std::vector<std::optional<unsigned>>& values) {
    std::optional<unsigned>& value = values[one.words[1]];
    switch (static_cast<map_method>(one.words[0])) {
      case map_method::insert:
        if (!value) value = one.words[2];
        break;
      case map_method::insert_or_assign:
        value = one.words[2];
        break;
      case map_method::erase:
        value.reset();
        break;
      case map_method::find:
        break;
    }
  }
  // Keys from a sequence that all have the same home bucket.
  template <typename bits>
  unsigned first_key() const {
    for (unsigned first = 0;; ++first) {
      const auto home = [&](unsigned key) {
        return detail::scaled(detail::hash(bits{first + key}).home, buckets_);
      };
      bool is_one_home = true;
      for (unsigned key = 1; key < keys_; ++key) is_one_home &= home(key) == home(0);
      if (is_one_home) return first;
    }
  }

  unsigned buckets_, keys_ = 0, values_ = 0;
  bool has_values_;
  std::vector<step> epoch_before_;
  small_program program_;
};

}  // namespace

int main(int count, char** arguments) {
  const std::string kind = arguments[1];
  const map_case parsed(count - 2, arguments + 2, kind != "keys");
  constexpr probing how = probing::by_own_step;
  if (kind == "words") {
    using word = detail::pair_word<unsigned, unsigned>;
    using table = detail::word_table_view<word, unsigned, slots_of_bucket, how>;
    return parsed.judge_table<table, unsigned>(erased_slot::is_used_up);
  }
  if (kind == "keys") {
    using word = detail::key_word<unsigned long long>;
    using table = detail::word_table_view<word, detail::no_value, slots_of_bucket, how>;
    return parsed.judge_table<table, unsigned>(erased_slot::is_used_up);
  }
  if (kind == "nodes") {
    using table = detail::node_table_view<unsigned, parcel, slots_of_bucket, how>;
    return parsed.judge_table<table, parcel>(erased_slot::waits_for_its_key);
  }
  return 2;
}
