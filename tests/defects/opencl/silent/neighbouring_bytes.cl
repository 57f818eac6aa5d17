// Each work-item writes its own byte.
kernel void mark(global uchar* bytes) { bytes[get_global_id(0)] = get_global_id(0); }
