// CUDA features that the CPU does not support are refused with a sentence, and nothing else is.
#include <frontend/rewrite/unsupported.hpp>

#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

TEST(unsupported, removed_warp_functions_are_refused_with_their_replacement) {
  for (const char* name :
       {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"}) {
    const std::string message =
        rewritten("__heddle_device__ int f(int x) {\n return " + std::string(name) + "(x, 1); }");
    EXPECT_EQ(message.find("user.cu:2: `" + std::string(name) + "` was removed from CUDA"), 0u)
        << message;
    EXPECT_NE(message.find(std::string(name) + "_sync(mask, "), std::string::npos) << message;
  }
}

TEST(unsupported, a_users_own_function_with_such_a_name_is_allowed) {
  const std::string text = "int __shfl(int x,int y){return x;}int f(){return __shfl(1,2);}";
  EXPECT_EQ(rewritten(text), text);
}

TEST(unsupported, a_name_that_is_not_called_is_left_alone) {
  EXPECT_EQ(rewritten("void f(){int __any=1;g(__any);}"), "void f(){int __any=1;g(__any);}");
}

TEST(unsupported, headers_are_recognised_by_name_and_by_path) {
  for (const char* path :
       {"cub/cub.cuh", "thrust/sort.h", "cublas_v2.h", "curand_kernel.h", "cufft.h", "cusparse.h",
        "nvrtc.h", "mma.h", "/usr/local/cuda/include/cccl/cub/block/block_reduce.cuh"})
    EXPECT_TRUE(refusal_of_header(path)) << path;
  for (const char* path : {"cuda_runtime.h", "cuda.h", "cooperative_groups.h", "cuda/atomic",
                           "vector", "mycub/x.h", "gemma.h", "texture_loader.h", "my_cuda.h", ""})
    EXPECT_FALSE(refusal_of_header(path)) << path;
  EXPECT_EQ(refusal_of_header("/opt/cuda/include/cub/cub.cuh")->folder, "/opt/cuda/include/");
}

TEST(unsupported, libraries_of_the_toolkit_are_refused) {
  EXPECT_TRUE(refusal_of_library("cublas"));
  EXPECT_TRUE(refusal_of_library("cublasLt"));
  EXPECT_FALSE(refusal_of_library("m"));
  EXPECT_FALSE(refusal_of_library("cudacpp"));
  EXPECT_FALSE(refusal_of_library("cuda"));
}

}  // namespace
}  // namespace heddle::frontend
