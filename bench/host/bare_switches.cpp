// A ring of fibers in which each only switches to the next, with the runtime's own switch.
#include "bare_switches.hpp"

#include <chrono>
#include <vector>

#include "fiber/fiber.hpp"

namespace {
using namespace heddle_host;

struct ring {
  std::vector<fiber> fibers;
  context finish = nullptr;
  std::size_t running = 0;
  long switches_left = 0;
};
ring* the_ring = nullptr;

[[noreturn]] void go_round() {
  arrive_on_new_stack();
  ring& all = *the_ring;
  const std::size_t me = all.running;
  for (;;) {
    all.running = me + 1 == all.fibers.size() ? 0 : me + 1;
    const bool is_done = --all.switches_left <= 0;
    switch_context(all.fibers[me].idle, is_done ? all.finish : all.fibers[all.running].idle);
  }
}

}  // namespace

double bare_round_nanoseconds(int fibers) {
  constexpr long switches = 4'000'000;
  stack_pool stacks(64 * 1024);
  ring all;
  all.fibers.resize(static_cast<std::size_t>(fibers));
  unsigned color = 0;
  for (fiber& each : all.fibers) {
    each.memory = stacks.take();
    each.color = color++;
    prepare(each, go_round);
  }
  the_ring = &all;
  all.switches_left = switches;
  const auto begin = std::chrono::steady_clock::now();
  switch_context(all.finish, all.fibers[0].idle);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / switches * fibers;
}
