// Sums fifty numbers in a tile of sixty-four.
kernel void sum(global const int* numbers, global int* total) {
  local int tile[64];
  const int thread = get_local_id(0);
#ifdef REPAIRED
  tile[thread] = thread < 50 ? numbers[thread] : 0;
#else
  if (thread < 50) tile[thread] = numbers[thread];
#endif
  for (int stride = 32; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread < stride) tile[thread] += tile[thread + stride];
  }
  if (thread == 0) *total = tile[0] > 50 ? 1 : 0;
}
