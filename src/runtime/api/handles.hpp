// The handles that the host API gives out: numbers that are never reused, so that stale handles are
// detected.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <heddle_host/observer.hpp>

namespace heddle_host::api {

template <typename Handle, typename Object, handle_kind kind>
class handle_table {
 public:
  Handle add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    const auto handle = reinterpret_cast<Handle>(next_);
    next_ += step;
    objects_.emplace(handle, std::move(object));
    if (observer* const watching = current_observer()) watching->handle_begins(handle, kind);
    return handle;
  }

  // Adds an object, unless it has a handle already. From now on the caller must destroy the handle.
  Handle add_once(std::shared_ptr<Object> object) {
    const Handle handle = lend(std::move(object));
    if (observer* const watching = current_observer()) watching->handle_begins(handle, kind);
    return handle;
  }

  // Adds an object that belongs to another one, unless it has a handle already. The caller need not
  // destroy the handle.
  Handle lend(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, known] : objects_) {
      if (known == object) return handle;
    }
    const auto handle = reinterpret_cast<Handle>(next_);
    next_ += step;
    objects_.emplace(handle, std::move(object));
    return handle;
  }

  void forget(const Object* object) {
    const std::lock_guard lock(mutex_);
    std::erase_if(objects_, [&](const auto& each) { return each.second.get() == object; });
  }

  // Null if the handle is unknown or stale.
  std::shared_ptr<Object> find(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  std::shared_ptr<Object> take(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    objects_.erase(found);
    if (observer* const watching = current_observer()) watching->handle_ends(handle, kind);
    return object;
  }

  // Removes and returns the objects for which `is_wanted` returns true.
  template <typename Predicate>
  std::vector<std::shared_ptr<Object>> take_if(Predicate is_wanted) {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> taken;
    for (auto each = objects_.begin(); each != objects_.end();) {
      if (is_wanted(*each->second)) {
        taken.push_back(std::move(each->second));
        each = objects_.erase(each);
      } else {
        ++each;
      }
    }
    return taken;
  }

 private:
  // Distinct from CUDA's special stream handles and from all addresses a program can have. Handles
  // of different kinds never coincide.
  static constexpr std::uintptr_t first = 0x1000 + 4 * static_cast<std::uintptr_t>(kind);
  static constexpr std::uintptr_t step = 0x10;

  std::mutex mutex_;
  std::uintptr_t next_ = first;
  std::unordered_map<Handle, std::shared_ptr<Object>> objects_;
};

}  // namespace heddle_host::api
