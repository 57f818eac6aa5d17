// Copies structs with unwritten padding between their members.
struct sample {
  char kind;
  int value;
};
kernel void copy(global struct sample* out) {
  struct sample mine;
  mine.kind = 1;
  mine.value = get_global_id(0);
  out[get_global_id(0)] = mine;
}
