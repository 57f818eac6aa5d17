// refused: a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024 threads
#include <cooperative_groups.h>
void f() { (void)cooperative_groups::tiled_partition<24>(cooperative_groups::this_thread_block()); }
