// Tables of known names, and a search for declarations outside functions.
#include "frontend/rewrite/plain_names.hpp"

#include <array>
#include <string>
#include <unordered_set>

#include "frontend/rewrite/declaration.hpp"
#include "frontend/rewrite/local_uses.hpp"

namespace heddle::frontend {
namespace {

using words = std::unordered_set<std::string_view>;

const words& pure_functions() {
  // Each also stands for its float version, with an `f` appended.
  static const words floating{
      "sqrt",    "rsqrt",  "cbrt",   "rcbrt",     "exp",    "exp2",      "exp10",  "expm1",
      "log",     "log2",   "log10",  "log1p",     "sin",    "cos",       "tan",    "asin",
      "acos",    "atan",   "atan2",  "sinh",      "cosh",   "tanh",      "asinh",  "acosh",
      "atanh",   "sinpi",  "cospi",  "pow",       "hypot",  "rhypot",    "fabs",   "fmod",
      "floor",   "ceil",   "trunc",  "round",     "rint",   "nearbyint", "fma",    "fmin",
      "fmax",    "fdim",   "erf",    "erfc",      "erfinv", "erfcinv",   "erfcx",  "normcdf",
      "tgamma",  "lgamma", "ldexp",  "remainder", "logb",   "ilogb",     "lround", "llround",
      "lrint",   "llrint", "scalbn", "copysign",  "j0",     "j1",        "y0",     "y1",
      "fdivide", "norm3d", "norm4d", "rnorm3d",   "rnorm4d"};
  static const words others{"min",
                            "max",
                            "abs",
                            "labs",
                            "llabs",
                            "umin",
                            "umax",
                            "isnan",
                            "isinf",
                            "isfinite",
                            "signbit",
                            "saturate",
                            "__saturatef",
                            "__expf",
                            "__exp10f",
                            "__logf",
                            "__log2f",
                            "__log10f",
                            "__sinf",
                            "__cosf",
                            "__tanf",
                            "__powf",
                            "__fdividef",
                            "__fsqrt_rn",
                            "__frsqrt_rn",
                            "__frcp_rn",
                            "__fadd_rn",
                            "__fsub_rn",
                            "__fmul_rn",
                            "__fmaf_rn",
                            "__fdiv_rn",
                            "__dadd_rn",
                            "__dsub_rn",
                            "__dmul_rn",
                            "__fma_rn",
                            "__ddiv_rn",
                            "__dsqrt_rn",
                            "__drcp_rn",
                            "__mul24",
                            "__umul24",
                            "__mulhi",
                            "__umulhi",
                            "__mul64hi",
                            "__umul64hi",
                            "__popc",
                            "__popcll",
                            "__clz",
                            "__clzll",
                            "__brev",
                            "__brevll",
                            "__ffs",
                            "__ffsll",
                            "__byte_perm",
                            "__float_as_int",
                            "__float_as_uint",
                            "__int_as_float",
                            "__uint_as_float",
                            "__double_as_longlong",
                            "__longlong_as_double",
                            "__float2int_rn",
                            "__float2int_rz",
                            "__float2int_rd",
                            "__float2int_ru",
                            "__int2float_rn",
                            "__uint2float_rn",
                            "__builtin_inff",
                            "__builtin_inf",
                            "__builtin_huge_valf",
                            "__builtin_huge_val"};
  static const words all = [] {
    static std::array<std::string, 128> kept;
    words made = others;
    std::size_t next = 0;
    for (const std::string_view name : floating) {
      made.insert(name);
      kept[next] = std::string(name) + 'f';
      made.insert(kept[next++]);
    }
    return made;
  }();
  return all;
}

bool is_type_range(const structure& shape, std::size_t from, std::size_t to) {
  if (from >= to) return false;
  for (std::size_t i = from; i < to; ++i)
    if (!shape.is_name(i) || !is_arithmetic_word(shape.at(i).text)) return false;
  return true;
}

// A parameter, an argument or an extent, rather than the name that a declaration declares.
bool is_within_brackets(const structure& shape, std::size_t at) {
  const std::size_t start = statement_around(shape, at);
  if (shape.is(start, "template")) return true;
  for (std::size_t i = at; i-- > start;) {
    const bool closes = shape.is(i, ")") || shape.is(i, "]");
    if (closes && shape.partner(i) != nowhere) i = shape.partner(i);
    if (!closes && (shape.is(i, "(") || shape.is(i, "["))) return true;
  }
  return false;
}

// What the name at `at` means according to the declaration that contains it.
known_variable meaning_at(const structure& shape, std::size_t at) {
  const std::size_t start = statement_around(shape, at);
  if (shape.is(start, "using") && start + 1 == at && shape.is(at + 1, "=")) {
    std::size_t end = at + 2;
    while (end < shape.size() && !shape.is(end, ";")) ++end;
    return is_type_range(shape, at + 2, end) ? known_variable::type : known_variable::none;
  }
  if (shape.is(start, "typedef"))
    return shape.is(at + 1, ";") && is_type_range(shape, start + 1, at) ? known_variable::type
                                                                        : known_variable::none;
  if (shape.is(at + 1, "(")) return known_variable::none;  // a function
  const auto read = read_declaration(shape, start);
  if (!read) return known_variable::none;
  bool is_constant = false;
  bool is_on_device = false;
  for (std::size_t i = start; i < read->specifiers_end; ++i) {
    const token& word = shape.at(i);
    if (word.is("const") || word.is("constexpr")) is_constant = true;
    if (word.is("__heddle_constant__") || word.is("__heddle_device__")) is_on_device = true;
    const bool is_storage = word.is("static") || word.is("extern") || word.is("inline") ||
                            word.is("__heddle_constant__") || word.is("__heddle_device__");
    if (word.is("auto")) return known_variable::none;
    if (!is_storage && !is_arithmetic_word(word.text)) return known_variable::none;
  }
  for (const declarator& one : read->declarators) {
    if (one.name != at) continue;
    for (std::size_t i = one.start; i < one.name; ++i)
      if (!shape.is(i, "*")) return known_variable::none;
    const bool is_scalar = one.start == one.name && !shape.is(one.name + 1, "[");
    if (is_scalar && is_constant && !is_on_device) return known_variable::constant;
    return is_constant || is_on_device ? known_variable::memory : known_variable::none;
  }
  return known_variable::none;
}

}  // namespace

bool is_arithmetic_word(std::string_view word) {
  static const words known{
      "const",     "constexpr", "auto",      "void",     "bool",      "char",    "short",
      "int",       "long",      "signed",    "unsigned", "float",     "double",  "size_t",
      "ptrdiff_t", "int8_t",    "int16_t",   "int32_t",  "int64_t",   "uint8_t", "uint16_t",
      "uint32_t",  "uint64_t",  "intptr_t",  "uint",     "uintptr_t", "ushort",  "uchar",
      "ulong",     "__const",   "__signed__"};
  return known.count(word) != 0;
}

bool is_vector_type(std::string_view word) {
  static const words bases{"char", "uchar", "short", "ushort", "int", "uint", "float", "double"};
  if (word == "dim3") return true;
  return word.size() > 1 && word.back() >= '1' && word.back() <= '4' &&
         bases.count(word.substr(0, word.size() - 1)) != 0;
}

bool makes_vector(std::string_view word) {
  return word.substr(0, 5) == "make_" && is_vector_type(word.substr(5));
}

known_function find_known_function(std::string_view name) {
  static const words loading{"__ldg", "__ldca", "__ldcg", "__ldcs"};
  if (pure_functions().count(name) != 0 || makes_vector(name)) return known_function::pure;
  return loading.count(name) != 0 ? known_function::loads : known_function::none;
}

bool is_atomic_function(std::string_view name) {
  static const words known{"atomicAdd", "atomicSub", "atomicExch", "atomicMin",
                           "atomicMax", "atomicInc", "atomicDec",  "atomicCAS",
                           "atomicAnd", "atomicOr",  "atomicXor"};
  return known.count(name) != 0;
}

bool is_built_in_variable(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

known_variable find_known_variable(const structure& shape, std::string_view name) {
  if (name == "warpSize") return known_variable::constant;
  known_variable found = known_variable::none;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!shape.is_name(i) || !shape.at(i).is(name)) continue;
    const scope_kind around = shape.scope_of(i).kind;
    if (around != scope_kind::file && around != scope_kind::name_space &&
        around != scope_kind::linkage)
      continue;
    if (is_within_brackets(shape, i)) continue;
    const known_variable here = meaning_at(shape, i);
    if (here == known_variable::none || (found != known_variable::none && here != found))
      return known_variable::none;
    found = here;
  }
  return found;
}

}  // namespace heddle::frontend
