// The bounds come from the CUDA C++ Programming Guide (mathematical functions) and the PTX ISA. A
// test checks that the functions of the C library keep theirs.
#include "report/fidelity/operations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace heddle_report {
namespace {

using enum exactness;

constexpr auto facts = std::to_array<operation_fact>({
    // ---- single precision
    {"cbrtf rcbrtf expm1f logf log2f log1pf sinpif cospif sincospif", approximate, "1 ulp"},
    {"rsqrtf rhypotf rnorm3df rnorm4df expf exp2f exp10f log10f sinf cosf sincosf asinf acosf "
     "atanf coshf tanhf erff erfinvf",
     approximate, "2 ulp"},
    {"hypotf norm3df norm4df atan2f sinhf asinhf atanhf", approximate, "3 ulp"},
    {"tanf acoshf powf erfcf erfcinvf erfcxf", approximate, "4 ulp"},
    {"normcdff normcdfinvf tgammaf", approximate, "5 ulp"},
    {"cyl_bessel_i0f cyl_bessel_i1f", approximate, "6 ulp"},
    {"lgammaf", approximate, "6 ulp outside (-10.001, -2.264), more inside"},
    {"j0f j1f y0f y1f", approximate, "9 ulp for |x| < 8, otherwise 2.2e-6"},
    {"jnf", approximate, "2.2e-6 for n = 128"},
    {"ynf", approximate, "ceil(2 + 2.5 n) ulp for |x| < n, otherwise 2.2e-6"},
    {"normf rnormf", approximate, "CUDA states no bound"},

    // ---- double precision
    {"rsqrt cbrt rcbrt rhypot rnorm3d rnorm4d exp exp2 exp10 expm1 log log2 log10 log1p cosh tanh",
     approximate, "1 ulp"},
    {"hypot norm3d norm4d sin cos tan sincos sinpi cospi sincospi asin acos atan atan2 sinh atanh "
     "pow erf",
     approximate, "2 ulp"},
    {"asinh acosh", approximate, "3 ulp"},
    {"erfcx", approximate, "4 ulp"},
    {"erfc erfinv normcdf", approximate, "5 ulp"},
    {"erfcinv cyl_bessel_i0 cyl_bessel_i1", approximate, "6 ulp"},
    {"normcdfinv", approximate, "8 ulp"},
    {"tgamma", approximate, "10 ulp"},
    {"lgamma", approximate, "4 ulp outside (-23.0001, -2.2637), more inside"},
    {"j0 j1 y0 y1", approximate, "7 ulp for |x| < 8, otherwise 5e-12"},
    {"jn", approximate, "5e-12 for n = 128"},
    {"yn", approximate, "5e-12 for |x| > 1.5 n"},
    {"norm rnorm", approximate, "CUDA states no bound"},

    // ---- fast functions
    {"__fdividef", approximate, "2 ulp for |y| in [2^-126, 2^126]"},
    {"__expf", approximate, "2 + floor(|1.173 x|) ulp"},
    {"__exp10f", approximate, "2 + floor(|2.97 x|) ulp"},
    {"__logf", approximate, "2^-21.41 for x in [0.5, 2], otherwise 3 ulp"},
    {"__log2f", approximate, "2^-22 for x in [0.5, 2], otherwise 2 ulp"},
    {"__log10f", approximate, "2^-24 for x in [0.5, 2], otherwise 3 ulp"},
    {"__sinf __sincosf", approximate, "2^-21.41 for x in [-pi, pi], more outside"},
    {"__cosf", approximate, "2^-21.19 for x in [-pi, pi], more outside"},
    {"__tanf", approximate, "that of __sinf(x) * (1 / __cosf(x))"},
    {"__powf", approximate, "that of exp2f(y * __log2f(x))"},
    {"__tanhf", approximate, "2^-11, relative"},

    // ---- half and bfloat16
    {"hsin h2sin hcos h2cos hexp h2exp hexp2 h2exp2 hexp10 h2exp10 hlog h2log hlog2 h2log2 hlog10 "
     "h2log10 hrcp h2rcp hrsqrt h2rsqrt htanh h2tanh",
     approximate, "1 ulp of the 16-bit type"},
    {"htanh_approx h2tanh_approx", approximate, "2^-10.987 (half), 2^-8 (bfloat16)"},

    // ---- PTX
    {"tanh approx f16", approximate, "2^-10.987", true},
    {"tanh approx f16x2", approximate, "2^-10.987", true},
    {"tanh approx bf16", approximate, "2^-8, relative", true},
    {"tanh approx bf16x2", approximate, "2^-8, relative", true},
    {"tanh approx", approximate, "2^-11, relative", true},
    {"ex2 approx f16", approximate, "2^-9.9, relative", true},
    {"ex2 approx f16x2", approximate, "2^-9.9, relative", true},
    {"ex2 approx bf16", approximate, "2^-7, relative", true},
    {"ex2 approx bf16x2", approximate, "2^-7, relative", true},
    {"ex2 approx", approximate, "2 ulp", true},
    {"lg2 approx", approximate, "2^-22, relative outside [0.5, 2]", true},
    {"sin approx", approximate, "2^-20.5 for x in [-2 pi, 2 pi], more outside", true},
    {"cos approx", approximate, "2^-20.5 for x in [-2 pi, 2 pi], more outside", true},
    {"rcp approx f64", approximate, "20 bits of the mantissa", true},
    {"rsqrt approx f64", approximate, "20 bits of the mantissa", true},
    {"rcp approx", approximate, "1 ulp", true},
    {"sqrt approx", approximate, "2^-23, relative", true},
    {"rsqrt approx", approximate, "2^-22.9, relative", true},
    {"div approx", approximate, "2 ulp for |b| in [2^-126, 2^126]", true},
    {"div full", approximate, "2 ulp", true},

    // ---- textures
    {"tex1D tex1DLod tex1DLayered tex1DLayeredLod tex2D tex2DLod tex2DLayered tex2DLayeredLod "
     "tex2Dgather tex3D tex3DLod texCubemap texCubemapLod texCubemapLayered texCubemapLayeredLod",
     differs,
     "exact without filtering and for float textures; a GPU may filter 8- and 16-bit integer "
     "textures with fewer bits"},
    {"tex1DGrad tex1DLayeredGrad tex2DGrad tex2DLayeredGrad tex3DGrad", differs,
     "a GPU may pick another mipmap level"},

    // ---- copies and barriers
    {"memcpy_async memcpy_async_tx __pipeline_memcpy_async", differs,
     "the copy happens when it is issued, so a missing wait does no harm"},
    {"cp async", differs, "the copy happens when it is issued, so a missing wait does no harm",
     true},
    {"cp reduce async", differs,
     "the copy happens when it is issued, so a missing wait does no harm", true},
    {"st async", differs, "the store happens when it is issued, so a missing wait does no harm",
     true},
    {"red async", differs, "the update happens when it is issued, so a missing wait does no harm",
     true},
    {"barrier_arrive", differs, "does nothing; barrier_wait is the whole barrier"},

    // ---- what CUDA leaves open
    {"__activemask coalesced_threads", differs,
     "CUDA does not define which lanes are converged; a GPU may return other lanes"},
    {"activemask", differs,
     "CUDA does not define which lanes are converged; a GPU may return other lanes", true},
    {"clock clock64", differs, "counts the CPU's time"},
    {"__isGlobal __isConstant", differs, "`__constant__` memory counts as global"},
    {"isspacep local", differs, "always false: no memory is private to a lane", true},

    // ---- random numbers
    {"curand_normal curand_normal2 curand_normal4 curand_normal_double curand_normal2_double "
     "curand_normal4_double curand_log_normal curand_log_normal2 curand_log_normal4 "
     "curand_log_normal_double curand_log_normal2_double curand_log_normal4_double "
     "curandGenerateNormal curandGenerateNormalDouble curandGenerateLogNormal "
     "curandGenerateLogNormalDouble",
     approximate, "the error of the GPU's fast sine, cosine and logarithm"},
    {"curand_poisson curand_poisson4", differs,
     "for lambda from 64 to 4000 only the distribution is the same; otherwise nearly all numbers "
     "are the same"},
    {"curand_discrete curand_discrete4 curandGeneratePoisson", differs,
     "only the distribution is the same"},
    {"curandSetGeneratorOrdering", differs, "the orders SEEDED and DYNAMIC count as the default"},

    // ---- the device
    {"cudaGetDeviceProperties cudaDeviceGetAttribute cudaMemGetInfo cudaFuncGetAttributes "
     "cudaOccupancyMaxActiveBlocksPerMultiprocessor "
     "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaOccupancyMaxPotentialBlockSize "
     "cudaOccupancyMaxPotentialBlockSizeVariableSMem",
     differs, "describes this CPU, so a program may choose another grid"},
    {"cudaEventElapsedTime", differs, "measures the CPU"},
    {"cudaDeviceReset", differs, "does not reset `__device__` variables"},
});

bool has_word(std::string_view words, std::string_view word, char separator) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(separator), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

// The first word must be the opcode's first; the others may be anywhere in it.
bool selects(std::string_view wanted, std::string_view opcode) {
  const std::string_view first = wanted.substr(0, wanted.find(' '));
  if (opcode.substr(0, opcode.find('.')) != first) return false;
  while (!wanted.empty()) {
    const std::size_t end = std::min(wanted.find(' '), wanted.size());
    if (!has_word(opcode, wanted.substr(0, end), '.')) return false;
    wanted.remove_prefix(std::min(end + 1, wanted.size()));
  }
  return true;
}

std::string names_in_table(const operation_fact& one) {
  std::string text(one.names);
  const std::string between = one.is_ptx ? "." : "` `";
  for (std::size_t at = 0; (at = text.find(' ', at)) != text.npos; at += between.size()) {
    text.replace(at, 1, between);
  }
  return (one.is_ptx ? "PTX `" : "`") + text + '`';
}

}  // namespace

const operation_fact fact_of_fused_products{
    "a * b + c", differs,
    "nvcc rounds once where it fuses the product and the sum (-fmad=false: never)"};

std::span<const operation_fact> operation_facts() { return facts; }

const operation_fact* fact_of_function(std::string_view name) {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const operation_fact& one) {
    return !one.is_ptx && has_word(one.names, name, ' ');
  });
  return found == facts.end() ? nullptr : &*found;
}

const operation_fact* fact_of_ptx(std::string_view opcode) {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const operation_fact& one) {
    return one.is_ptx && selects(one.names, opcode);
  });
  return found == facts.end() ? nullptr : &*found;
}

std::string table_of_operations() {
  std::string text =
      "| operation | CUDA's bound on the error of a GPU's result, or the difference |\n"
      "|---|---|\n";
  const auto add = [&text](const operation_fact& one) {
    std::string how(one.how);
    for (std::size_t at = 0; (at = how.find('|', at)) != how.npos; at += 2) how.insert(at, 1, '\\');
    text += fmt::format("| {} | {} |\n", names_in_table(one), how);
  };
  for (const operation_fact& one : facts) add(one);
  add(fact_of_fused_products);
  return text;
}

}  // namespace heddle_report
