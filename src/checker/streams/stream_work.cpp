// Reports the order between the work of streams and the host to the race detector.
#include "checker/streams/stream_work.hpp"

#include <utility>

#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::activity;
using heddle_host::finding;
using heddle_host::finding_kind;

thread_local const call_chain* stream_work::enqueued_by_ = nullptr;

// Never destroyed: the thread that ends the program also does the remaining work.
stream_work::current_work& stream_work::work_of_thread() {
  static thread_local auto* const mine = new current_work;
  return *mine;
}

std::uint64_t stream_work::work_is_submitted() {
  end_host_action();
  submissions_.push_back(
      {order_.moment(), &run_.where.keep(activity::running, calls_of_host())->calls});
  return submissions_.size() - 1;
}

void stream_work::work_begins(std::uint64_t submitted, std::uint64_t stream,
                              const heddle_host::work_point* before, std::size_t count) {
  const submission& asked = submissions_[submitted];
  current_work& mine = work_of_thread();
  mine.after = order_.known_to_work(asked.moment, stream, before, count);
  mine.done_by.reset();
  enqueued_by_ = asked.calls;
}

void stream_work::work_ends(std::uint64_t stream, std::uint64_t number) {
  enqueued_by_ = nullptr;
  // Work that does nothing else, such as a wait for an event, still orders other work.
  if (!work_of_thread().done_by) running_operation();
  end_operation();
  order_.work_is_done(stream, number, *work_of_thread().done_by);
}

void stream_work::child_is_launched(std::uint64_t child, const void* code) {
  call_chain calls = {code};
  calls.insert(calls.end(), run_.grid->launched_by.begin(), run_.grid->launched_by.end());
  children_[child] = {
      run_.running,
      run_.races.release_to_child(*running_block().clock, heddle_host::lane_now.thread),
      &run_.where.keep(activity::running, calls)->calls,
      {}};
}

// Called on the thread on which the parent grid has just ended.
void stream_work::child_begins(std::uint64_t child, const std::uint64_t* before,
                               std::size_t count) {
  current_work& mine = work_of_thread();
  end_operation();
  outer_.push_back({mine.done_by, enqueued_by_});
  const launched_child& begun = children_.at(child);
  mine.after.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = children_.find(before[i]);
    if (found != children_.end() && found->second.done_by) {
      mine.after.push_back(*found->second.done_by);
    }
  }
  mine.done_by.reset();
  mine.child = &begun;
  enqueued_by_ = begun.calls;
}

void stream_work::child_ends(std::uint64_t child) {
  current_work& mine = work_of_thread();
  if (!mine.done_by) running_operation();
  end_operation();
  children_.at(child).done_by = mine.done_by;
  mine.done_by = outer_.back().done_by;
  enqueued_by_ = outer_.back().enqueued_by;
  outer_.pop_back();
}

void stream_work::children_are_done(const std::uint64_t* children, std::size_t count) {
  current_work& mine = work_of_thread();
  end_operation();
  if (mine.done_by) mine.after = {*mine.done_by};
  mine.done_by.reset();
  for (std::size_t i = 0; i < count; ++i) {
    const launched_child& child = children_.at(children[i]);
    if (child.done_by) mine.after.push_back(*child.done_by);
    children_.erase(children[i]);
  }
  running_operation();
  end_operation();
}

void stream_work::host_has_waited(std::uint64_t stream, std::uint64_t number) {
  end_host_action();
  order_.host_has_waited(stream, number);
}

agent stream_work::begin_grid() {
  end_operation();  // of a graph that also copies
  current_work& mine = work_of_thread();
  if (mine.done_by) mine.after = {*mine.done_by};
  const launched_child* const child = std::exchange(mine.child, nullptr);
  if (child == nullptr) return run_.races.begin_grid(mine.after);
  return run_.races.begin_child_grid(child->parent, mine.after, child->at_launch);
}

// A graph runs several operations in sequence.
block_clock& stream_work::running_operation() {
  current_work& mine = work_of_thread();
  if (mine.running == nullptr) {
    if (mine.done_by) mine.after = {*mine.done_by};
    const launched_child* const child = std::exchange(mine.child, nullptr);
    mine.running = child == nullptr
                       ? run_.races.begin_host_action(mine.after)
                       : run_.races.begin_child_action(child->parent, mine.after, child->at_launch);
    mine.done_by = run_.races.agent_of(*mine.running);
    run_.where.add_stream_work(*mine.done_by);
  }
  return *mine.running;
}

void stream_work::end_operation() {
  current_work& mine = work_of_thread();
  if (mine.running == nullptr) return;
  run_.races.end_block(mine.running);
  mine.running = nullptr;
}

void stream_work::end_host_action() {
  if (host_ == nullptr) return;
  order_.host_has_done(run_.races.agent_of(*host_));
  run_.races.end_block(host_);
  host_ = nullptr;
}

// A host function that a stream calls comes after the stream's earlier work.
void stream_work::host_touches(const access& what) {
  if (enqueued_by_ == nullptr && host_ == nullptr) {
    host_ = run_.races.begin_host_action(order_.known_to_host());
  }
  block_clock& toucher = enqueued_by_ != nullptr ? running_operation() : *host_;
  if (what.how == strength::plain) {
    run_.races.access(toucher, 0, what.address, what.bytes, what.way, what.code);
  } else {
    run_.races.strong_access(toucher, 0, what.address, what.bytes, what.way, what.how,
                             scope::system, what.ordering, what.code);
  }
}

void stream_work::bytes_arrive(void* to, const void* from, std::size_t bytes) {
  device_memory& memory = run_.memory;
  const bool reads = from != nullptr && memory.has_checked_copies(number(from));
  const bool writes = memory.has_checked_copies(number(to));
  if (reads) copy_touches(number(from), bytes, direction::read, activity::copying_from);
  if (reads && !writes && memory.arena.contains(number(from))) {
    undefined_.host_gets(number(to), number(from), bytes,
                         enqueued_by_ != nullptr ? *enqueued_by_ : calls_of_host());
  }
  if (writes) {
    copy_touches(number(to), bytes, direction::write,
                 from == nullptr ? activity::filling : activity::copying_to);
  }
  if (reads && writes && memory.state.exists(number(from), bytes) &&
      memory.state.exists(number(to), bytes)) {
    memory.state.copy(number(to), number(from), bytes);
    undefined_.bytes_are_copied(number(to), number(from), bytes);
  }
}

void stream_work::copy_touches(std::uintptr_t address, std::size_t bytes, direction way,
                               activity what) {
  // Pageable memory is copied by the call itself, not as work of a stream.
  const stream_operation& by =
      *run_.where.keep(what, enqueued_by_ != nullptr ? *enqueued_by_ : calls_of_host());
  if (run_.memory.arena.contains(address)) {
    if (!run_.memory.state.exists(address, bytes)) return report_bad_copy(address, bytes, by);
    if (way == direction::write) run_.memory.state.write(address, bytes);
  }
  if (enqueued_by_ != nullptr) {
    run_.races.access(running_operation(), 0, address, bytes, way, &by);
  }
}

// Freed memory may still have existed when the host enqueued the copy.
void stream_work::report_bad_copy(std::uintptr_t address, std::size_t bytes,
                                  const stream_operation& by) {
  const allocation* const one = run_.memory.allocated.nearest(address);
  const bool was_freed = one != nullptr && one->is_freed && address - one->begin < one->bytes;
  finding wrong{was_freed ? finding_kind::use_after_free : finding_kind::out_of_bounds,
                cudaErrorInvalidValue,
                {},
                heddle_host::finding_cause::none,
                {locations::place_of(by)}};
  run_.describe(
      {address, static_cast<unsigned>(bytes), direction::read, strength::plain, {}, {}, &by},
      wrong);
  run_.collect(std::move(wrong));
}

void stream_work::free_memory(std::uintptr_t base, std::size_t bytes) {
  races_.begin_free();
  run_.races.access(running_operation(), 0, base, bytes, direction::write,
                    run_.where.keep(activity::running, *enqueued_by_));
  races_.end_free();
}

}  // namespace heddle_checker
