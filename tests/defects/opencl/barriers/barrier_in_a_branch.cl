// Shifts the first hundred values of a work-group by one place.
kernel void shift(global int* result) {
  local int values[128];
  const int thread = get_local_id(0);
  values[thread] = thread;
#ifdef REPAIRED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (thread < 100) {
#ifndef REPAIRED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    result[thread] = values[thread + 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread >= 100) result[thread] = values[thread];
}
