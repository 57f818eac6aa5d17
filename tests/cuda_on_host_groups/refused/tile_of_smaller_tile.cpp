// refused: tiled_partition<Size> cuts a thread_block, or a thread_block_tile that is larger
#include <cooperative_groups.h>
void f() {
  const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  (void)cooperative_groups::tiled_partition<16>(tile);
}
