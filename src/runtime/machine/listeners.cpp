// Stores the finding listener, the observer, and the checker for parts of the program.
#include "machine/listeners.hpp"

#include <atomic>
#include <mutex>

#include <heddle_host/checked_part.hpp>
#include <heddle_host/reporter.hpp>

namespace heddle_host {
namespace {
std::atomic<finding_listener> listener{
    [](const finding& what) { reporter::instance().report(what); }};
std::atomic<observer*> watching{nullptr};
std::mutex one_at_a_time;
part_checker* checks_parts = nullptr;
}  // namespace

void listen_to_findings(finding_listener who) { listener = who; }

void deliver(const finding& what) {
  std::lock_guard lock(one_at_a_time);
  if (finding_listener notify = listener.load()) notify(what);
}

void observe(observer* who) { watching = who; }
observer* current_observer() { return watching.load(std::memory_order_relaxed); }

void offer_parts(part_checker* by) { checks_parts = by; }
part_checker* current_part_checker() { return checks_parts; }

}  // namespace heddle_host
