// Checks whether one of the values is seven.
kernel void contains(global const int* values, global int* answer) {
  local int found;
  const int thread = get_local_id(0);
  if (thread == 0) found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef REPAIRED
  if (values[thread] == 7) atomic_xchg(&found, 1);
#else
  if (values[thread] == 7) found = 1;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) *answer = found;
}
