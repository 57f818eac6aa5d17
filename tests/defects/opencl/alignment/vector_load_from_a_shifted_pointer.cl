// Adds four samples per work-item, starting at the second sample.
kernel void sum(global const float* samples, global float* sums) {
  const int i = get_global_id(0);
#ifdef REPAIRED
  global const float* four = samples + 1 + 4 * i;
  sums[i] = four[0] + four[1] + four[2] + four[3];
#else
  const float4 four = ((global const float4*)(samples + 1))[i];
  sums[i] = four.x + four.y + four.z + four.w;
#endif
}
