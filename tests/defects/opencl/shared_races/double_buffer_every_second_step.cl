// Smooths a ring in eight steps that alternate between two buffers.
kernel void smooth(global float* ring) {
  local float level[2][64];
  const int thread = get_local_id(0);
  const int left = (thread + 63) % 64;
  const int right = (thread + 1) % 64;
  level[0][thread] = ring[thread];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < 8; ++step) {
    const int from = step % 2;
    level[1 - from][thread] = (level[from][left] + level[from][right]) / 2;
#ifndef REPAIRED
    if (from == 1)
#endif
      barrier(CLK_LOCAL_MEM_FENCE);
  }
  ring[thread] = level[0][thread];
}
