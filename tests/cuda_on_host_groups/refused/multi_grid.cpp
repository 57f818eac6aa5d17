// refused: multi_grid_group is gone from CUDA 13 and is not offered here
#include <cooperative_groups.h>
void f() { cooperative_groups::this_multi_grid(); }
