// Lays out shared memory while the program's modules are loaded.
#include "machine/shared_layout.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include <heddle_host/launch.hpp>
#include <heddle_host/shared.hpp>
#include <heddle_host/shared_declarations.hpp>

namespace heddle_host {
namespace {

struct variable {
  void* (*address)();
  std::size_t bytes;
};

struct home {
  void* reference;
  const std::size_t* offset_of_slot;
  std::size_t offset_in_slot;
};

struct slot {
  std::string declared_in;  // the function, as written in the source
  std::size_t bytes;
};

struct layout {
  std::mutex mutex;
  std::size_t bytes = 0;
  std::vector<slot> slots;
  std::vector<shared_declaration> declarations;
  std::vector<variable> variables;
  std::vector<home> homes;
  std::vector<void (*)(void*)> pointers;
};

// Static objects of other files register here, so it is created on first use.
layout& the_layout() {
  static layout only;
  return only;
}

std::string readable(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(text.get()) : std::string();
}

}  // namespace

std::size_t reserve_shared(std::size_t bytes, std::size_t room, std::size_t alignment,
                           const char* slot_type, const std::size_t* kept_at,
                           declaration_place declared) {
  layout& all = the_layout();
  std::lock_guard lock(all.mutex);
  const std::size_t offset = (all.bytes + alignment - 1) / alignment * alignment;
  all.bytes = offset + bytes + room;
  all.slots.push_back({readable(slot_type), bytes});
  all.declarations.push_back({offset, bytes, slot_type, kept_at, declared});
  return offset;
}

std::size_t static_shared_bytes_of(const kernel_image& kernel) {
  const std::string body = readable(kernel.body_type);
  if (body.empty()) return 0;
  layout& all = the_layout();
  std::lock_guard lock(all.mutex);
  std::size_t bytes = 0;
  for (const slot& each : all.slots) {
    if (each.declared_in.starts_with(body + "::")) bytes += each.bytes;
  }
  return bytes;
}

std::size_t static_shared_bytes() { return the_layout().bytes; }

const std::vector<shared_declaration>& shared_declarations() { return the_layout().declarations; }

block_variable::block_variable(void* (*address)(), std::size_t bytes) {
  layout& all = the_layout();
  std::lock_guard lock(all.mutex);
  all.variables.push_back({address, bytes});
}

bool is_block_variable(const void* address) {
  const auto* const byte = static_cast<const unsigned char*>(address);
  for (const variable& each : the_layout().variables) {
    const auto* const first = static_cast<const unsigned char*>(each.address());
    if (byte >= first && byte < first + each.bytes) return true;
  }
  return false;
}

void block_home::add(void* home, const std::size_t* offset_of_slot, std::size_t offset_in_slot) {
  layout& all = the_layout();
  std::lock_guard lock(all.mutex);
  all.homes.push_back({home, offset_of_slot, offset_in_slot});
}

bool is_block_home(const void* address) {
  for (const home& each : the_layout().homes) {
    if (each.reference == address) return true;
  }
  return false;
}

dynamic_shared_pointer::dynamic_shared_pointer(void (*set)(void*)) {
  layout& all = the_layout();
  std::lock_guard lock(all.mutex);
  all.pointers.push_back(set);
}

void load_block_variables(const std::vector<unsigned char>& kept, unsigned char* shared,
                          void* dynamic_shared) {
  const layout& all = the_layout();
  for (const home& each : all.homes) {
    void* const address = shared + *each.offset_of_slot + each.offset_in_slot;
    std::memcpy(each.reference, &address, sizeof address);
  }
  for (const auto set : all.pointers) set(dynamic_shared);
  std::size_t offset = 0;
  for (const variable& each : all.variables) {
    if (offset + each.bytes > kept.size()) break;  // nothing saved yet: undefined, as on a GPU
    std::memcpy(each.address(), kept.data() + offset, each.bytes);
    offset += each.bytes;
  }
}

void save_block_variables(std::vector<unsigned char>& kept) {
  const layout& all = the_layout();
  std::size_t offset = 0;
  for (const variable& each : all.variables) {
    kept.resize(offset + each.bytes);
    std::memcpy(kept.data() + offset, each.address(), each.bytes);
    offset += each.bytes;
  }
}

}  // namespace heddle_host
