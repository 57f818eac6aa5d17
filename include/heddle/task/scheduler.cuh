// Visits tasks that spawn tasks, on the whole device, until none is left.
//   strategy    each warp is a worker with a ring of tasks in shared memory; it publishes the
//               oldest in batches, which idle workers steal
//   needs       sm_75
#pragma once
#include <heddle/container/launch.cuh>
#include <heddle/container/memory.cuh>
#include <heddle/core/architecture.cuh>
#include <heddle/task/pool.cuh>
#include <heddle/task/report.cuh>
#include <heddle/task/worker.cuh>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::task {

namespace detail {

template <typename Task, int priorities>
inline constexpr std::size_t bytes_of_worker = priorities *
                                               sizeof(cache<Task, cache_slots<Task, priorities>>);

// How many workers fit in a block's guaranteed shared memory: a power of two, 0 … 8.
inline constexpr int workers_in(std::size_t bytes_each) {
  int workers = most_workers;
  while (workers > 0 && workers * bytes_each > shared_bytes_of_block) workers /= 2;
  return workers;
}
template <typename Task, int priorities>
inline constexpr int most_workers_of_block = workers_in(bytes_of_worker<Task, priorities>);

// The launch bounds ask for only one resident block, so that the compiler uses as many registers as
// it needs instead of spilling to fit more blocks.
template <typename Task, int priorities, typename Visitor>
__global__ void __launch_bounds__(most_workers_of_block<Task, priorities>* warp_size, 1)
    visit_all(pool_view<Task, priorities> pool, worker_settings settings, Visitor visitor) {
  using worker_type = worker<Task, priorities>;
  __shared__
      typename worker_type::cache_type caches[most_workers_of_block<Task, priorities>][priorities];
  const std::uint32_t number =
      blockIdx.x * static_cast<unsigned>(warp_count()) + static_cast<unsigned>(warp_rank());
  worker_type(pool, caches[warp_rank()], number, settings).work(visitor);
}

// A word that the host can write while a kernel runs.
class host_word {
 public:
  explicit host_word(source_location where) {
    check(cudaHostAlloc(&word_, sizeof *word_, cudaHostAllocMapped), where);
    *word_ = 0;
  }
  ~host_word() {
    if (word_ != nullptr) cudaFreeHost(word_);
  }
  host_word(host_word&& other) noexcept : word_(std::exchange(other.word_, nullptr)) {}
  host_word& operator=(host_word&& other) noexcept {
    std::swap(word_, other.word_);
    return *this;
  }
  void store(unsigned value) const { std::atomic_ref<unsigned>(*word_).store(value); }
  [[nodiscard]] const unsigned* on_device(source_location where) const {
    unsigned* there = nullptr;
    check(cudaHostGetDevicePointer(&there, word_, 0), where);
    return there;
  }

 private:
  unsigned* word_ = nullptr;
};

}  // namespace detail

// Each warp of a grid is a worker: it keeps tasks in shared memory, publishes the oldest in batches
// that others can steal, and visits up to a warp's worth of tasks of one kind together.
//   Task        trivially copyable; may have `__device__ int kind() const`
//   visitor     `template <typename Context> __device__ void operator()(const Task&, Context&)
//               const`: see task::context for what it can ask
//   order       a worker begins a task only if no task of a higher priority (a smaller number)
//               waits among those that it holds, has published or that add() has brought. It does
//               not see tasks that wait at other workers. So a single worker keeps the order
//               strictly; with several, at most a warp's worth of added tasks per other worker is
//               overtaken. Within a priority the newest usually goes first, but nothing is
//               guaranteed.
//   memory      bounded: spawn() refuses a task that it cannot store, and returns false. A task
//               that spawn() has accepted is visited exactly once, unless the run stops. The report
//               counts the refusals.
//   progress    on a grid of any size: no worker waits for one that holds no tasks
//   called by   one host thread at a time, with the device current on which the scheduler was made;
//               any thread may call cancel(). Movable, not copyable.
template <typename Task, int priorities = 1>
class scheduler {
  static_assert(std::is_trivially_copyable_v<Task>, "tasks are copied as bytes");
  static_assert(std::is_default_constructible_v<Task>, "a lane without a task holds Task{}");
  static_assert(priorities >= 1 && priorities <= 32, "there are 1 to 32 priorities");
  static_assert(detail::most_workers_of_block<Task, priorities> >= 1,
                "the tasks that a worker has at hand do not fit the shared memory of a block: make "
                "tasks smaller, or have fewer priorities");

 public:
  // The largest values that options may have.
  static constexpr std::size_t most_tasks = std::size_t{1} << 36;
  static constexpr int most_blocks = 1 << 20;

  // Throws heddle::error if an option is invalid or the device cannot be used.
  explicit scheduler(const options& wanted = {}, cudaStream_t stream = nullptr,
                     source_location where = source_location::current())
      : wanted_(wanted), stream_(stream), facts_(current_device(where)), cancels_(where) {
    if (wanted.blocks < 0 || wanted.warps_per_block < 0 ||
        wanted.warps_per_block > detail::most_workers_of_block<Task, priorities>) {
      throw error(cudaErrorInvalidValue,
                  "a scheduler of these tasks has 1 to " +
                      std::to_string(detail::most_workers_of_block<Task, priorities>) +
                      " warps per block, and no fewer than 0 blocks",
                  where);
    }
    if (wanted.blocks > most_blocks || wanted.tasks > most_tasks) {
      throw error(cudaErrorInvalidValue,
                  "a scheduler has at most " + std::to_string(most_blocks) + " blocks and " +
                      std::to_string(most_tasks) + " tasks",
                  where);
    }
    if (wanted.smallest_group < 1 || wanted.smallest_group > warp_size) {
      throw error(cudaErrorInvalidValue, "the smallest group has 1 to 32 tasks", where);
    }
    if (wanted.time_out.count() < 0) {
      throw error(cudaErrorInvalidValue, "a time-out is not negative", where);
    }
  }

  // Adds tasks for the next run. Throws if there is no such priority.
  void add(std::span<const Task> tasks, int priority = 0,
           source_location where = source_location::current()) {
    if (priority < 0 || priority >= priorities) {
      throw error(cudaErrorInvalidValue,
                  "there are priorities 0 to " + std::to_string(priorities - 1) + ", and not " +
                      std::to_string(priority),
                  where);
    }
    auto& all = added_[static_cast<std::size_t>(priority)];
    all.insert(all.end(), tasks.begin(), tasks.end());
  }
  void add(const Task& task, int priority = 0, source_location where = source_location::current()) {
    add(std::span<const Task>(&task, 1), priority, where);
  }

  // Visits all added tasks and those that they spawn; returns when all are done or the run was
  // stopped. Throws heddle::error if there is no memory for the added tasks or the kernel fails.
  // The added tasks are discarded in any case.
  template <typename Visitor>
  report run(const Visitor& visitor, source_location where = source_location::current());

  // Stops the run in progress, if there is one.
  //   called by   any host thread
  //   result      the first worker checks for this between two groups; from then on workers finish
  //               the tasks that they have begun and visit no others
  void cancel() const noexcept { cancels_.store(1); }

 private:
  using pool_type = detail::pool_view<Task, priorities>;
  using added_type = std::array<std::vector<Task>, priorities>;

  static std::uint64_t batches_for(const added_type& added) {
    std::uint64_t batches = 0;
    for (const auto& tasks : added) batches += (tasks.size() + warp_size - 1) / warp_size;
    return batches;
  }
  pool_type pool_for(std::uint32_t workers, std::uint32_t batches, source_location where);
  void bring(const pool_type& pool, const added_type& added, source_location where);
  report collected(const pool_type& pool, source_location where) const;

  options wanted_;
  cudaStream_t stream_;
  device_facts facts_;
  detail::host_word cancels_;
  container::detail::device_memory memory_;
  added_type added_;
};

template <typename Task, int priorities>
template <typename Visitor>
report scheduler<Task, priorities>::run(const Visitor& visitor, source_location where) {
  const added_type added = std::exchange(added_, {});
  cancels_.store(0);
  const auto kernel = &detail::visit_all<Task, priorities, Visitor>;
  constexpr int most_warps = detail::most_workers_of_block<Task, priorities>;
  const int warps = wanted_.warps_per_block != 0 ? wanted_.warps_per_block : most_warps;
  const int blocks = wanted_.blocks != 0 ? wanted_.blocks : facts_.multiprocessors;
  const auto workers = static_cast<std::uint32_t>(blocks * warps);
  constexpr std::uint64_t batches_per_worker = 64;
  const std::uint64_t batches = wanted_.tasks == 0
                                    ? batches_per_worker * workers + batches_for(added)
                                    : (wanted_.tasks + warp_size - 1) / warp_size;
  if (batches_for(added) > batches || batches > most_tasks / warp_size) {
    throw error(cudaErrorMemoryAllocation,
                "the tasks that were added need " + std::to_string(batches_for(added)) +
                    " batches of a warp full, and the scheduler has " + std::to_string(batches),
                where);
  }
  const pool_type pool = pool_for(workers, static_cast<std::uint32_t>(batches), where);
  bring(pool, added, where);
  // Together the workers hoard at most a quarter of the batches.
  const std::uint64_t spare = std::min<std::uint64_t>(16, batches / 4 / workers);
  const detail::worker_settings settings{static_cast<std::uint64_t>(wanted_.time_out.count()),
                                         wanted_.seed, static_cast<int>(spare),
                                         wanted_.smallest_group};
  cudaLaunchConfig_t grid{};
  grid.gridDim = dim3(static_cast<unsigned>(blocks));
  grid.blockDim = dim3(static_cast<unsigned>(warps * warp_size));
  grid.stream = stream_;
  check(cudaLaunchKernelEx(&grid, kernel, pool, settings, visitor), where);
  return collected(pool, where);
}

template <typename Task, int priorities>
auto scheduler<Task, priorities>::pool_for(std::uint32_t workers, std::uint32_t batches,
                                           source_location where) -> pool_type {
  std::size_t bytes = 0;
  const auto place = [&bytes](std::size_t wanted) {
    return std::exchange(bytes, bytes + container::detail::in_lines(wanted));
  };
  // The parts that must be zero come first.
  const std::size_t state = place(sizeof(detail::shared_state));
  const std::size_t inboxes = place(priorities * sizeof(detail::inbox));
  const std::size_t published = place(workers * sizeof(typename pool_type::tops));
  const std::size_t statistics = place(workers * sizeof(worker_statistics));
  const std::size_t zeroed = bytes;
  const std::size_t sizes = place(batches * sizeof(std::uint32_t));
  const std::size_t links = place(batches * sizeof(std::uint32_t));
  // At most half of a ring's cells may be full, and lanes that ask at the same time need a cell
  // each.
  const int log_cells = std::countr_zero(
      std::bit_ceil(2 * std::max<std::size_t>(batches, std::size_t{workers} * warp_size)));
  const std::size_t unused = place(container::detail::ring_view::bytes_for(log_cells));
  const std::size_t tasks = place(std::size_t{batches} * warp_size * sizeof(Task));
  if (memory_.bytes() < bytes) {
    memory_ = {};
    memory_ = container::detail::device_memory(bytes, stream_, where);
  } else {
    check(cudaMemsetAsync(memory_.data(), 0, zeroed, stream_), where);
  }
  std::byte* const at = memory_.data();
  return {.tasks = reinterpret_cast<Task*>(at + tasks),
          .sizes = reinterpret_cast<std::uint32_t*>(at + sizes),
          .links = reinterpret_cast<std::uint32_t*>(at + links),
          .unused = container::detail::ring_view(at + unused, log_cells),
          .published = reinterpret_cast<typename pool_type::tops*>(at + published),
          .inboxes = reinterpret_cast<detail::inbox*>(at + inboxes),
          .state = reinterpret_cast<detail::shared_state*>(at + state),
          .statistics = reinterpret_cast<std::uint64_t*>(at + statistics),
          .host_cancels = cancels_.on_device(where),
          .workers = workers,
          .batches = batches};
}

template <typename Task, int priorities>
void scheduler<Task, priorities>::bring(const pool_type& pool, const added_type& added,
                                        source_location where) {
  detail::added_tasks<priorities> counts{};
  std::size_t first = 0;
  for (std::size_t i = 0; i < priorities; ++i) {
    counts.of_priority[i] = added[i].size();
    if (added[i].empty()) continue;
    check(cudaMemcpyAsync(pool.tasks + first * warp_size, added[i].data(),
                          added[i].size() * sizeof(Task), cudaMemcpyHostToDevice, stream_),
          where);
    first += (added[i].size() + warp_size - 1) / warp_size;
  }
  container::detail::launch_for_each(pool.batches, stream_, where,
                                     &detail::lay_out<Task, priorities>, pool, counts);
}

template <typename Task, int priorities>
report scheduler<Task, priorities>::collected(const pool_type& pool, source_location where) const {
  report done;
  done.workers.resize(pool.workers);
  detail::shared_state end;
  check(cudaMemcpyAsync(&end, pool.state, sizeof end, cudaMemcpyDeviceToHost, stream_), where);
  check(cudaMemcpyAsync(done.workers.data(), pool.statistics,
                        pool.workers * sizeof(worker_statistics), cudaMemcpyDeviceToHost, stream_),
        where);
  check(cudaStreamSynchronize(stream_), where);
  done.left = end.unfinished;
  done.stopped = static_cast<stop_reason>(end.stopped);
  return done;
}

}  // namespace heddle::task
