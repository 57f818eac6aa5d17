// cuBLAS against products and sums in float64, element by element.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <cublasLt.h>
#include <cublas_v2.h>

#include "kernels.hpp"
#include "support/seed.hpp"

namespace {

using numbers = std::vector<double>;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

struct sizes {
  int m, n, k;
};
constexpr sizes shapes[] = {{1, 1, 1}, {3, 5, 7}, {300, 2, 70}, {17, 33, 65}, {4, 4, 0}};
constexpr cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

// Device memory with the same numbers as on the host, rounded to its type.
template <typename T>
class device_numbers {
 public:
  explicit device_numbers(const numbers& from) : count_(from.size()) {
    std::vector<T> image;
    for (const double each : from) image.push_back(T(static_cast<float>(each)));
    EXPECT_EQ(cudaMalloc(&at_, std::max<std::size_t>(count_, 1) * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(at_, image.data(), count_ * sizeof(T), cudaMemcpyDefault), cudaSuccess);
  }
  ~device_numbers() { cudaFree(at_); }
  device_numbers(const device_numbers&) = delete;
  device_numbers& operator=(const device_numbers&) = delete;

  T* at() const { return at_; }
  numbers now() const {
    std::vector<T> image(count_);
    EXPECT_EQ(
        cudaMemcpy(static_cast<void*>(image.data()), at_, count_ * sizeof(T), cudaMemcpyDefault),
        cudaSuccess);
    numbers all;
    for (const T& each : image) all.push_back(static_cast<double>(static_cast<float>(each)));
    return all;
  }

 private:
  T* at_ = nullptr;
  std::size_t count_;
};

class blas : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    // SetUp calls this, too.
    if (handle != nullptr) {
      EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
    }
    handle = nullptr;
    device_test::TearDown();
  }

  // Multiples of an eighth: exact in every type, also as sums of some hundred products.
  numbers draw(int count) {
    std::uniform_int_distribution<int> any(-8, 8);
    numbers made;
    for (int each = 0; each < count; ++each) made.push_back(any(random) / 8.0);
    return made;
  }

  cublasHandle_t handle = nullptr;
  std::mt19937 random{static_cast<unsigned>(heddle_test::seed())};
};

double element(const numbers& of, int row, int column, int leading, cublasOperation_t operation) {
  if (operation != CUBLAS_OP_N) std::swap(row, column);
  return of[static_cast<std::size_t>(column * leading + row)];
}

// c = alpha op(a) op(b) + beta c, where beta 0 does not read c.
numbers expected(sizes of, cublasOperation_t a_how, cublasOperation_t b_how, double alpha,
                 const numbers& a, int lda, const numbers& b, int ldb, double beta, numbers c,
                 int ldc) {
  for (int column = 0; column < of.n; ++column) {
    for (int row = 0; row < of.m; ++row) {
      double sum = 0;
      for (int at = 0; at < of.k; ++at) {
        sum += element(a, row, at, lda, a_how) * element(b, at, column, ldb, b_how);
      }
      double& to = c[static_cast<std::size_t>(column * ldc + row)];
      to = alpha * sum + (beta == 0 ? 0 : beta * to);
    }
  }
  return c;
}

void expect_equal(const numbers& seen, const numbers& wanted) {
  ASSERT_EQ(seen.size(), wanted.size());
  for (std::size_t at = 0; at < seen.size(); ++at) {
    if (std::isnan(wanted[at])) {
      ASSERT_TRUE(std::isnan(seen[at])) << at;
    } else {
      ASSERT_EQ(seen[at], wanted[at]) << at << ", seed " << heddle_test::seed();
    }
  }
}

TEST_F(blas, multiplies_matrices_for_all_transpositions_and_leading_dimensions) {
  for (const sizes of : shapes) {
    for (const auto a_how : operations) {
      for (const auto b_how : operations) {
        const int lda = (a_how == CUBLAS_OP_N ? of.m : std::max(of.k, 1)) + 3;
        const int ldb = (b_how == CUBLAS_OP_N ? std::max(of.k, 1) : of.n) + 1;
        const int ldc = of.m + 2;
        const numbers a = draw(lda * std::max(of.m, of.k)), b = draw(ldb * std::max(of.n, of.k));
        numbers c = draw(ldc * of.n);
        const float alpha = 2, beta = 0.5f;
        const device_numbers<float> a_there(a), b_there(b), c_there(c);
        ASSERT_EQ(cublasSgemm(handle, a_how, b_how, of.m, of.n, of.k, &alpha, a_there.at(), lda,
                              b_there.at(), ldb, &beta, c_there.at(), ldc),
                  CUBLAS_STATUS_SUCCESS);
        expect_equal(c_there.now(),
                     expected(of, a_how, b_how, alpha, a, lda, b, ldb, beta, c, ldc));
      }
    }
  }
}

TEST_F(blas, does_not_read_the_result_if_beta_is_zero) {
  const sizes of{6, 4, 3};
  const numbers a = draw(18), b = draw(12), c(24, nothing);
  const double alpha = 1, beta = 0;
  const device_numbers<double> a_there(a), b_there(b), c_there(c);
  ASSERT_EQ(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 6, 4, 3, &alpha, a_there.at(), 6,
                        b_there.at(), 3, &beta, c_there.at(), 6),
            CUBLAS_STATUS_SUCCESS);
  expect_equal(c_there.now(), expected(of, CUBLAS_OP_N, CUBLAS_OP_N, 1, a, 6, b, 3, 0, c, 6));
}

TEST_F(blas, multiplies_batches_at_strides_and_at_addresses) {
  const sizes of{5, 4, 6};
  const numbers a = draw(3 * 40), b = draw(3 * 30), c = draw(3 * 25);
  const float alpha = 1, beta = 1;
  const device_numbers<float> a_there(a), b_there(b), c_there(c), c_by_address(c);
  numbers wanted = c;
  for (int each = 0; each < 3; ++each) {
    const auto part = [each](const numbers& all, int stride) {
      return numbers(all.begin() + each * stride, all.begin() + (each + 1) * stride);
    };
    const numbers one = expected(of, CUBLAS_OP_N, CUBLAS_OP_N, 1, part(a, 40), 5, part(b, 30), 6, 1,
                                 part(c, 25), 5);
    std::copy(one.begin(), one.end(), wanted.begin() + each * 25);
  }
  ASSERT_EQ(
      cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 6, &alpha, a_there.at(), 5,
                                40, b_there.at(), 6, 30, &beta, c_there.at(), 5, 25, 3),
      CUBLAS_STATUS_SUCCESS);
  expect_equal(c_there.now(), wanted);

  float** addresses = nullptr;
  ASSERT_EQ(cudaMallocManaged(&addresses, 9 * sizeof(float*)), cudaSuccess);
  for (int each = 0; each < 3; ++each) {
    addresses[each] = a_there.at() + each * 40;
    addresses[3 + each] = b_there.at() + each * 30;
    addresses[6 + each] = c_by_address.at() + each * 25;
  }
  ASSERT_EQ(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 6, &alpha, addresses, 5,
                               addresses + 3, 6, &beta, addresses + 6, 5, 3),
            CUBLAS_STATUS_SUCCESS);
  expect_equal(c_by_address.now(), wanted);
  cudaFree(addresses);
}

TEST_F(blas, multiplies_half_and_bfloat16_with_sums_in_float) {
  const sizes of{9, 8, 7};
  const numbers a = draw(63), b = draw(56), c(72, 0);
  const float alpha = 1, beta = 0;
  const numbers wanted = expected(of, CUBLAS_OP_T, CUBLAS_OP_N, 1, a, 7, b, 7, 0, c, 9);
  const device_numbers<__half> a_half(a), b_half(b);
  const device_numbers<__nv_bfloat16> a_brain(a), b_brain(b);
  const device_numbers<float> c_half(c), c_brain(c);
  ASSERT_EQ(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 9, 8, 7, &alpha, a_half.at(), CUDA_R_16F,
                         7, b_half.at(), CUDA_R_16F, 7, &beta, c_half.at(), CUDA_R_32F, 9,
                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 9, 8, 7, &alpha, a_brain.at(),
                         CUDA_R_16BF, 7, b_brain.at(), CUDA_R_16BF, 7, &beta, c_brain.at(),
                         CUDA_R_32F, 9, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  expect_equal(c_half.now(), wanted);
  expect_equal(c_brain.now(), wanted);
}

TEST_F(blas, reads_factors_from_device_memory) {
  const numbers a = draw(4), b = draw(4), c = draw(4);
  const device_numbers<float> a_there(a), b_there(b), c_there(c), factors({3, 2});
  ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, factors.at(), a_there.at(), 2,
                        b_there.at(), 2, factors.at() + 1, c_there.at(), 2),
            CUBLAS_STATUS_SUCCESS);
  expect_equal(c_there.now(),
               expected({2, 2, 2}, CUBLAS_OP_N, CUBLAS_OP_N, 3, a, 2, b, 2, 2, c, 2));
}

TEST_F(blas, multiplies_vectors_with_positive_and_negative_steps) {
  const numbers a = draw(5 * 3), x = draw(6), y = draw(10);
  const device_numbers<double> a_there(a), x_there(x), y_there(y);
  const double alpha = 2, beta = -1;
  ASSERT_EQ(cublasDgemv(handle, CUBLAS_OP_N, 5, 3, &alpha, a_there.at(), 5, x_there.at(), -2, &beta,
                        y_there.at(), 2),
            CUBLAS_STATUS_SUCCESS);
  numbers wanted = y;
  for (int row = 0; row < 5; ++row) {
    double sum = 0;
    for (int column = 0; column < 3; ++column) {
      sum += a[static_cast<std::size_t>(column * 5 + row)] *
             x[static_cast<std::size_t>((2 - column) * 2)];
    }
    wanted[static_cast<std::size_t>(2 * row)] = 2 * sum - y[static_cast<std::size_t>(2 * row)];
  }
  expect_equal(y_there.now(), wanted);
}

TEST_F(blas, adds_copies_scales_and_sums_vectors) {
  const numbers x = draw(50), y = draw(50);
  const device_numbers<float> x_there(x), y_there(y), copied(y);
  const float alpha = 4;
  ASSERT_EQ(cublasSaxpy(handle, 50, &alpha, x_there.at(), 1, y_there.at(), 1),
            CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasScopy(handle, 25, x_there.at(), 2, copied.at(), 1), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSscal(handle, 10, &alpha, copied.at(), 5), CUBLAS_STATUS_SUCCESS);
  numbers sums = y, copy = y;
  double dot = 0, squares = 0, magnitudes = 0;
  for (std::size_t at = 0; at < 50; ++at) {
    sums[at] += 4 * x[at];
    if (at < 25) copy[at] = x[2 * at];
    dot += x[at] * sums[at];
    squares += x[at] * x[at];
    magnitudes += std::abs(x[at]);
  }
  for (std::size_t at = 0; at < 50; at += 5) copy[at] *= 4;
  expect_equal(y_there.now(), sums);
  expect_equal(copied.now(), copy);
  float result = 0;
  ASSERT_EQ(cublasSdot(handle, 50, x_there.at(), 1, y_there.at(), 1, &result),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, static_cast<float>(dot));
  ASSERT_EQ(cublasSnrm2(handle, 50, x_there.at(), 1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_FLOAT_EQ(result, static_cast<float>(std::sqrt(squares)));
  ASSERT_EQ(cublasSasum(handle, 50, x_there.at(), 1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, static_cast<float>(magnitudes));
}

TEST_F(blas, works_in_the_order_of_its_stream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cublasSetStream(handle, stream), CUBLAS_STATUS_SUCCESS);
  const device_numbers<float> x({1, 2, 3}), y({0, 0, 0});
  const float alpha = 2;
  gate closed;
  closed.hold(stream);
  for (int times = 0; times < 3; ++times) {
    ASSERT_EQ(cublasSaxpy(handle, 3, &alpha, x.at(), 1, y.at(), 1), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSscal(handle, 3, &alpha, y.at(), 1), CUBLAS_STATUS_SUCCESS);
  }
  expect_equal(y.now(), {0, 0, 0});
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  expect_equal(y.now(), {28, 56, 84});
  cudaStreamDestroy(stream);
}

TEST_F(blas, refuses_wrong_arguments_and_memory_of_the_host) {
  const float one = 1;
  float here[4] = {};
  const device_numbers<float> there({1, 2, 3, 4});
  const auto product = [&](cublasHandle_t with, const float* a, int lda, int m) {
    return cublasSgemm(with, CUBLAS_OP_N, CUBLAS_OP_N, m, 2, 2, &one, a, lda, there.at(), 2, &one,
                       there.at(), 2);
  };
  EXPECT_EQ(product(nullptr, there.at(), 2, 2), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(product(handle, there.at(), 1, 2), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(product(handle, there.at(), 2, -1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(product(handle, here, 2, 2), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(product(handle, there.at(), 1000, 2), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, nullptr, nullptr, 2,
                               nullptr, 2, &one, nullptr, 2, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, there.at(), CUDA_R_32F, 2,
                         there.at(), CUDA_R_32F, 2, &one, there.at(), CUDA_R_32F, 2,
                         CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE");
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

TEST_F(blas, applies_a_bias_and_an_activation_to_a_described_product) {
  const numbers a = draw(12), b = draw(8), bias = draw(3);
  const device_numbers<float> a_there(a), b_there(b), bias_there(bias),
      d_there(numbers(6, nothing));
  cublasLtHandle_t light = nullptr;
  ASSERT_EQ(cublasLtCreate(&light), CUBLAS_STATUS_SUCCESS);
  cublasLtMatrixLayout_t a_layout, b_layout, d_layout;
  cublasLtMatrixLayoutCreate(&a_layout, CUDA_R_32F, 4, 3, 4);
  cublasLtMatrixLayoutCreate(&b_layout, CUDA_R_32F, 4, 2, 4);
  cublasLtMatrixLayoutCreate(&d_layout, CUDA_R_32F, 3, 2, 3);
  for (const auto epilogue :
       {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS,
        CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX}) {
    cublasLtMatmulDesc_t how;
    cublasLtMatmulDescCreate(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    const cublasOperation_t transposed = CUBLAS_OP_T;
    const float* bias_at = bias_there.at();
    cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                   sizeof transposed);
    cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias_at,
                                   sizeof bias_at);
    const float alpha = 2, beta = 0;
    const cublasStatus_t status = cublasLtMatmul(
        light, how, &alpha, a_there.at(), a_layout, b_there.at(), b_layout, &beta, d_there.at(),
        d_layout, d_there.at(), d_layout, nullptr, nullptr, 0, nullptr);
    cublasLtMatmulDescDestroy(how);
    if (epilogue == CUBLASLT_EPILOGUE_GELU_AUX) {
      EXPECT_EQ(status, CUBLAS_STATUS_NOT_SUPPORTED);
      continue;
    }
    ASSERT_EQ(status, CUBLAS_STATUS_SUCCESS);
    const numbers product =
        expected({3, 2, 4}, CUBLAS_OP_T, CUBLAS_OP_N, 2, a, 4, b, 4, 0, numbers(6, 0), 3);
    const numbers seen = d_there.now();
    for (std::size_t at = 0; at < 6; ++at) {
      double wanted = product[at];
      if (epilogue & CUBLASLT_EPILOGUE_BIAS) wanted += bias[at % 3];
      if (epilogue & CUBLASLT_EPILOGUE_RELU) wanted = std::max(wanted, 0.0);
      if (epilogue & CUBLASLT_EPILOGUE_GELU) wanted = gelu(wanted);
      EXPECT_NEAR(seen[at], wanted, 1e-6) << epilogue << ' ' << at;
    }
  }
  cublasLtMatrixLayoutDestroy(a_layout);
  cublasLtMatrixLayoutDestroy(b_layout);
  cublasLtMatrixLayoutDestroy(d_layout);
  EXPECT_EQ(cublasLtDestroy(light), CUBLAS_STATUS_SUCCESS);
}

}  // namespace
