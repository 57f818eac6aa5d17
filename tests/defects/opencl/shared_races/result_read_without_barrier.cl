// Divides every element of a row by the row's sum.
kernel void normalise(global float* row) {
  local float partial[64];
  const int thread = get_local_id(0);
  partial[thread] = row[thread];
  for (int stride = 32; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread < stride) partial[thread] += partial[thread + stride];
  }
#ifdef REPAIRED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  row[thread] /= partial[0];
}
