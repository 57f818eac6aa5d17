// Counts numbers from zero to one, both included, in sixteen bins.
kernel void histogram(global const float* numbers, global int* counts) {
  local int bins[16];
  const int thread = get_local_id(0);
  if (thread < 16) bins[thread] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef REPAIRED
  const int bin = min((int)(numbers[thread] * 16), 15);
#else
  const int bin = (int)(numbers[thread] * 16);
#endif
  atomic_inc(&bins[bin]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread < 16) counts[thread] = bins[thread];
}
