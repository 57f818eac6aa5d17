// Reads a tile of which only the first fifty elements were written, and ignores the others.
kernel void sum(global int* total) {
  local int tile[64];
  const int thread = get_local_id(0);
  if (thread < 50) tile[thread] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int loaded = tile[thread];
  const int mine = thread < 50 ? loaded : 0;
  atomic_add(total, mine);
}
