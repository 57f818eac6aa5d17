// Computes the prefix sums of the numbers from one on, in place.
kernel void scan(global int* result) {
  local int sums[64];
  const int thread = get_local_id(0);
  sums[thread] = thread + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < 64; distance *= 2) {
    int before = 0;
    if (thread >= distance) before = sums[thread - distance];
#ifdef REPAIRED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    sums[thread] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  result[thread] = sums[thread];
}
