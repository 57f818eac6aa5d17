// Builds lists of two nodes on the device heap and sums them.
#include <cstdio>

struct list_node {
  int value;
  list_node* next;
};
__managed__ int sums[32];

__device__ list_node* make(int value, list_node* next) {
  list_node* made = static_cast<list_node*>(malloc(sizeof(list_node)));
  made->value = value;
  if (next != nullptr) made->next = next;
  return made;
}

__global__ void sum_lists() {
  list_node* second = make(10, nullptr);
  list_node* first = make(threadIdx.x, second);
  int sum = first->value + first->next->value;
  if (second->next != nullptr) sum = -1;
  sums[threadIdx.x] = sum;
  free(first);
  free(second);
}

int main() {
  sum_lists<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", sums[31]);
}
