// Each work-group appends its number to a list with room for eight, under a lock.
kernel void append(volatile global int* mutex, volatile global int* length, global int* list) {
  while (atomic_cmpxchg(mutex, 0, 1) != 0) {
  }
#ifdef REPAIRED
  if (atomic_add(length, 0) < 8) list[atomic_inc(length)] = get_group_id(0);
#else
  if (atomic_add(length, 0) == 8) return;
  list[atomic_inc(length)] = get_group_id(0);
#endif
  atomic_xchg(mutex, 0);
}
