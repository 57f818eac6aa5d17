// Adds up the positions of the zeros among eight bits.
kernel void sum_places(global const int* table, global int* sums) {
  int places[9];
  int count = 0;
  for (int bit = 0; bit < 8; ++bit) {
    if ((table[get_global_id(0)] >> bit) % 2 == 0) places[count++] = bit;
  }
  int sum = 0;
#ifdef REPAIRED
  for (int i = 0; i < count; ++i) sum += places[i];
#else
  for (int i = 0; i <= count; ++i) sum += places[i];
#endif
  sums[get_global_id(0)] = sum > 10 ? sum : 10;
}
