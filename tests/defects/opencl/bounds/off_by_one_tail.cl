// Doubles a hundred values.
kernel void twice(global float* values, int n) {
  const int i = get_global_id(0);
#ifdef REPAIRED
  if (i < n) values[i] *= 2;
#else
  if (i <= n) values[i] *= 2;
#endif
}
