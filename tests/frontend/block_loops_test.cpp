// Kernels whose lanes need each other only at barriers: which are divided into loops, and how.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

std::string kernel_with(const std::string& body) {
  return "constexpr int tile = 16; __heddle_global__ void k(float* out, const float* in, int n) {" +
         body + "}";
}

bool is_divided(const std::string& body) {
  return rewritten(kernel_with(body)).find("lanes_between_barriers") != std::string::npos;
}

// The kernel's body after rewriting, with short names for what the rewriter writes most.
std::string body_of(const std::string& body) {
  std::string made = rewritten(kernel_with(body));
  const std::size_t from = made.find("->void{") + 7;
  made = made.substr(from, made.find("::heddle_host::lane_comes_to_end") - from);
  const auto shorten = [&](const std::string& words, const std::string& name) {
    for (std::size_t at; (at = made.find(words)) != std::string::npos;)
      made.replace(at, words.size(), name);
  };
  const std::string parameter =
      "([&][[gnu::always_inline]]([[maybe_unused]]::heddle_host::lane_in_row heddle_lane)";
  shorten("heddle_block.run<::heddle_host::row_mode::test_each>" + parameter, "TOGETHER(");
  shorten("heddle_block.run<::heddle_host::row_mode::test_in_order>" + parameter, "IN_TURN(");
  shorten("heddle_block.run<::heddle_host::row_mode::in_order>" + parameter, "IN_ORDER(");
  shorten("if(heddle_lane.is_trying())return;", "WORK;");
  shorten("[[maybe_unused]]", "");
  shorten("::heddle_host::", "");
  shorten("heddle_", "");
  return made;
}

TEST(block_loops, divide_a_kernel_at_its_barriers) {
  EXPECT_EQ(body_of("out[threadIdx.x] = 1; __syncthreads(); out[blockIdx.x] = 2;"),
            "TOGETHER({WORK;out[lane.threadIdx.x]=1;});"
            "block.syncthreads();"
            "TOGETHER({WORK;out[lane.blockIdx.x]=2;});");
}

TEST(block_loops, compute_once_what_is_alike_in_all_lanes) {
  EXPECT_EQ(body_of("const int first = blockIdx.x * tile; __syncthreads(); n += first;"),
            "const int first=block.blockIdx.x*tile;block.syncthreads();n+=first;");
  EXPECT_EQ(body_of("for (int s = blockDim.x / 2; s > 0; s >>= 1) { "
                    "if (threadIdx.x < s) out[threadIdx.x] = 1; __syncthreads(); }"),
            "for(int s=block.blockDim.x/2;s>0;s>>=1){"
            "TOGETHER({if(lane.enters(lane.threadIdx.x<s))out[lane.threadIdx.x]=1;});"
            "block.syncthreads();}");
  EXPECT_EQ(body_of("if (n > 3) { __syncthreads(); out[threadIdx.x] = 1; } else return;"),
            "if(n>3){block.syncthreads();TOGETHER({WORK;out[lane.threadIdx.x]=1;});}"
            "else returnlane_returns();");
}

TEST(block_loops, keep_a_value_for_each_lane_from_one_loop_to_the_next) {
  EXPECT_EQ(body_of("float x = in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = x;"),
            "lane_values<::std::remove_const_t<float>>values_x(block);"
            "TOGETHER({WORK;auto&x=values_x[lane];x=in[lane.threadIdx.x];});"
            "block.syncthreads();"
            "TOGETHER({auto&x=values_x[lane];WORK;out[lane.threadIdx.x]=x;});");
  EXPECT_EQ(body_of("const float *p = in, *q = out + threadIdx.x; q = p; "
                    "__syncthreads(); out[0] = *q;")
                .substr(0, 175),
            std::string("lane_values<::std::remove_const_t<const float*>>values_p(block);"
                        "lane_values<::std::remove_const_t<const float*>>values_q(block);"
                        "TOGETHER({WORK;auto&p=values_p[lane];p=in;auto&q=values_q[lane];q=out")
                .substr(0, 175));
  EXPECT_EQ(body_of("float a[2] = {1}; a[n] = 2; __syncthreads(); out[threadIdx.x] = a[1];"),
            "lane_values<::std::remove_const_t<float[2]>>values_a(block);"
            "TOGETHER({WORK;float filled_a[2]={1};values_a.copy(lane,filled_a);"
            "auto&a=values_a[lane];a[n]=2;});"
            "block.syncthreads();"
            "TOGETHER({auto&a=values_a[lane];WORK;out[lane.threadIdx.x]=a[1];});");
}

TEST(block_loops, keep_variables_together_that_are_declared_together) {
  EXPECT_EQ(body_of("int a = n, b = n; a += 1; b += threadIdx.x; __syncthreads(); out[b] = a;"),
            "lane_values<::std::remove_const_t<int>>values_a(block);"
            "lane_values<::std::remove_const_t<int>>values_b(block);"
            "TOGETHER({auto&a=values_a[lane];a=n;auto&b=values_b[lane];b=n;WORK;"
            "a+=1;b+=lane.threadIdx.x;});"
            "block.syncthreads();"
            "TOGETHER({auto&a=values_a[lane];auto&b=values_b[lane];WORK;out[b]=a;});");
}

TEST(block_loops, keep_parameters_that_a_lane_changes) {
  EXPECT_EQ(body_of("out += threadIdx.x; __syncthreads(); *out = 1;"),
            "lane_values<::std::remove_const_t<decltype(out)>>values_out(block);"
            "IN_ORDER({values_out[lane]=out;});"
            "TOGETHER({auto&out=values_out[lane];WORK;out+=lane.threadIdx.x;});"
            "block.syncthreads();"
            "TOGETHER({auto&out=values_out[lane];WORK;*out=1;});");
  EXPECT_FALSE(is_divided("n += threadIdx.x; { int n = 1; out[n] = 2; } __syncthreads();"));
}

TEST(block_loops, note_which_lanes_have_returned) {
  const std::string left = "if(lane.leaves(left[lane]))return;";
  EXPECT_EQ(body_of("if (threadIdx.x >= n) return; out[threadIdx.x] = 1; __syncthreads(); n = 2; "
                    "for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] += 1;"),
            "left_lanes left(block);"
            "IN_ORDER({if(lane.threadIdx.x>=n){left.add(lane);returnlane_returns();}});"
            "if(left.are_all())return;"
            "TOGETHER({" +
                left +
                "WORK;out[lane.threadIdx.x]=1;});"
                "block.syncthreads();n=2;"
                "{lane_values<int>values_i(block);IN_ORDER({" +
                left +
                "values_i[lane]=lane.threadIdx.x;});"
                "while(TOGETHER({" +
                left +
                "auto&next=values_i[lane];const int i=lane.index<int>(0,next);"
                "if(lane.enters(i<n)){next=i+(lane.blockDim.x);out[i]+=1;}})){}}");
  for (const char* body :
       {"if (in[threadIdx.x] > 0) { out[0] = 1; return; } else out[1] = 2; __syncthreads();",
        "__syncthreads(); if (threadIdx.x > 3) return; __syncthreads(); if (n) return; "
        "if (threadIdx.x > 2) return; __syncthreads();",
        "for (int i = 0; i < threadIdx.x; ++i) if (i == n) return; __syncthreads();"})
    EXPECT_TRUE(is_divided(body)) << body;
  // A lane may leave a loop of the block.
  EXPECT_FALSE(
      is_divided("for (int k = 0; k < n; ++k) { if (k == threadIdx.x) return; "
                 "__syncthreads(); }"));
}

TEST(block_loops, know_the_barriers_of_cooperative_groups) {
  EXPECT_EQ(
      body_of("namespace cg = cooperative_groups; "
              "const cg::thread_block b = cg::this_thread_block(); "
              "const int i = b.thread_rank(); out[i] = b.thread_index().y; cg::sync(b); "
              "out[b.group_index().x] = b.size(); b.sync(); out[i] = n; n = b.num_threads();"),
      "TOGETHER({const int i=lane.index<int>(0,lane.thread_rank());"
      "WORK;out[i]=lane.thread_index().y;});"
      "block.syncthreads();"
      "TOGETHER({WORK;out[lane.group_index().x]=lane.size();});"
      "block.syncthreads();"
      "TOGETHER({const int i=lane.index<int>(0,lane.thread_rank());WORK;out[i]=n;});"
      "n=block.num_threads();");
  for (const char* body :
       {"auto b = cooperative_groups::this_thread_block(); cooperative_groups::sync(b);",
        "using namespace cooperative_groups; thread_block b = this_thread_block(); sync(b);",
        "namespace cg = cooperative_groups; auto b = cg::this_thread_block(); "
        "for (int k = 0; k < n; ++k) { out[b.thread_rank()] = b.size() & 3; b.sync(); }"})
    EXPECT_TRUE(is_divided(body)) << body;
  for (const char* body :
       {// Not all lanes may come to the barrier.
        "namespace cg = cooperative_groups; auto b = cg::this_thread_block(); "
        "if (b.thread_rank() < n) b.sync();",
        "namespace cg = cooperative_groups; auto b = cg::this_thread_block(); "
        "int x = b.thread_index().x; if (x) cg::sync(b);",
        // Other groups, other uses of a block, and other namespaces.
        "namespace cg = cooperative_groups; auto g = cg::this_grid(); g.sync();",
        "namespace cg = cooperative_groups; auto b = cg::this_thread_block(); "
        "auto t = cg::tiled_partition<32>(b); t.sync();",
        "namespace cg = cooperative_groups; auto b = cg::this_thread_block(); b.barrier_arrive();",
        "namespace cg = cooperative_groups; auto b = cg::this_thread_block(); auto c = b; "
        "c.sync();",
        "namespace cg = other; auto b = cg::this_thread_block(); b.sync();",
        "auto b = this_thread_block(); b.sync();",
        "namespace cg = cooperative_groups; auto b = cg::this_thread_block(); "
        "{ int b = 1; b.sync(); }"})
    EXPECT_FALSE(is_divided(body)) << body;
}

TEST(block_loops, compute_indices_again_instead_of_keeping_them) {
  EXPECT_EQ(body_of("const int x = blockIdx.x * tile + threadIdx.x, y = x + 1; out[x] = 1; "
                    "__syncthreads(); if (y < n) out[y] = 2;"),
            "TOGETHER({const int x=lane.index<int>(0,lane.blockIdx.x*tile+lane.threadIdx.x);"
            "WORK;out[x]=1;});"
            "block.syncthreads();"
            "TOGETHER({const int x=lane.index<int>(0,lane.blockIdx.x*tile+lane.threadIdx.x);"
            "const int y=lane.index<int>(1,x+1);"
            "if(lane.enters(y<n))out[y]=2;});");
  // Not if a variable in it changes before the next use.
  EXPECT_NE(body_of("const int x = n + threadIdx.x; n = 3; __syncthreads(); out[x] = 1;")
                .find("values_x"),
            std::string::npos);
}

TEST(block_loops, let_lanes_stride_over_memory_together) {
  EXPECT_EQ(body_of("for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] += 1;"),
            "{lane_values<int>values_i(block);"
            "IN_ORDER({values_i[lane]=lane.threadIdx.x;});"
            "while(TOGETHER({auto&next=values_i[lane];const int i=lane.index<int>(0,next);"
            "if(lane.enters(i<n)){next=i+(lane.blockDim.x);out[i]+=1;}})){}}");
  EXPECT_EQ(
      body_of("int i = threadIdx.x; while (i < n) { atomicAdd(out + i, 1); i += gridDim.x; }"),
      "lane_values<::std::remove_const_t<int>>values_i(block);"
      "TOGETHER({auto&i=values_i[lane];i=lane.threadIdx.x;});"
      "while(IN_TURN({auto&next=values_i[lane];const int i=lane.index<int>(0,next);"
      "if(lane.enters(i<n)){atomicAdd(out+i,1);next=i+(lane.gridDim.x);}})){}");
}

TEST(block_loops, use_shared_memory_without_atomic_operations) {
  EXPECT_EQ(body_of("__heddle_shared__ int s[4]; atomicAdd(&s[threadIdx.x], 1); atomicAdd(out, 1); "
                    "atomicExch(&s[1], 2);"),
            "struct shared_0_s{int s[4];};int(&s)[4]=shared_slot<shared_0_s>().s;"
            "IN_ORDER({block.add(&s[lane.threadIdx.x],1);atomicAdd(out,1);"
            "atomicExch(&s[1],2);});");
}

TEST(block_loops, divide_what_lanes_do_in_these_ways) {
  for (const char* body :
       {"__syncthreads(); if (threadIdx.x < n) return; out[threadIdx.x] = 1;",
        "float x; x = in[0]; __syncthreads(); out[threadIdx.x] = x;",
        "for (int i = 0; i < n; ++i) { if (i == 3) continue; __syncthreads(); if (n < i) break; }",
        "while (n > 0) { __syncthreads(); n -= 2; }", "{ { __syncthreads(); } }",
        "for (int i = 0; i < n; ++i) { __syncthreads(); for (int j = 0; j < i; ++j) out[j] = 1; }",
        "__heddle_shared__ float total; total = 1; __syncthreads(); out[threadIdx.x] = total;",
        "extern __heddle_shared__ float s[]; s[threadIdx.x] = 1; __syncthreads(); out[0] = s[1];",
        "for (int i = blockIdx.x; i < n; i += gridDim.x) { out[i] = 1; __syncthreads(); }"})
    EXPECT_TRUE(is_divided(body)) << body;
}

TEST(block_loops, do_not_divide_other_kernels) {
  for (const char* body :
       {// Not all lanes may come to the barrier.
        "if (threadIdx.x < n) __syncthreads();",
        "for (int i = 0; i < threadIdx.x; ++i) __syncthreads();",
        "for (int i = 0; i < n; ++i) { if (i == threadIdx.x) break; __syncthreads(); }",
        "int x = in[0]; if (x) __syncthreads();",
        "int x = threadIdx.x; if (x) n = 1; if (n) __syncthreads();",
        "__heddle_shared__ int s; if (s) __syncthreads();", "do { __syncthreads(); } while (n);",
        // Lanes need each other in other ways, or wait for memory.
        "__syncthreads(); __syncwarp();", "__syncthreads(); out[0] = atomicAdd(out, 1);",
        "__syncthreads(); while (in[0] == 0) ;", "if (__syncthreads_or(n)) out[0] = 1;",
        // A name or a pointer would mean something else.
        "float a[4]; float* p = a; __syncthreads(); *p = 1;",
        "float a[4]; float* p = &a[1]; __syncthreads(); *p = 1;",
        "float a[4][4]; float* p = a[1]; __syncthreads(); *p = 1;",
        "float x = in[0]; { float x = in[1]; __syncthreads(); out[0] = x; } out[1] = x;",
        "auto x = in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = x;",
        "float a[] = {1, in[0]}; __syncthreads(); out[threadIdx.x] = a[1];",
        "float x(in[0]); __syncthreads(); out[threadIdx.x] = x;",
        // Loops that stride, but not as a block can.
        "for (int i = threadIdx.x; i < n; i += blockDim.x) { if (in[i] > 0) break; }",
        "for (int i = threadIdx.x; i < n; i += blockDim.x) { ++i; }",
        "for (auto i = threadIdx.x; i < n; i += blockDim.x) out[i] = 1;",
        "for (int i = threadIdx.x; i < n; i += blockDim.x * i) out[i] = 1;"})
    EXPECT_FALSE(is_divided(body)) << body;
}

TEST(block_loops, are_not_written_where_tools_look_at_each_lane) {
  const std::string text = kernel_with("out[threadIdx.x] = 1; __syncthreads();");
  rewrite_options checked, profiled, debugged;
  checked.is_checked = profiled.is_profiled = true;
  debugged.debugger_script = "kernels.py";
  for (const rewrite_options& options : {checked, profiled, debugged})
    EXPECT_EQ(rewritten(text, options).find("heddle_block"), std::string::npos);
}

}  // namespace
}  // namespace heddle::frontend
