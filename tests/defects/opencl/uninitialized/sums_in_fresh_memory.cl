// Adds a half to each sum; the repaired version uses sums that were cleared before.
kernel void add_round(global float* fresh, global float* cleared) {
#ifdef REPAIRED
  global float* sums = cleared;
#else
  global float* sums = fresh;
#endif
  sums[get_global_id(0)] += 0.5f;
  if (sums[get_global_id(0)] > 1) sums[get_global_id(0)] = 1;
}
