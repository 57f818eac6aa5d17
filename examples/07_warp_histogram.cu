// Counts the letters of a text: lanes that hit the same bin share one atomic addition.
#include <heddle/warp/histogram.cuh>

#include <algorithm>
#include <cstdio>
#include <string>

constexpr int letters = 26;
constexpr int blocks = 8, threads = 256;

__global__ void count_letters(const char* text, int length, int* counts) {
  const int first = blockIdx.x * threads + threadIdx.x;
  // All lanes of a warp stay in the loop together: lanes past the end of the text pass bin -1,
  // which counts nothing.
  for (int i = first; i - heddle::lane_id() < length; i += blocks * threads) {
    const char letter = i < length ? text[i] : ' ';
    const bool is_letter = letter >= 'a' && letter <= 'z';
    heddle::warp::count_in_bins(counts, is_letter ? letter - 'a' : -1);
  }
}

int main() {
  std::string text;
  for (int i = 0; i < 10'001; ++i) {
    // As in any language, some letters are much more frequent than others.
    text += "eee eet tta aao oin"[i * 31 % 19];
    text += static_cast<char>('a' + i * i % letters);
  }
  const int length = static_cast<int>(text.size());

  char* device_text;
  int* device_counts;
  cudaMalloc(&device_text, text.size());
  cudaMalloc(&device_counts, letters * sizeof(int));
  cudaMemcpy(device_text, text.data(), text.size(), cudaMemcpyHostToDevice);
  cudaMemset(device_counts, 0, letters * sizeof(int));
  count_letters<<<blocks, threads>>>(device_text, length, device_counts);
  int counts[letters];
  const cudaError_t status =
      cudaMemcpy(counts, device_counts, sizeof counts, cudaMemcpyDeviceToHost);
  cudaFree(device_text);
  cudaFree(device_counts);
  if (status != cudaSuccess) {
    std::printf("the kernel failed: %s\n", cudaGetErrorString(status));
    return 1;
  }

  int wrong = 0;
  for (int letter = 0; letter < letters; ++letter) {
    wrong += counts[letter] != std::count(text.begin(), text.end(), 'a' + letter);
  }
  for (const char letter : std::string("eta")) {
    std::printf("%c: %d\n", letter, counts[letter - 'a']);
  }
  std::printf("%d characters, %d of %d counts wrong\n", length, wrong, letters);
  return wrong == 0 ? 0 : 1;
}
