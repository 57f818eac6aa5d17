// refused: the label of labeled_partition is an integer or a pointer
#include <cooperative_groups.h>
void f() {
  const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  (void)cooperative_groups::labeled_partition(tile, 1.5f);
}
