// refused: tiles of more than 32 threads exchange trivially copyable types of at most 8
#include <cooperative_groups.h>
struct wide {
  double a, b;
};
void f() {
  const auto tile =
      cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
  (void)tile.shfl(wide{}, 0);
}
