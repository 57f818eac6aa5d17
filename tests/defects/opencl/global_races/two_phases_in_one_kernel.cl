// Adds the previous group's sum to each number; the repaired version leaves it to another kernel.
kernel void sum_and_shift(global int* group_sum, global int* result) {
  const int group = get_group_id(0);
  if (get_local_id(0) == 0) group_sum[group] = group * 32;
  barrier(CLK_GLOBAL_MEM_FENCE);
#ifdef REPAIRED
  const int before = 0;
#else
  const int before = group > 0 ? group_sum[group - 1] : 0;
#endif
  result[get_global_id(0)] = get_global_id(0) + before;
}
