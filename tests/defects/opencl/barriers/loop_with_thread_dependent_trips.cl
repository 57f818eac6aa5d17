// Sums a hundred numbers in rounds of sixty-four.
kernel void sum(global const int* numbers, global int* total) {
  local int round_sum;
  const int thread = get_local_id(0);
  int mine = 0;
#ifdef REPAIRED
  for (int start = 0; start < 100; start += 64) {
    const int i = start + thread;
#else
  for (int i = thread; i < 100; i += 64) {
#endif
    if (thread == 0) round_sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 100) atomic_add(&round_sum, numbers[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    mine += round_sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0) *total = mine;
}
