#include "api/driver/contexts.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <heddle_host/devices.hpp>

namespace heddle_host::api {
namespace {

struct context_table {
  context_table() {
    for (int device = 0; device < device_count(); ++device)
      primary.push_back(&add(device, 0, true));
  }

  // The caller holds the mutex, or is the constructor.
  context& add(int device, unsigned flags, bool is_primary) {
    const auto handle = reinterpret_cast<CUcontext>(next);
    next += 0x10;
    auto fresh = std::make_unique<context>(handle, device, flags, is_primary);
    return *by_handle.emplace(handle, std::move(fresh)).first->second;
  }

  std::mutex mutex;
  std::uintptr_t next = 0x1003;  // not a handle of a stream, an event, a graph or an array
  std::map<CUcontext, std::unique_ptr<context>> by_handle;
  std::vector<context*> primary;  // by device
};

// Never destroyed: the host may make calls while the program exits.
context_table& all() {
  static context_table& only = *new context_table;
  return only;
}

thread_local context* current = nullptr;
// The contexts below the current one; only pushing and popping touches them.
thread_local std::vector<context*> below;

}  // namespace

context* find_context(CUcontext handle) noexcept {
  const std::lock_guard lock(all().mutex);
  const auto found = all().by_handle.find(handle);
  return found == all().by_handle.end() ? nullptr : found->second.get();
}

context* context_numbered(std::uint64_t id) noexcept {
  const std::lock_guard lock(all().mutex);
  for (const auto& [handle, each] : all().by_handle) {
    if (each->id == id) return each.get();
  }
  return nullptr;
}

context& primary_context(int device) noexcept {
  return *all().primary[static_cast<std::size_t>(device)];
}

context& create_context(int device, unsigned flags) {
  const std::lock_guard lock(all().mutex);
  context& fresh = all().add(device, flags, false);
  fresh.is_alive = true;
  return fresh;
}

void retire_context(context& which) noexcept {
  which.is_alive = false;
  which.is_used_by_runtime = false;
  which.retained = 0;
}

context* current_context() noexcept { return current; }

void make_current(context* which) noexcept {
  if (which == nullptr) {
    pop_context();
    return;
  }
  current = which;
  select_device(which->device);
}

void push_context(context& which) {
  if (current != nullptr) below.push_back(current);
  make_current(&which);
}

context* pop_context() noexcept {
  context* const popped = current;
  current = nullptr;
  if (!below.empty()) {
    make_current(below.back());
    below.pop_back();
  }
  return popped;
}

void use_context() noexcept {
  if (current == nullptr) current = &primary_context(current_device());
  if (current->is_primary && !current->is_used_by_runtime.load(std::memory_order_relaxed)) {
    current->is_used_by_runtime = true;
    current->flags |= CU_CTX_MAP_HOST;  // as the runtime sets it
    current->is_alive = true;
  }
}

void use_primary_context(int device) noexcept {
  make_current(&primary_context(device));
  use_context();
}

std::uint64_t owner_of_new_objects() noexcept {
  return current == nullptr || current->is_primary ? 0 : current->id;
}

}  // namespace heddle_host::api
