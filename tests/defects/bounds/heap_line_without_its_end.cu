// Every thread builds a short string on the device heap and counts its letters.
#include <cstdio>

__managed__ int lengths[32];

__global__ void build_lines(int length) {
  char* line = static_cast<char*>(malloc(length));
  for (int i = 0; i < length; ++i) line[i] = 'a' + (threadIdx.x + i) % 26;
  line[length] = '\0';
  int letters = 0;
  while (letters < length && line[letters] != '\0') ++letters;
  lengths[threadIdx.x] = letters;
  free(line);
}

int main() {
  build_lines<<<1, 32>>>(8);
  cudaDeviceSynchronize();
  printf("%d\n", lengths[31]);
}
