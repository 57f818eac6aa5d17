// Counts hits in records that are packed into an array of bytes.
#ifdef REPAIRED
#define record_bytes 8
#define counter_offset 4
#else
#define record_bytes 6
#define counter_offset 2
#endif
kernel void hit(global uchar* records) {
  global uchar* record = records + get_global_id(0) * record_bytes;
  atomic_inc((volatile global int*)(record + counter_offset));
}
