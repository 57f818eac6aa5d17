// refused: binary_partition splits a coalesced_group or a tile of at most 32 threads: make a tile
// of the block first
#include <cooperative_groups.h>
void f(bool is_even) {
  (void)cooperative_groups::binary_partition(cooperative_groups::this_thread_block(), is_even);
}
