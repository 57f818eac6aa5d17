// Builds a list of three nodes on the device heap, then sums and frees it node by node.
#include <cstdio>

struct list_node {
  int value;
  list_node* next;
};
__managed__ int sum;

__global__ void sum_list() {
  list_node* head = nullptr;
  for (int i = 1; i <= 3; ++i) {
    head = new list_node{i, head};
  }
  int total = 0;
  for (list_node* node = head; node != nullptr;) {
    total += node->value;
    list_node* next = node->next;
    delete node;
    node = next;
  }
  sum = total;
}

int main() {
  sum_list<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", sum);
}
