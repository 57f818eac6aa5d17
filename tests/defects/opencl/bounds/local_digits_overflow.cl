// Adds up the decimal digits of large numbers.
#ifdef REPAIRED
#define room 10
#else
#define room 8
#endif
kernel void digit_sums(global int* sums) {
  int digits[room];
  int length = 0;
  for (uint rest = 10000u + get_global_id(0) * 100000000u; rest > 0; rest /= 10) digits[length++] = rest % 10;
  int sum = 0;
  for (int i = 0; i < length; ++i) sum += digits[i];
  sums[get_global_id(0)] = sum;
}
