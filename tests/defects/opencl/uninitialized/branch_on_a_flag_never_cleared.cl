// Finds the position of a seven among the values, or -1 if there is none.
kernel void find(global const int* values, global int* place) {
  local int found;
  const int thread = get_local_id(0);
#ifdef REPAIRED
  if (thread == 0) found = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (values[thread] == 7) found = thread;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) *place = found >= 0 && found < 64 ? found : -1;
}
