// Device variables that the host accesses by name.
#include "kernels.hpp"

namespace {

float table[4];
int* pointer_on_device;
const int fixed_numbers[3] = {5, 6, 7};

class symbol : public device_test {};

TEST_F(symbol, is_written_and_read_with_an_offset) {
  const float values[4] = {1, 2, 3, 4};
  ASSERT_EQ(cudaMemcpyToSymbol(table, values, sizeof values), cudaSuccess);
  const float other = 9;
  ASSERT_EQ(cudaMemcpyToSymbol(table, &other, sizeof other, 2 * sizeof(float)), cudaSuccess);
  float back[4] = {};
  ASSERT_EQ(cudaMemcpyFromSymbol(back, table, sizeof back), cudaSuccess);
  EXPECT_EQ(back[1], 2);
  EXPECT_EQ(back[2], 9);
  int numbers[2] = {};
  ASSERT_EQ(cudaMemcpyFromSymbol(numbers, fixed_numbers, sizeof numbers, sizeof(int)), cudaSuccess);
  EXPECT_EQ(numbers[1], 7);
}

TEST_F(symbol, can_be_a_pointer) {
  int* block = nullptr;
  ASSERT_EQ(cudaMalloc(&block, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMemcpyToSymbol(pointer_on_device, &block, sizeof block), cudaSuccess);
  EXPECT_EQ(pointer_on_device, block);
}

TEST_F(symbol, has_an_address_that_copies_accept_as_device_memory) {
  const float values[4] = {4, 3, 2, 1};
  EXPECT_EQ(cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  void* address = nullptr;
  ASSERT_EQ(cudaGetSymbolAddress(&address, table), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(address, values, sizeof values, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(table[0], 4);
  std::size_t bytes = 0;
  ASSERT_EQ(cudaGetSymbolSize(&bytes, table), cudaSuccess);
  EXPECT_EQ(bytes, sizeof table);
}

TEST_F(symbol, must_be_registered) {
  int local = 0;
  int value = 1;
  EXPECT_EQ(cudaMemcpyToSymbol(local, &value, sizeof value), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaMemcpyToSymbol(&pointer_on_device, &value, sizeof value), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaMemcpyToSymbol("table", &value, sizeof value), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidSymbol);
}

TEST_F(symbol, is_not_written_beyond_its_end) {
  float values[5] = {};
  EXPECT_EQ(cudaMemcpyToSymbol(table, values, sizeof values), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(table, values, sizeof(float), sizeof table), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(table, values, sizeof(float), 0, cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
}

}  // namespace
