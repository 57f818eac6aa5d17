// refused: collectives take a thread_block_tile or a coalesced_group
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
int f() {
  return cooperative_groups::reduce(cooperative_groups::this_thread_block(), 1,
                                    cooperative_groups::plus<int>());
}
