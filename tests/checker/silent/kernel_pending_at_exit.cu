// The program waits for one kernel, and returns from main while another is pending.
__managed__ int counter;

__global__ void count() { atomicAdd(&counter, 1); }

int main() {
  count<<<4, 64>>>();
  cudaDeviceSynchronize();
  const bool is_right = counter == 256;
  count<<<4, 64>>>();
  return is_right ? 0 : 1;
}
