// Counts the values above a half.
kernel void count_above(global const float* values, global int* processed) {
  if (values[get_global_id(0)] > 0.5f) {
#ifdef REPAIRED
    atomic_inc(processed);
#else
    *processed += 1;
#endif
  }
}
