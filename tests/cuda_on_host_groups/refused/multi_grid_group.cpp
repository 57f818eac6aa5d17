// refused: multi_grid_group was removed in CUDA 13: launch a grid on each device and let the host
// wait
#include <cooperative_groups.h>
void f(cooperative_groups::multi_grid_group);
