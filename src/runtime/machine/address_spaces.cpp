// Finds the memory space of an address: the block's shared memory, a lane's stack, or global for
// everything else.
#include <heddle_host/address_spaces.hpp>
#include <heddle_host/stop.hpp>

#include "machine/block_state.hpp"
#include "machine/shared_layout.hpp"
#include "machine/worker.hpp"
#include "memory/registry.hpp"

namespace heddle_host {

address_space space_of(const void* address) {
  if (!in_lane()) return address_space::global;
  machine_section guard;
  const shared_storage& shared = lane_now.block->shared();
  const auto* const byte = static_cast<const unsigned char*>(address);
  const bool is_in_block =
      byte >= shared.begin() && byte < shared.dynamic() + shared.dynamic_bytes();
  if (is_in_block || is_block_variable(address)) return address_space::shared;
  const bool is_on_stack = worker::of_this_thread().find_fiber(address) != nullptr;
  return is_on_stack ? address_space::local : address_space::global;
}

bool is_constant(const void* address) {
  const bool may_be =
      space_of(address) == address_space::global && memory::is_static_storage(address, false);
  if (!may_be) return false;
  stop_at_call("the function `__isConstant` for a variable at namespace scope",
               "`__constant__` variables count as global", __builtin_return_address(0));
}

bool is_grid_constant(const void* address) {
  if (space_of(address) != address_space::local) return false;
  stop_at_call("the function `__isGridConstant` for memory of a thread",
               "each thread has its own copy of a kernel's parameters",
               __builtin_return_address(0));
}

}  // namespace heddle_host
