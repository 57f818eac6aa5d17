// Adds floats to a sum with compare-and-swap.
kernel void add(volatile global float* sum) {
  volatile global uint* bits = (volatile global uint*)sum;
  uint seen = atomic_or(bits, 0u);
  for (;;) {
    const uint wanted = as_uint(as_float(seen) + 1.0f);
    const uint before = atomic_cmpxchg(bits, seen, wanted);
    if (before == seen) break;
    seen = before;
  }
}
