// Searches a sorted array for the last value that is not above the key.
kernel void search(global const int* values, global int* places) {
  const int key = 3 * get_global_id(0) + 1;
  int low = 0;
  int high = 99;
  while (low < high) {
#ifdef REPAIRED
    const int middle = (low + high + 1) / 2;
#else
    const int middle = (low + high) / 2;
#endif
    if (values[middle] <= key) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  places[get_global_id(0)] = low;
}
