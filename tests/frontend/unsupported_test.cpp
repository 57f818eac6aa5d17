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

TEST(unsupported, calls_that_end_the_program_are_noted) {
  const rewrite_result result = rewrite(
      "# 1 \"/heddle/detail/driver_stops.inc\" 3\n"
      "CUresult cuModuleLoad(int) __attribute__((__noreturn__));\n"
      "# 1 \"user.cu\"\n"
      "void f() {\n cuModuleLoad(1);\n auto address = cuModuleLoad; }");
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0].location, "user.cu:2");
  EXPECT_EQ(result.notes[0].text.find("`cuModuleLoad` is not supported on the CPU"), 0u);
}

TEST(unsupported, headers_are_recognised_by_name_and_by_path) {
  for (const char* path : {"cub/cub.cuh", "thrust/sort.h", "cublas.h", "cublasXt.h",
                           "curand_mtgp32_host.h", "cufft.h", "cusparse.h", "nvrtc.h", "mma.h",
                           "/usr/local/cuda/include/cccl/cub/block/block_reduce.cuh"})
    EXPECT_TRUE(refusal_of_header(path)) << path;
  for (const char* path : {"cuda_runtime.h", "cuda.h", "cublas_v2.h", "cublasLt.h", "curand.h",
                           "curand_kernel.h", "cooperative_groups.h", "cuda/atomic", "vector",
                           "mycub/x.h", "gemma.h", "texture_loader.h", "my_cuda.h", ""})
    EXPECT_FALSE(refusal_of_header(path)) << path;
  EXPECT_EQ(refusal_of_header("/opt/cuda/include/cub/cub.cuh")->folder, "/opt/cuda/include/");
}

TEST(unsupported, libraries_of_the_toolkit_are_refused) {
  EXPECT_TRUE(refusal_of_library("cufft"));
  EXPECT_TRUE(refusal_of_library("cusolverMg"));
  EXPECT_FALSE(refusal_of_library("cublas"));
  EXPECT_FALSE(refusal_of_library("m"));
  EXPECT_FALSE(refusal_of_library("cudacpp"));
  EXPECT_FALSE(refusal_of_library("cuda"));
  EXPECT_FALSE(refusal_of_library("curand"));
}

}  // namespace
}  // namespace heddle::frontend
