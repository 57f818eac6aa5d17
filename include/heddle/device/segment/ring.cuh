// Streams a range to one warp through a ring of chunks in shared memory, some chunks ahead of use.
#pragma once
#include <heddle/core/bulk_copy.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/core/vector_access.cuh>
#include <heddle/device/iterators.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

// A number that counting in a warp's ring never reaches.
inline constexpr int beyond_ring = 0x7fffffff;

// bulk_load() with an eviction hint: data that is not read again soon does not displace other data
// from L2.
template <caching hint>
__device__ inline void bulk_load_with(void* to, const void* from, int bytes,
                                      shared_barrier& arrived) {
  if constexpr (hint == caching::once && has_feature<feature::bulk_copy>) {
    std::uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1], %2, [%3], %4;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
        "l"(from), "r"(bytes), "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(&arrived))),
        "l"(policy)
        : "memory");
  } else {
    bulk_load(to, from, bytes, arrived);
  }
}

// Chunk n holds items n * items … (n + 1) * items - 1 from the base of the range. It is fetched,
// waited for and read; then fetch() of chunk n + chunks reuses its slot.
template <typename Source, int items_of_chunk, int chunks_at_a_time, int most_before,
          caching hint = caching::normal>
class warp_ring {
 public:
  using element = element_of<Source>;
  static constexpr int items = items_of_chunk;
  static constexpr int chunks = chunks_at_a_time;
  static constexpr int size = sizeof(element);
  static constexpr int chunk_bytes = items * size;
  // Elements do not straddle 16-byte boundaries, so they can be copied in bulk.
  static constexpr bool fills_vectors =
      std::is_pointer_v<Source> && size <= bulk_bytes && (size & (size - 1)) == 0;
  static constexpr int boundary_bytes =
      most_before * size < bulk_line_bytes ? most_before * size : bulk_line_bytes;
  static_assert(items % warp_size == 0 && (!fills_vectors || chunk_bytes % bulk_bytes == 0));

  struct storage {
    static constexpr int alignment = static_cast<int>(alignof(element)) > bulk_line_bytes
                                         ? alignof(element)
                                         : bulk_line_bytes;
    alignas(alignment) unsigned char bytes[chunks * chunk_bytes];
    shared_barrier arrived[chunks];
  };

  //   called by   one lane, before order_prepared_barriers() and __syncthreads()
  __device__ static void prepare(storage& shared) {
    if constexpr (has_feature<feature::bulk_copy>) {
      for (auto& barrier : shared.arrived) barrier.prepare(1);
    }
  }

  // A range from source[begin] to before source[end]. The base is the last boundary before it,
  // fewer than `most_before` items away. Only [lowest, highest) of the source may be read.
  __device__ warp_ring(const Source& source, storage& shared, std::int64_t begin, std::int64_t end,
                       std::int64_t lowest, std::int64_t highest)
      : source_(source), shared_(shared), base_(begin - past_boundary(source, begin)) {
    HEDDLE_EXPECTS(end - base_ < beyond_ring - items,
                   "a warp's share has fewer than 2^31 values and segments");
    first_ = static_cast<int>(begin - base_);
    last_ = static_cast<int>(end - base_);
    readable_from_ = lowest > base_ ? static_cast<int>(lowest - base_) : 0;
    readable_until_ =
        highest - base_ < beyond_ring ? static_cast<int>(highest - base_) : beyond_ring;
    if constexpr (fills_vectors) {
      is_aligned_ = reinterpret_cast<std::uintptr_t>(source + base_) % bulk_bytes == 0;
      const int until = last_ - items - readable_from_;
      whole_ = is_aligned_ && until >= 0 ? static_cast<unsigned>(until) + 1 : 0;
    }
  }

  // Where the range begins and ends, counted from the base.
  [[nodiscard]] __device__ int first() const { return first_; }
  [[nodiscard]] __device__ int last() const { return last_; }
  [[nodiscard]] __device__ std::int64_t base() const { return base_; }

  // Starts the fetch of a chunk, if the range has it.
  //   called by   every lane of the warp, after all of them have read the chunk it replaces
  __device__ void fetch(int chunk) {
    const int from = chunk * items;
    if constexpr (fills_vectors && has_feature<feature::bulk_copy>) {
      if (static_cast<unsigned>(from - readable_from_) < whole_) {
        if (lane_id() == 0) copy(chunk, from, chunk_bytes);
        return;
      }
    }
    fetch_rest(chunk, from);
  }

  // Waits until a fetched chunk has arrived.
  //   called by   every lane of the warp
  __device__ void wait(int chunk) {
    if constexpr (fills_vectors && has_feature<feature::bulk_copy>) {
      shared_.arrived[slot(chunk)].wait(static_cast<unsigned>(chunk) / chunks & 1);
    } else {
      __syncwarp();
    }
  }

  [[nodiscard]] __device__ element* place(int chunk) const {
    return reinterpret_cast<element*>(shared_.bytes) + slot(chunk) * items;
  }
  // The item at a place of the range, counted from the base; its chunk must have arrived.
  [[nodiscard]] __device__ const element& at(int item) const {
    constexpr unsigned all = chunks * items;
    return reinterpret_cast<const element*>(shared_.bytes)[static_cast<unsigned>(item) % all];
  }

 private:
  [[nodiscard]] __device__ static int slot(int chunk) {
    return static_cast<int>(static_cast<unsigned>(chunk) % chunks);
  }
  // How many elements lie between the last boundary and `index`. Boundaries are those of cache
  // lines, where copies are fastest, but at most `most_before` elements apart.
  [[nodiscard]] __device__ static std::int64_t past_boundary(const Source& source,
                                                             std::int64_t index) {
    if constexpr (fills_vectors) {
      const auto address = reinterpret_cast<std::uintptr_t>(source + index);
      return static_cast<std::int64_t>(address % boundary_bytes / size);
    } else {
      return 0;
    }
  }

  //   called by   one lane
  __device__ void copy(int chunk, int from, int bytes) {
    shared_barrier& arrived = shared_.arrived[slot(chunk)];
    arrived.expect(bytes);
    bulk_load_with<hint>(place(chunk), source_ + (base_ + from), bytes, arrived);
    arrived.arrive();
  }

  // Fetches a chunk at an end of the range, or of what may be read.
  __device__ void fetch_rest(int chunk, int from) {
    if (from >= last_) return;
    const int until = from + items < last_ ? from + items : last_;
    if constexpr (fills_vectors && has_feature<feature::bulk_copy>) {
      constexpr int length = bulk_bytes / size;
      const int end = (until + length - 1) / length * length;
      if (is_aligned_ && from >= readable_from_ && end <= readable_until_) {
        if (lane_id() == 0) copy(chunk, from, (end - from) * size);
        return;
      }
    }
    fetch_by_lanes(chunk, from, until);
  }

  // Items that may not be read are replaced by the nearest one that may. All loads are in flight
  // together, unless this is used only for the ends of a range.
  __device__ void fetch_by_lanes(int chunk, int from, int until) {
    constexpr bool is_for_ends = fills_vectors && has_feature<feature::bulk_copy>;
    constexpr int in_flight = is_for_ends ? 1 : items / warp_size;
    element* const to = place(chunk);
#pragma unroll 1
    for (int done = lane_id(); done < items; done += in_flight * warp_size) {
      element loaded[in_flight];
#pragma unroll
      for (int i = 0; i < in_flight; ++i) {
        int item = from + done + i * warp_size;
        item = item < until ? item : until - 1;
        item = item > readable_from_ ? item : readable_from_;
        loaded[i] = source_[base_ + item];
      }
#pragma unroll
      for (int i = 0; i < in_flight; ++i) to[done + i * warp_size] = loaded[i];
    }
    if constexpr (is_for_ends) {
      order_before_bulk_copies();
      __syncwarp();
      if (lane_id() == 0) shared_.arrived[slot(chunk)].arrive();
    }
  }

  const Source& source_;
  storage& shared_;
  std::int64_t base_;
  int first_;
  int last_;
  int readable_from_;
  int readable_until_;
  bool is_aligned_ = false;
  unsigned whole_ = 0;  // items from readable_from_ on at which a fully readable chunk may begin
};

}  // namespace heddle::device::detail
