// Counts the edges at each vertex of a graph.
kernel void count_edges(global int* degree) {
  const int source = get_global_id(0);
  const int target = (source * 5 + 3) % 64;
#ifdef REPAIRED
  atomic_inc(&degree[source]);
#else
  degree[source]++;
#endif
  atomic_inc(&degree[target]);
}
