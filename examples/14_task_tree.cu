// Counts the ways to place nine queens: an unbalanced tree, searched by tasks that spawn tasks.
#include <heddle/task/scheduler.cuh>
#include <heddle/warp/aggregate.cuh>

#include <cstdio>

constexpr int rows = 9;

// The first rows have their queens; a bit for each column that these attack in the next row.
struct board {
  unsigned straight, left, right;
  int row;
  __device__ unsigned free_columns() const {
    return ~(straight | left | right) & ((1u << rows) - 1);
  }
  __device__ board with_queen(unsigned column) const {
    return {straight | column, (left | column) << 1, (right | column) >> 1, row + 1};
  }
};

struct found {
  unsigned boards, solutions;
};

// Counts a board, and passes every board with one more queen to `next`.
template <typename Next>
__device__ void look_at(const board& one, found& all, Next next) {
  ++all.boards;
  if (one.row == rows) ++all.solutions;
  unsigned free = one.row == rows ? 0 : one.free_columns();
  for (; free != 0; free &= free - 1) next(one.with_queen(free & -free));
}

struct place_queen {
  found* all;
  template <typename Context>
  __device__ void operator()(const board& task, Context& context) const {
    found mine{0, 0};
    look_at(task, mine, [&](const board& next) {
      if (context.spawn(next)) return;
      // No memory for more tasks: this task searches the subtree itself.
      board waiting[rows * rows] = {next};
      for (int held = 1; held > 0;) {
        const board one = waiting[--held];
        look_at(one, mine, [&](const board& below) { waiting[held++] = below; });
      }
    });
    // One addition for all lanes that visit tasks together.
    heddle::warp::aggregated_add_without_result(&all->boards, mine.boards, context.members());
    heddle::warp::aggregated_add_without_result(&all->solutions, mine.solutions, context.members());
  }
};

int main() {
  found* all;
  cudaMallocManaged(&all, sizeof(found));
  *all = {0, 0};
  heddle::task::scheduler<board> search;
  search.add(board{});
  const heddle::task::report done = search.run(place_queen{all});
  const auto total = done.total();
  std::printf("%u boards, %u solutions, %s\n", all->boards, all->solutions,
              total.tasks == total.spawned + 1 ? "every task visited" : "tasks are missing");
  std::fprintf(stderr, "%zu workers, %.1f lanes together, %g batches stolen, busy %.0f%%\n",
               done.workers.size(), double(total.tasks) / double(total.groups),
               double(total.steals), 100 * done.busy_share());
  const bool is_right = done.is_complete() && all->boards == 8394 && all->solutions == 352;
  cudaFree(all);
  return is_right ? 0 : 1;
}
