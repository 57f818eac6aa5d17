// Kernels whose lanes need no other lane: how they are found, and how their bodies are rewritten.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

enum class lanes { any, alone, together, divided };

// How the lanes of the only kernel in the text run: as fibers, one after another in a loop, many at
// once, or in several loops between barriers.
lanes lanes_of(const std::string& text, const rewrite_options& options = {}) {
  const std::string made = tokens_of(rewrite("# 1 \"user.cu\"\n" + text, options).text);
  const auto has = [&](const char* words) { return made.find(words) != std::string::npos; };
  if (has("::heddle_host::lanes_between_barriers<")) return lanes::divided;
  if (has("::heddle_host::independent_lanes<::heddle_host::row_mode::test_e"))
    return lanes::together;
  return has("::heddle_host::independent_lanes<::heddle_host::row_mode::one_by_one,") ? lanes::alone
                                                                                      : lanes::any;
}

lanes lanes_of_body(const std::string& body, const std::string& before = "") {
  return lanes_of(before +
                  "__heddle_global__ void k(float* out, const float* in, const int* at, int n) { "
                  "const int i = blockIdx.x * blockDim.x + threadIdx.x; " +
                  body + " }");
}

std::ostream& operator<<(std::ostream& out, lanes how) {
  constexpr const char* names[] = {"any", "alone", "together", "divided"};
  return out << names[static_cast<int>(how)];
}

TEST(independent_lanes, run_together_if_what_they_load_decides_nothing) {
  for (const char* body :
       {"if (i < n) out[i] = in[i] + 1;", "if (i >= n) return; out[i] = in[i] * in[i + 1];",
        "if (i >= n) { return; } out[i] = 2.0f;", "out[i] += in[i];",
        "float x = in[i]; out[i] = x > 0 ? x : 0;", "out[i] = x_of(in[i]);",
        "if (i < n) out[i] = sqrtf(in[i]) / 2;", "const float* row = in + i * n; out[i] = row[3];",
        "if (i > 0) out[i] = in[i - 1]; else out[i] = 0;", "out[i] = fmaxf(in[i], 0.f);",
        "out[i] = __ldg(in + i);", "float4 v = make_float4(1, 2, 3, 4); v.x = in[i]; out[i] = v.x;",
        "out[i] = (float)*(in + i);", "if (i < n && i > 0) out[i] = in[i];",
        "auto x = in[i]; out[i] = 1 + static_cast<float>(x);"})
    EXPECT_EQ(lanes_of_body(body, "__heddle_device__ float x_of(float v) { return v * 2; } "),
              lanes::together)
        << body;
}

TEST(independent_lanes, run_one_by_one_if_a_repeated_lane_might_not_fault_again) {
  for (const char* body : {"out[at[i]] = 1;",
                           "if (in[i] > 0) out[i] = 1;",
                           "int j = at[i]; out[j] = 1;",
                           "int j = i; j += at[i]; out[j] = 1;",
                           "int j = i; j >>= at[i]; out[j] = 1;",
                           "out[i] = in[i] > 0 ? in[i + n] : 0;",
                           "out[i] = n / at[i];",
                           "out[i] = at[i] % n;",
                           "const float* p = in + at[i]; out[i] = *p;",
                           "out[i] = *(in + at[i]);",
                           "out[i] = __ldg(in + at[i]);",
                           "int j = 0; if (at[i]) j = 1; out[j] = 1;",
                           "for (int k = 0; k < n; ++k) out[i] += in[k];",
                           "int k = n; while (k > 0) --k; out[i] = k;",
                           "int k = 0; do ++k; while (k < n); out[i] = k;",
                           "int j = i; j = at[j]; out[j] = 2;",
                           "out[i] = f(in);",
                           "out[at[i]]++;",
                           "atomicAdd(out, 1.f);",
                           "atomicMax(&out[at[i]], 2);",
                           "if (in[i] > 0) atomicAdd(out + 1, in[i]);",
                           "float4 v; v.x = in[i]; out[(int)v.x] = 1;"})
    EXPECT_EQ(lanes_of_body(body, "__heddle_device__ float f(const float* p) { return p[3]; } "),
              lanes::alone)
        << body;
}

TEST(independent_lanes, are_not_found_in_code_that_may_wait_or_that_is_not_understood) {
  for (const char* body :
       {// Lanes wait for each other, or use what others have written.
        "out[i] = __shfl_xor_sync(~0u, in[i], 1);", "out[i] = atomicAdd(out, 1.f);",
        "while (atomicAdd(out, 1.f) < 3) ;", "__syncwarp();", "if (i) __syncthreads();",
        "if (in[i] < n) { __syncthreads(); }", "if (__syncthreads_or(i)) out[i] = 1;",
        "__threadfence();", "__nanosleep(4);", "((volatile float*)out)[i] = 1;",
        "asm(\"bar.sync 0;\");", "printf(\"%d\", i);",
        // Loops that depend on memory could wait.
        "while (at[0] == 0) ;", "while (true) if (at[0]) break;", "for (; at[0] == 0;) ;",
        "do ; while (at[0]);", "for (int k = 0; k < at[i]; ++k) out[k] = 1;",
        "for (int k = 0; k < n; ++k) if (at[k]) return;",
        "int go = 1; while (go) { if (at[0]) go = 0; }",
        "int k = 0; while (k < n) { if (at[0] == 0) continue; ++k; }",
        "int k = 0; while (k < n) k += at[0];", "int k = 9; while (k) k >>= at[0];",
        "int k = 0; int* p = &k; while (k == 0) *p = at[0];",
        "int k = 0; int& r = k; while (k == 0) r = at[0];",
        "for (const int& x : {1, 2}) out[x] = 1;",
        // Code that is not plain.
        "auto f = [&] { out[i] = 1; }; f();", "again: out[i] = 1; if (i) goto again;",
        "static int x; x = 1;", "switch (n) { case 1: out[i] = 1; }", "unknown(i);", "other = 1;",
        "out[i] = thing.value();", "cuda::atomic_ref<float> a(out[i]); a += 1;",
        "lock_type l(out);", "out->x(1);", "const auto all = threadIdx; out[all.x] = 1;",
        "use(&threadIdx);", "out[i] = sizeof(other);", "out[i] = 3_km;",
        "try { out[i] = 1; } catch (...) {}", "threadIdx.x = 3;", "k(out, in, at, n);"})
    EXPECT_EQ(lanes_of_body(body), lanes::any) << body;
}

TEST(independent_lanes, may_call_plain_functions_of_the_program) {
  const std::string d = "__heddle_device__ ";
  const auto with = [&](const std::string& functions) {
    return lanes_of_body("out[i] = f(in[i]);", functions);
  };
  EXPECT_EQ(with(d + "float f(float x) { return x > 0 ? x : -x; }"), lanes::together);
  EXPECT_EQ(with(d + "float f(float x) { if (x > 0) return x; return -x; }"), lanes::together);
  EXPECT_EQ(with("template <typename T> " + d + "T f(T x) { return x; }"), lanes::together);
  EXPECT_EQ(with("static inline " + d + "__heddle_host__ float g(float x) { return x; } " + d +
                 "float f(float x) { return g(x); }"),
            lanes::together);
  EXPECT_EQ(with(d + "float f(float x) { return 1 / x; }"), lanes::alone);
  EXPECT_EQ(with(d + "float f(float x) { for (int k = 0; k < 3; ++k) x += k; return x; }"),
            lanes::alone);
  EXPECT_EQ(with(d + "float f(float x) { while (x > 0) x -= 1; return x; }"), lanes::any);
  EXPECT_EQ(with(d + "float f(float x) { return f(x - 1); }"), lanes::any);
  EXPECT_EQ(with(d + "float f(float x) { return x + threadIdx.x; }"), lanes::any);
  EXPECT_EQ(with(d + "float f(float x) { __syncthreads(); return x; }"), lanes::any);
  EXPECT_EQ(with(d + "float f(float x);"), lanes::any);
  EXPECT_EQ(with("float f(float x) { return x; }"), lanes::any);  // a host function
  EXPECT_EQ(with(d + "float f(float x) { return x; } " + d + "float f(thing x) { return 0; }"),
            lanes::any);
  // The program's function hides CUDA's.
  EXPECT_EQ(lanes_of_body("out[i] = sqrtf(in[i]);",
                          d + "float sqrtf(float x) { __syncthreads(); return x; }"),
            lanes::any);
}

TEST(independent_lanes, may_call_functions_that_change_their_arguments) {
  const std::string functions =
      "__heddle_device__ float f(const float& x) { return x; } "
      "__heddle_device__ void g(float& a, const float* const& p, float& __restrict__ b, int c) "
      "{ a = b + p[c]; } ";
  for (const char* body :
       {"g(out[i], in, out[i + 1], 1);", "float a = 1, b = 2; g(a, in, b, i); out[i] = a;",
        "float3 v; g(v.x, in, v.y, i); out[i] = v.x;", "g(*out, in, *(out + i), n);"})
    EXPECT_EQ(lanes_of_body(body, functions), lanes::alone) << body;
  EXPECT_EQ(lanes_of_body("out[i] = f(in[i]);", functions), lanes::together);
  for (const char* body :
       {// What a function stores may come from memory, and so decide when a loop ends.
        "float a = 1, b = 2; g(a, in, b, i); while (a < n) a += 1;",
        "float a = 1, b = 2; while (b < n) g(a, in, b, i);",
        // Arguments that could be one variable or another, or that are not read.
        "float a = 1, b = 2; g(n > 3 ? a : b, in, b, i);", "float a = 1; g((a), in, *out, i);",
        "float a = 1; g((float&)a, in, *out, i);"})
    EXPECT_EQ(lanes_of_body(body, functions), lanes::any) << body;
  EXPECT_EQ(lanes_of("__heddle_global__ void k(int& p) { p = 1; }"), lanes::any);
  EXPECT_EQ(lanes_of_body("f(in[i]);", "__heddle_device__ void f(float&& x) { x = 1; } "),
            lanes::any);
  // Such a variable differs between lanes, so it cannot decide about a barrier.
  const std::string sets = "__heddle_device__ void f(int& x) { x = 1; } ";
  EXPECT_EQ(lanes_of_body("int a = 1; f(a); __syncthreads(); out[i] = a;", sets), lanes::divided);
  EXPECT_EQ(lanes_of_body("int a = 1; f(a); if (a) __syncthreads();", sets), lanes::any);
}

TEST(independent_lanes, may_assign_through_parentheses) {
  for (const char* body : {"(out[i]) = 1;", "(*out) += 1;", "*(out + i) = 1;"})
    EXPECT_NE(lanes_of_body(body), lanes::any) << body;
  for (const char* body : {"int a = 1; (a) = in[0]; while (a) ;", "(n) += 1;"})
    EXPECT_EQ(lanes_of_body(body), lanes::any) << body;
}

TEST(independent_lanes, may_use_plain_names_from_outside) {
  EXPECT_EQ(lanes_of_body("out[i] = c;", "constexpr int c = 3; "), lanes::together);
  EXPECT_EQ(lanes_of_body("out[i] = c[2];", "__heddle_constant__ float c[9]; "), lanes::together);
  EXPECT_EQ(lanes_of_body("out[i] = real(3); real x = 1;", "using real = float; "),
            lanes::together);
  EXPECT_EQ(lanes_of_body("real x = 1; out[i] = x;", "typedef double real; "), lanes::together);
  // Other declarations may use the name.
  EXPECT_EQ(lanes_of_body("const real x = c; real* p = out; p[i] = x; if (p == __null) return;",
                          "typedef float real; real* f(const real*, real); const int c = 3; "
                          "const int d = c + c; struct s { real r; }; "),
            lanes::together);
  EXPECT_EQ(lanes_of("typedef float real; __heddle_global__ void k(const real* a, real* b) "
                     "{ b[threadIdx.x] = a[threadIdx.x]; }"),
            lanes::together);
  EXPECT_EQ(lanes_of_body("pixel v; v.x = 1; out[i] = v.x;", "using pixel = float4; "),
            lanes::together);
  EXPECT_EQ(lanes_of_body("pixel v; v = v + v; out[i] = v.x;",
                          "using pixel = float4; __heddle_device__ float4 operator+(float4 a, "
                          "float4 b) { return a; } "),
            lanes::any);
  EXPECT_EQ(lanes_of_body("real x = 1; out[i] = x;",
                          "using real = float; namespace other { struct real { }; } "),
            lanes::any);
  EXPECT_EQ(lanes_of_body("while (c == 0) ;", "__heddle_device__ int c; "), lanes::any);
  EXPECT_EQ(lanes_of_body("while (c == 0) ;", "__heddle_device__ volatile int c; "), lanes::any);
  EXPECT_EQ(lanes_of_body("++c;", "__heddle_device__ counter c; "), lanes::any);
  EXPECT_EQ(lanes_of_body("real x; ++x;", "using real = cuda::atomic<int>; "), lanes::any);
}

TEST(independent_lanes, may_use_structures_of_plain_members) {
  const std::string types =
      "typedef float real; struct point { real x, y; }; "
      "typedef struct { const float* data; point corner; int rows, columns; } table; "
      "__heddle_constant__ point c[4]; ";
  const auto with = [&](const std::string& body, const std::string& more = "") {
    return lanes_of(types + more +
                    "__heddle_global__ void k(table t, point* p, const point* q) { "
                    "const int i = threadIdx.x; " +
                    body + " }");
  };
  EXPECT_EQ(with("if (i < t.rows) p[i].x = t.data[i] + t.corner.y;"), lanes::together);
  EXPECT_EQ(with("point v = q[i]; v.y += c[2].x; p[i] = v; p->x = 1;"), lanes::together);
  EXPECT_EQ(with("p[i] = point{1, 2}; while (i < t.rows) t.rows -= 1;"), lanes::alone);
  EXPECT_EQ(with("__syncthreads(); p[i] = q[t.rows];"), lanes::divided);
  // The compiler cannot know that it may copy them, so they are not in its list.
  EXPECT_NE(rewritten(types + "__heddle_global__ void k(table t, float* f) { *f = t.rows; }")
                .find("row_mode::test_ends,false,decltype(f)>"),
            std::string::npos);
  // What is loaded decides about an address or a loop.
  EXPECT_EQ(with("table v = t; table* w = &*&v;"), lanes::any);
  EXPECT_EQ(with("p[i].x = t.data[(int)q->x];"), lanes::alone);
  EXPECT_EQ(with("while (q->x > 0) ;"), lanes::any);
  EXPECT_EQ(with("table v = w[0]; p[i].x = v.data[i];", "__heddle_device__ table w[2]; "),
            lanes::alone);
  EXPECT_EQ(with("while (i < n) ++p->x;", "__heddle_device__ point n; "), lanes::any);
  // Operators of the program, and members that may run its code.
  EXPECT_EQ(
      with("p[i] = q[i];", "__heddle_device__ point operator+(point a, point b) { return a; } "),
      lanes::any);
  for (const char* type :
       {"struct other { int a[2]; };", "struct other { int a; other(int); };",
        "struct other { volatile int a; };", "struct other { thing a; };",
        "struct other { const int a; };", "struct other { int a = 3; };",
        "struct other { int& a; };", "struct other : point { int a; };", "class other { int a; };",
        "struct other { other* next; };", "struct other { };", "struct other;",
        "typedef struct { int a; int f() { return 1; } } other;",
        "struct other { int a; }; namespace n { struct other { int f(); }; }"})
    EXPECT_EQ(lanes_of(std::string(type) +
                       "__heddle_global__ void k(other* p) { p[threadIdx.x] = p[0]; }"),
              lanes::any)
        << type;
}

TEST(independent_lanes, do_not_use_operators_of_the_program) {
  const std::string own = "__heddle_device__ float3 operator+(float3 a, float3 b) { return a; } ";
  const std::string sum = "float3 v = make_float3(1, 2, 3); v = v + v; out[i] = v.x;";
  EXPECT_EQ(lanes_of_body(sum), lanes::together);
  EXPECT_EQ(lanes_of_body(sum, own), lanes::any);
  // The compiler refuses the loop if a parameter is not arithmetic.
  EXPECT_NE(rewritten(own + "__heddle_global__ void k(float3* p) { p[0] = p[1]; }")
                .find("independent_lanes<::heddle_host::row_mode::test_ends,true,decltype(p)>"),
            std::string::npos);
}

TEST(independent_lanes, are_not_found_where_tools_look_at_each_lane) {
  const std::string text = "__heddle_global__ void k(int* p) { p[threadIdx.x] = 1; }";
  rewrite_options checked, profiled, debugged, separate;
  checked.is_checked = profiled.is_profiled = separate.is_relocatable = true;
  debugged.debugger_script = "kernels.py";
  EXPECT_EQ(lanes_of(text), lanes::together);
  EXPECT_EQ(lanes_of(text, checked), lanes::any);
  EXPECT_EQ(lanes_of(text, profiled), lanes::any);
  EXPECT_EQ(lanes_of(text, debugged), lanes::any);
  EXPECT_EQ(lanes_of(text, separate), lanes::together);
  const std::string calls =
      "__heddle_device__ int f(int x) { return x; } "
      "__heddle_global__ void k(int* p) { p[threadIdx.x] = f(1); }";
  EXPECT_EQ(lanes_of(calls), lanes::together);
  EXPECT_EQ(lanes_of(calls, separate), lanes::any);  // another file may define an overload
}

TEST(independent_lanes, have_plain_parameters) {
  EXPECT_EQ(lanes_of("template <typename T, int n> __heddle_global__ void k(T* p, const T x) "
                     "{ p[threadIdx.x] = x * n; }"),
            lanes::together);
  for (const char* head :
       {"template <typename... T> __heddle_global__ void k(T... p)",
        "template <template <class> class C> __heddle_global__ void k(int* p)",
        "__heddle_global__ void k(things p)", "__heddle_global__ void k(view<int> p)",
        "struct s { __heddle_global__ static void k(int* p)"})
    EXPECT_EQ(lanes_of(std::string(head) + " { }"), lanes::any) << head;
  EXPECT_NE(
      rewritten("template <typename T> __heddle_global__ void k(T* p, int) { p[0] = 1; }")
          .find("independent_lanes<::heddle_host::row_mode::test_ends,false,decltype(p),T>{}"),
      std::string::npos);
}

std::string body_of(const std::string& text) {
  const std::string made = rewritten("__heddle_global__ void k(int* p, int n) {" + text + "}");
  const std::size_t from = made.find("->void{") + 7;
  return made.substr(from, made.find("::heddle_host::lane_comes_to_end") - from);
}

TEST(independent_lanes, get_their_built_in_variables_from_the_loop) {
  EXPECT_EQ(body_of("p[threadIdx.x] = gridDim.y;"),
            tokens_of("if (heddle_lane.is_trying()) return; "
                      "p[heddle_lane.threadIdx.x] = heddle_lane.gridDim.y;"));
}

TEST(independent_lanes, mark_tests_and_indices_before_the_work) {
  EXPECT_EQ(body_of("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 1;"),
            tokens_of("int i = heddle_lane.index<int>(0, heddle_lane.blockIdx.x * "
                      "heddle_lane.blockDim.x + heddle_lane.threadIdx.x); "
                      "if (heddle_lane.enters(i < n)) p[i] = 1;"));
  EXPECT_EQ(body_of("const size_t x = (size_t)(threadIdx.x), y = x + n; "
                    "if (x >= n) return; if (y < 3) { return; } p[y] = 1;"),
            tokens_of("const size_t x = heddle_lane.index<size_t>(0, "
                      "(size_t)(heddle_lane.threadIdx.x)), "
                      "y = heddle_lane.index<size_t>(1, x + n); "
                      "if (heddle_lane.leaves(x >= n)) return ::heddle_host::lane_returns(); "
                      "if (heddle_lane.leaves(y < 3)) { return ::heddle_host::lane_returns(); } "
                      "if (heddle_lane.is_trying()) return; p[y] = 1;"));
}

TEST(independent_lanes, do_not_mark_what_does_not_grow_by_one) {
  for (const char* text :
       {"int i = 2 * threadIdx.x;", "int i = threadIdx.x * 2;", "int i = n - threadIdx.x;",
        "int i = threadIdx.x / 2;", "int i = threadIdx.y;", "char i = threadIdx.x;",
        "int i = threadIdx.x + threadIdx.x;", "auto i = threadIdx.x;", "int i = n << threadIdx.x;",
        "bool i = threadIdx.x;", "float i = threadIdx.x;", "int j = threadIdx.x % 4, i = j;"})
    EXPECT_EQ(body_of(std::string(text) + " p[i] = 1;").find("index<"), std::string::npos) << text;
  EXPECT_EQ(body_of("int i = threadIdx.x; i *= 2; int j = i + 1; p[j] = 1;").find("(1,"),
            std::string::npos);
}

TEST(independent_lanes, test_only_the_ends_of_a_row_if_that_suffices) {
  const auto tests_ends = [](const std::string& body) {
    return rewritten("__heddle_global__ void k(int* p, int n, int m) {" + body + "}")
               .find("row_mode::test_ends") != std::string::npos;
  };
  for (const char* body :
       {"int i = threadIdx.x; if (i < n) p[i] = 1;", "p[threadIdx.x] = 1;",
        "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; p[i] = 1;",
        "int i = threadIdx.x, j = i + 1; if (j < n && i >= m && n > 3) p[i] = 1;",
        "int i = threadIdx.x, y = threadIdx.y + m; if (i < 1 || n - 1 <= i || (y >= m)) return; "
        "p[i] = 1;",
        "int last = n - 1; unsigned i = threadIdx.x; if (i < last) p[i] = 1;"})
    EXPECT_TRUE(tests_ends(body)) << body;
  for (const char* body :
       {"int i = threadIdx.x; if (i != n) p[i] = 1;", "int i = threadIdx.x; if (i % 2) p[i] = 1;",
        "int i = threadIdx.x; if (i < n || i > m) p[i] = 1;",
        "int i = threadIdx.x; if (i < n && i > m) return; p[i] = 1;",
        "int i = 2 * threadIdx.x; if (i < n) p[i] = 1;",
        "int i = threadIdx.x + (threadIdx.x & 1); if (i < n) p[i] = 1;",
        "int i = threadIdx.x, j = threadIdx.x & 3; if (i < j) p[i] = 1;",
        "int i = threadIdx.x; if (i < n) return; ++n; p[i] = n;"})
    EXPECT_FALSE(tests_ends(body)) << body;
}

TEST(independent_lanes, do_not_run_work_twice) {
  // Only code that uses no memory and cannot fault is tried before the lanes run.
  for (const char* text : {"int x = p[0];", "int x = *p;", "int x = n / threadIdx.x;", "p[0] = 1;",
                           "if (p[0]) return;", "if (n % threadIdx.x) return;", "n += 1;"})
    EXPECT_EQ(body_of(std::string(text) + " if (n) return; p[1] = 1;").find("leaves"),
              std::string::npos)
        << text;
  for (const char* text :
       {"if (n) p[0] = 1; else p[1] = 1;", "if (n) p[0] = 1; p[1] = 1;",
        "if (n) { p[0] = 1; } p[1] = 1;", "if (n) if (p) p[0] = 1; else p[1] = 1;",
        "if (n) for (;false;) { } p[1] = 1;", "if (p[0]) p[1] = 1;"})
    EXPECT_EQ(body_of(text).find("enters"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::frontend
