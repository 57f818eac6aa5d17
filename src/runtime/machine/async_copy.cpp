// Forwards the lanes' asynchronous copies to the observer.
#include <heddle_host/async_copy.hpp>

#include <heddle_host/lane.hpp>
#include <heddle_host/observer.hpp>

namespace heddle_host::checked {
namespace {

// Runs `action` outside the lane's own code.
template <typename Action>
void beside_lane(Action action) {
  const bool was_lane_code = lane_now.may_be_preempted;
  leave_lane_code();
  action();
  if (was_lane_code) enter_lane_code();
}

template <typename Event>
void notify(Event event) {
  observer* const watching = current_observer();
  if (watching != nullptr && in_lane()) beside_lane([&] { event(*watching); });
}

}  // namespace

void copy_async(void* to, const void* from, std::size_t bytes) {
  const void* const code = __builtin_return_address(0);
  notify([=](observer& who) { who.lane_copies({to, from, bytes, code}); });
  beside_lane([=] {
    if (from != nullptr) {
      std::memcpy(to, from, bytes);
    } else {
      std::memset(to, 0, bytes);
    }
  });
}

void copy_needs_alignment(const void* to, const void* from, std::size_t bytes,
                          std::size_t alignment) {
  const void* const code = __builtin_return_address(0);
  notify([=](observer& who) { who.copy_needs_alignment({to, from, bytes, code}, alignment); });
}

void commit_copies(copy_queue which) {
  notify([=](observer& who) { who.copies_are_committed(which); });
}
void await_copies(copy_queue which, std::size_t all_but, bool reads_only) {
  notify([=](observer& who) { who.copies_are_awaited(which, all_but, reads_only); });
}
void bind_copies(const void* barrier) {
  notify([=](observer& who) { who.barrier_takes_copies(barrier); });
}
void end_phase(const void* barrier) {
  notify([=](observer& who) { who.phase_ends(barrier); });
}
void await_phase(const void* barrier) {
  notify([=](observer& who) { who.phase_is_awaited(barrier); });
}

}  // namespace heddle_host::checked
