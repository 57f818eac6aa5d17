// refused: labeled_partition splits a coalesced_group or a tile of at most 32 threads: make a tile
// of the block first
#include <cooperative_groups.h>
void f(int label) {
  (void)cooperative_groups::labeled_partition(cooperative_groups::this_thread_block(), label);
}
