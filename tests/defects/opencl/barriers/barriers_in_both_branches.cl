// The two halves of a work-group prepare the two operands of a sum.
kernel void add(global int* sums) {
  local int left[64], right[64];
  const int i = get_local_id(0);
  if (i < 32) {
    for (int k = i; k < 64; k += 32) left[k] = k;
#ifndef REPAIRED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  } else {
    for (int k = i - 32; k < 64; k += 32) right[k] = 100 * k;
#ifndef REPAIRED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
#ifdef REPAIRED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  sums[i] = left[i] + right[i];
}
