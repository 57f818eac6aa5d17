// Tables of known names, and a search for declarations outside functions.
#include "frontend/rewrite/plain_names.hpp"

#include <array>
#include <optional>
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

// What a name means that is declared as a type of these words.
known_variable meaning_of_type(const structure& shape, std::size_t from, std::size_t to) {
  if (from >= to) return known_variable::none;
  known_variable made = known_variable::type;
  for (std::size_t i = from; i < to; ++i) {
    if (!shape.is_name(i)) return known_variable::none;
    if (is_vector_type(shape.at(i).text))
      made = known_variable::vector;
    else if (!is_arithmetic_word(shape.at(i).text))
      return known_variable::none;
  }
  return made;
}

// Whether a name outside functions is used rather than declared: `real` in `real* all;`.
bool is_only_used(const structure& shape, std::size_t at) {
  for (const std::string_view word : {"struct", "class", "union", "enum", "namespace"})
    if (shape.is(at - 1, word)) return false;
  const bool precedes_name = shape.is_name(at + 1) && shape.at(at + 1).text.substr(0, 2) != "__";
  return precedes_name || shape.is(at + 1, "*") || shape.is(at + 1, "&") || shape.is(at + 1, ">");
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

constexpr int most_depth = 3;

bool is_plain_word(const structure& shape, std::size_t at, int depth) {
  if (!shape.is_name(at)) return false;
  const std::string_view word = shape.at(at).text;
  if (is_arithmetic_word(word) || is_vector_type(word)) return true;
  if (depth == most_depth) return false;
  const known_variable found = find_known_variable(shape, word, depth + 1);
  return found == known_variable::type || found == known_variable::vector ||
         found == known_variable::structure;
}

// Whether a structure has only members like `const float* a;` and `int b, c;`: each can be copied,
// and none runs code of the program.
bool has_plain_members(const structure& shape, std::size_t open, int depth) {
  const std::size_t close = shape.partner(open);
  if (close == nowhere || open + 1 == close) return false;
  for (std::size_t at = open + 1; at < close; ++at) {
    bool is_constant = false;
    const std::size_t type = at;
    for (; shape.is_name(at + 1) || shape.is(at + 1, "*"); ++at) {
      if (!is_plain_word(shape, at, depth)) return false;
      is_constant |= shape.is(at, "const");
      if (shape.is(at + 1, "*")) {
        ++at;
        break;
      }
    }
    if (at == type) return false;
    for (;; ++at) {
      const std::size_t stars = at;
      while (shape.is(at, "*")) ++at;
      if (!shape.is_name(at) || (is_constant && at == stars)) return false;
      if (!shape.is(++at, ",")) break;
    }
    if (!shape.is(at, ";")) return false;
  }
  return true;
}

// The `{` of the structure that a name stands for, if the name is declared at `at`.
std::size_t structure_declared_at(const structure& shape, std::size_t at) {
  if (shape.is(at - 1, "struct") && shape.is(at + 1, "{")) return at + 1;
  if (!shape.is(at - 1, "}") || !shape.is(at + 1, ";")) return nowhere;
  const std::size_t open = shape.partner(at - 1);
  if (open == nowhere) return nowhere;
  const std::size_t word = shape.is(open - 1, "struct") ? open - 1 : open - 2;
  return shape.is(word, "struct") && shape.is(word - 1, "typedef") ? open : nowhere;
}

// What the name at `at` means according to the declaration that contains it; nullopt if that only
// uses the name.
std::optional<known_variable> meaning_at(const structure& shape, std::size_t at, int depth) {
  if (const std::size_t open = structure_declared_at(shape, at); open != nowhere)
    return has_plain_members(shape, open, depth) ? known_variable::structure : known_variable::none;
  if (shape.is(at - 1, "struct") && (shape.is(at + 1, ";") || shape.is_name(at + 1)))
    return std::nullopt;
  if (is_only_used(shape, at)) return std::nullopt;
  const std::size_t start = statement_around(shape, at);
  if (shape.is(start, "using") && start + 1 == at && shape.is(at + 1, "=")) {
    std::size_t end = at + 2;
    while (end < shape.size() && !shape.is(end, ";")) ++end;
    return meaning_of_type(shape, at + 2, end);
  }
  if (shape.is(start, "typedef"))
    return shape.is(at + 1, ";") ? meaning_of_type(shape, start + 1, at) : known_variable::none;
  if (shape.is(at + 1, "(")) return known_variable::none;  // a function
  const auto read = read_declaration(shape, start);
  if (!read) return known_variable::none;
  for (const declarator& one : read->declarators)
    if (one.has_initializer && one.shape_end < at && at < one.end) return std::nullopt;
  bool is_constant = false;
  bool is_on_device = false;
  bool has_objects = false;
  for (std::size_t i = start; i < read->specifiers_end; ++i) {
    const token& word = shape.at(i);
    if (word.is("const") || word.is("constexpr")) is_constant = true;
    if (word.is("__heddle_constant__") || word.is("__heddle_device__")) is_on_device = true;
    const bool is_storage = word.is("static") || word.is("extern") || word.is("inline") ||
                            word.is("__heddle_constant__") || word.is("__heddle_device__");
    if (word.is("auto")) return known_variable::none;
    if (is_storage || is_arithmetic_word(word.text)) continue;
    if (!is_plain_word(shape, i, depth)) return known_variable::none;
    has_objects = true;
  }
  for (const declarator& one : read->declarators) {
    if (one.name != at) continue;
    for (std::size_t i = one.start; i < one.name; ++i)
      if (!shape.is(i, "*")) return known_variable::none;
    const bool is_scalar = one.start == one.name && !shape.is(one.name + 1, "[");
    if (has_objects && (!is_on_device || is_constant)) return known_variable::none;
    if (has_objects) return known_variable::objects;
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
  static const words bases{"char", "uchar", "short", "ushort",   "int",       "uint",
                           "long", "ulong", "float", "longlong", "ulonglong", "double"};
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

known_variable find_known_variable(const structure& shape, std::string_view name, int depth) {
  if (name == "warpSize") return known_variable::constant;
  known_variable found = known_variable::none;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!shape.is_name(i) || !shape.at(i).is(name)) continue;
    const scope_kind around = shape.scope_of(i).kind;
    if (around != scope_kind::file && around != scope_kind::name_space &&
        around != scope_kind::linkage)
      continue;
    if (is_within_brackets(shape, i)) continue;
    const std::optional<known_variable> here = meaning_at(shape, i, depth);
    if (!here) continue;
    if (*here == known_variable::none || (found != known_variable::none && *here != found))
      return known_variable::none;
    found = *here;
  }
  return found;
}

}  // namespace heddle::frontend
