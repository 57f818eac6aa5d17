// The stack against the one with a lock.
#pragma once
#include <heddle/container/stack.cuh>
#include <heddle/sync/ticket_lock.cuh>

#include <cstdint>

#include "container/locked_stack.cuh"
#include "container/queue_cases.cuh"

namespace heddle_bench {

using bench_stack = heddle::container::stack<std::uint32_t>;
using spinning_stack = locked_stack<std::uint32_t>;
using ticketed_stack = locked_stack<std::uint32_t, heddle::sync::ticket_lock<>>;

inline void stack_cases(container_contest& contest) {
  lock_cases<bench_stack, spinning_stack, ticketed_stack, false>(contest, "stack", false);
  lock_cases<bench_stack, spinning_stack, ticketed_stack, true>(contest, "stack", false);
}

}  // namespace heddle_bench
