// Loads two tiles with asynchronous copies and adds them.
kernel void sum_tiles(global const int* in, global int* sums) {
  local int stage[2][64];
  const int thread = get_local_id(0);
  event_t copies[2];
  copies[0] = async_work_group_copy(stage[0], in, 64, 0);
  copies[1] = async_work_group_copy(stage[1], in + 64, 64, 0);
#ifdef REPAIRED
  wait_group_events(2, copies);
#else
  wait_group_events(1, copies);
#endif
  sums[thread] = stage[0][63 - thread] + stage[1][63 - thread];
}
