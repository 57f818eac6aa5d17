// Records the streams, events and graphs that the host has created, and where it created them.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include <heddle_host/observer.hpp>

namespace heddle_checker {

struct handle_record {
  heddle_host::handle_kind kind;
  std::vector<const void*> made, ended;  // host calls, innermost first
};

class handle_log {
 public:
  void begin(const void* handle, heddle_host::handle_kind kind, std::vector<const void*> calls) {
    all_[handle] = {kind, std::move(calls), {}};
  }
  void end(const void* handle, std::vector<const void*> calls) {
    if (const auto found = all_.find(handle); found != all_.end()) {
      found->second.ended = std::move(calls);
    }
  }
  [[nodiscard]] const handle_record* find(const void* handle) const {
    const auto found = all_.find(handle);
    return found == all_.end() ? nullptr : &found->second;
  }
  // Handles that have not been destroyed.
  template <typename Function>
  void for_each_open(Function see) const {
    for (const auto& [handle, one] : all_) {
      if (one.ended.empty()) see(handle, one);
    }
  }

 private:
  std::map<const void*, handle_record> all_;
};

}  // namespace heddle_checker
