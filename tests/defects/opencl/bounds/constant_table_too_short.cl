// Convolves a line with five taps.
constant float taps[5] = {1, 4, 6, 4, 1};
kernel void convolve(global const float* in, global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = -2; k <= 2; ++k) {
    const int source = min(max(i + k, 0), 63);
#ifdef REPAIRED
    sum += taps[k + 2] * in[source];
#else
    sum += taps[k + 3] * in[source];
#endif
  }
  out[i] = sum;
}
