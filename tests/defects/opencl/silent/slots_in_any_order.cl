// Collects the odd numbers, in any order.
kernel void collect(global int* count, global int* list) {
  if (get_global_id(0) % 2 == 1) list[atomic_inc(count)] = get_global_id(0);
}
