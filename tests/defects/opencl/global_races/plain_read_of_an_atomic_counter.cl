// Hands out sixteen slots to the first work-items that ask.
kernel void take_slots(global int* taken, global int* owner) {
#ifdef REPAIRED
  if (atomic_add(taken, 0) >= 16) return;
#else
  if (*taken >= 16) return;
#endif
  const int slot = atomic_inc(taken);
  if (slot < 16) owner[slot] = 1;
}
