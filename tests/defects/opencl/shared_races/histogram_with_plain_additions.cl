// Counts the letters of a text, first in the work-group's own bins.
kernel void count_letters(global const uchar* text, global int* counts) {
  local int bins[26];
  const int thread = get_local_id(0);
  if (thread < 26) bins[thread] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int letter = text[get_global_id(0)] - 'a';
#ifdef REPAIRED
  atomic_inc(&bins[letter]);
#else
  bins[letter]++;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread < 26) atomic_add(&counts[thread], bins[thread]);
}
