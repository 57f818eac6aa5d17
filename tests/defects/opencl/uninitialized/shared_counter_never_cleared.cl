// Counts the work-items of a group with an even number.
kernel void count_even(global int* result) {
  local int count;
  const int thread = get_local_id(0);
#ifdef REPAIRED
  if (thread == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (thread % 2 == 0) atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) *result = count;
}
