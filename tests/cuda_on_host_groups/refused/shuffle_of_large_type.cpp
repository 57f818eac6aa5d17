// refused: a group shuffles types of at most 32 bytes
#include <cooperative_groups.h>
struct large {
  double numbers[5];
};
void f() {
  const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  (void)tile.shfl(large{}, 0);
}
