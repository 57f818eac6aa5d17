// How often lanes get in each other's way: failed exchanges, and unused tickets.
#include "container/counted_exchanges.cuh"
// Must come before all containers.
#include <heddle/container/queue.cuh>
#include <heddle/container/stack.cuh>

#include <cstdint>
#include <string>

#include "container/container_contest.cuh"

namespace heddle_bench {
namespace {

static __global__ void forget_counts() { counted[threadIdx.x].counts = {}; }

exchange_counts counts_so_far() {
  static counter_line lines[counter_lines];
  check(cudaMemcpyFromSymbol(lines, counted, sizeof lines));
  exchange_counts sum{};
  for (const counter_line& line : lines) {
    sum.exchanges += line.counts.exchanges;
    sum.failures += line.counts.failures;
    sum.tickets += line.counts.tickets;
  }
  return sum;
}

// `has_tickets`: each operation uses one ticket; all further ones are idle.
template <typename Container, bool together>
void conflict_rows(container_contest& contest, const std::string& what, bool has_tickets) {
  using view = decltype(std::declval<const Container&>().view());
  const auto kernel = push_and_pop<together, view>;
  for (const contention level : {contention::one_lane, contention::one_warp, contention::one_block,
                                 contention::few_warps, contention::full}) {
    const std::string name =
        what + " pairs, " + name_of(level) + (together ? ", together" : ", single lanes");
    if (!contest.rows().wants(name)) continue;
    const launch_shape shape = contest.shape_of(level, kernel);
    const unsigned rounds = level == contention::full ? 8 : 50;
    const Container container(2 * shape.lanes());
    const device_array<popped_sum> sums(shape.lanes());
    sums.poison();
    forget_counts<<<1, counter_lines>>>();
    kernel<<<shape.blocks, shape.threads>>>(container.view(), rounds, sums.data());
    check(cudaGetLastError());
    const bool is_right =
        container_contest::is_sum_right(sums.values(shape.lanes()), shape.lanes() * rounds);
    const exchange_counts counts = counts_so_far();
    const double operations = 2.0 * rounds * static_cast<double>(shape.lanes());
    contest.rows().conflicts(name, static_cast<double>(counts.exchanges) / operations,
                             static_cast<double>(counts.failures) / operations,
                             has_tickets ? static_cast<double>(counts.tickets) / operations - 1 : 0,
                             is_right ? "" : "ours");
  }
}

}  // namespace
}  // namespace heddle_bench

int main(int count, char** arguments) {
  using namespace heddle_bench;
  using heddle::container::passing;
  using heddle::container::queue;
  container_report rows(count, arguments, "conflicts");
  container_contest contest(rows, "idle: tickets of a queue that were drawn and not used");
  char columns[200];
  std::snprintf(columns, sizeof columns, "%-66s %10s %10s %10s", "per operation", "exchanges",
                "failed", "idle");
  rows.title(columns);
  conflict_rows<queue<std::uint32_t, passing::values_alone>, false>(contest, "queue", true);
  conflict_rows<queue<std::uint32_t, passing::values_alone>, true>(contest, "queue", true);
  conflict_rows<heddle::container::stack<std::uint32_t>, false>(contest, "stack", false);
  conflict_rows<heddle::container::stack<std::uint32_t>, true>(contest, "stack", false);
  rows.foot();
}
