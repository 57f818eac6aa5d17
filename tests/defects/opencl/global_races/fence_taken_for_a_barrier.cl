// Writes squares and reads them in reverse order.
kernel void mirror(global int* values, global int* mirrored) {
  const int i = get_global_id(0);
  values[i] = i * i;
#ifdef REPAIRED
  barrier(CLK_GLOBAL_MEM_FENCE);
#else
  mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
  mirrored[i] = values[63 - i];
}
