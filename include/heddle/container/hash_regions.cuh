// Inserts arrays of keys into a hash table larger than the cache, region by region.
//   strategy    keys are sorted by the region of the table in which their probe sequence begins, so
//               that keys in flight at the same time are close together. DRAM then reads and writes
//               back several keys of a row at once, and buckets are still in the cache when the
//               next key needs them.
//   needs       sm_75
#pragma once
#include <heddle/container/hash_kernels.cuh>
#include <heddle/container/hash_way.cuh>
#include <heddle/container/launch.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/warp/scan.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::container::detail {

// One per lane of a warp. With more regions, the keys in flight would contend for few buckets.
inline constexpr unsigned table_regions = warp_size;

// Regions are equal parts of a table's buckets, in order.
template <typename Bits>
__host__ __device__ inline unsigned region_of(Bits key) {
  return scaled(hash(key).home, table_regions);
}

// Holds keys until it is their region's turn, in the memory of a large table.
class waiting_room {
 public:
  using word = unsigned long long;  // a key, and its value if it has one

  waiting_room() = default;
  waiting_room(std::byte* memory, std::size_t bytes)
      : counts_(reinterpret_cast<unsigned*>(memory)),
        words_(reinterpret_cast<word*>(memory + counts_bytes_)),
        places_(static_cast<unsigned>((bytes - counts_bytes_) / (sizeof(word) * table_regions))) {}

  // An eighth of the memory of a table with that many words; 0 for tables too small to benefit.
  [[nodiscard]] static std::size_t bytes_for(std::size_t slots) {
    constexpr std::size_t fewest_slots = std::size_t{1} << 25,
                          unit = table_regions * launched_threads;
    return slots < fewest_slots ? 0 : counts_bytes_ + slots / 8 / unit * unit * sizeof(word);
  }
  [[nodiscard]] bool exists() const { return words_ != nullptr; }
  // How many keys to sort at a time: few enough that each region very likely has room for its keys.
  // Keys without room are inserted directly.
  [[nodiscard]] std::size_t keys_at_a_time() const {
    return std::size_t{table_regions} * (places_ - places_ / 32);
  }
  // Of all regions together. All regions have the same number, a multiple of the block size.
  [[nodiscard]] std::size_t places() const { return std::size_t{table_regions} * places_; }
  void make_empty(cudaStream_t stream, source_location where) const {
    check(cudaMemsetAsync(counts_, 0, counts_bytes_, stream), where);
  }

  // The first of `keys` consecutive places of a region; some of them may be past its end.
  __device__ unsigned reserve(unsigned region, unsigned keys) const {
    return atomicAdd(counts_ + region, keys);
  }
  // Where a key waits, or nullptr if the region has no place with that number.
  [[nodiscard]] __device__ word* place(unsigned region, unsigned number) const {
    return number < places_ ? words_ + std::size_t{region} * places_ + number : nullptr;
  }
  // Whether a key waits at a place, numbered across all regions.
  [[nodiscard]] __device__ bool has_key_at(std::size_t place) const {
    const auto region = static_cast<unsigned>(place / places_);
    return place % places_ < counts_[region];
  }
  [[nodiscard]] __device__ word key_at(std::size_t place) const { return words_[place]; }

 private:
  static constexpr std::size_t counts_bytes_ = table_regions * sizeof(unsigned);
  unsigned* counts_ = nullptr;
  word* words_ = nullptr;
  unsigned places_ = 0;  // per region
};

// Keys that each lane of sort_by_region() holds at a time.
inline constexpr int sorted_at_a_time = 8;

// Inserts one key for each lane that wants it, as insert_keys() does.
//   called by   all lanes of a warp
template <typename Table>
__device__ inline void insert_word(const Table& table, waiting_room::word held, bool wants,
                                   bool assigns) {
  using content = typename Table::content;
  const typename Table::bits keys[1] = {wants ? content::key(held) : table.marker()};
  const same_key group = same_key::among(all_lanes, keys[0], assigns);
  const bool wanted[1] = {wants && group.leads()};
  const typename Table::value_type values[1] = {content::value(held)};
  insertion answers[1];
  table.template insert<true>(keys, values, wanted, assigns, answers);
}

// Distributes keys to their regions' places. Each block first sorts its keys in shared memory, so
// that keys of a region are written together.
template <typename Table, typename Key, typename Value>
__global__ void __launch_bounds__(launched_threads)
    sort_by_region(Table table, const Key* keys, const Value* values, std::size_t count,
                   bool assigns, waiting_room room) {
  using rows = key_rows<sorted_at_a_time>;
  using content = typename Table::content;
  __shared__ waiting_room::word sorted[rows::step];
  __shared__ unsigned counts[table_regions];  // of the block's keys
  __shared__ unsigned begins[table_regions];  // in `sorted`
  __shared__ unsigned places[table_regions];  // of the first of them in the waiting room
  __shared__ unsigned total;
  for (std::size_t at = rows::first(); rows::goes_on(at, count); at = rows::next(at)) {
    if (threadIdx.x < table_regions) counts[threadIdx.x] = 0;
    __syncthreads();
    typename Table::bits mine[sorted_at_a_time];
    Value brought[sorted_at_a_time];
    unsigned ranks[sorted_at_a_time];
    bool wanted[sorted_at_a_time];
    rows::load(table, keys, values, at, count, mine, brought, wanted);
#pragma unroll
    for (int i = 0; i < sorted_at_a_time; ++i) {
      if (wanted[i]) ranks[i] = atomicAdd(counts + region_of(mine[i]), 1u);
    }
    __syncthreads();
    if (threadIdx.x < table_regions) {
      const unsigned of_region = counts[threadIdx.x];
      const unsigned end = warp::inclusive_scan(of_region);
      begins[threadIdx.x] = end - of_region;
      if (threadIdx.x == table_regions - 1) total = end;
      places[threadIdx.x] = of_region != 0 ? room.reserve(threadIdx.x, of_region) : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < sorted_at_a_time; ++i) {
      if (wanted[i]) {
        sorted[begins[region_of(mine[i])] + ranks[i]] = content::filled(mine[i], brought[i]);
      }
    }
    __syncthreads();
    for (unsigned first = 0; first < total; first += launched_threads) {
      const unsigned own = first + threadIdx.x;
      waiting_room::word held = 0;
      bool finds_no_place = false;
      if (own < total) {
        held = sorted[own];
        const unsigned region = region_of(content::key(held));
        waiting_room::word* const to = room.place(region, places[region] + own - begins[region]);
        finds_no_place = to == nullptr;
        if (to != nullptr) *to = held;
      }
      if (__any_sync(all_lanes, finds_no_place)) insert_word(table, held, finds_no_place, assigns);
    }
    __syncthreads();
  }
}

template <typename Table>
__global__ void __launch_bounds__(launched_threads)
    insert_waiting(Table table, waiting_room room, bool assigns) {
  const std::size_t place = std::size_t{blockIdx.x} * launched_threads + threadIdx.x;
  const bool wants = room.has_key_at(place);
  if (!__any_sync(all_lanes, wants)) return;
  insert_word(table, wants ? room.key_at(place) : 0, wants, assigns);
}

// Inserts all keys of an array; of equal keys, any one wins.
template <typename Table, typename Key, typename Value>
void insert_by_region(const Table& table, const waiting_room& room, const Key* keys,
                      const Value* values, std::size_t count, bool assigns, cudaStream_t stream,
                      source_location where) {
  const std::size_t step = room.keys_at_a_time();
  for (std::size_t first = 0; first < count; first += step) {
    const std::size_t now = count - first < step ? count - first : step;
    room.make_empty(stream, where);
    launch_for_each((now + sorted_at_a_time - 1) / sorted_at_a_time, stream, where,
                    sort_by_region<Table, Key, Value>, table, keys + first,
                    values == nullptr ? nullptr : values + first, now, assigns, room);
    launch_for_each(room.places(), stream, where, insert_waiting<Table>, table, room, assigns);
  }
}

}  // namespace heddle::container::detail
