// The table of PTX instructions that become one call of a function in heddle_host::ptx.
#include "frontend/ptx/rules.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace heddle::frontend::ptx {
namespace {

// `mul.hi.s32 d, a, b` becomes `put(d, mul_hi<s32>(take<s32>(a), take<s32>(b)))`.
struct rule {
  std::string_view opcode;     // the words that select this rule
  std::string_view types;      // allowed in each place, separated by `/`
  std::string_view modifiers;  // words that may follow; they become the last template argument
  // `0`, `1`: a value of the first or second type; `w`: twice as wide as the first; `u32`, `pred`:
  // of that type; `[]`: an address; `cc`: the carry flag, which is read, set (`=cc`) or both
  // (`+cc`). `=` marks the result, `?` what may be missing.
  std::string_view operands;
  std::string_view function;
};

constexpr std::string_view rounding = "rn rz rm rp ftz sat relu";
constexpr std::string_view comparisons =
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz";

constexpr rule rules[] = {
    // ---- integers and floating-point numbers
    {"add", "int float half f32x2", rounding, "=0 0 0", "add"},
    {"sub", "int float half f32x2", rounding, "=0 0 0", "sub"},
    {"mul", "float half f32x2", rounding, "=0 0 0", "mul"},
    {"fma", "float half f32x2", rounding, "=0 0 0 0", "fma"},
    {"mad", "float", rounding, "=0 0 0 0", "fma"},
    {"mul.lo", "int", "", "=0 0 0", "mul_lo"},
    {"mul.hi", "int", "", "=0 0 0", "mul_hi"},
    {"mul.wide", "u16 s16 u32 s32", "", "=w 0 0", "mul_wide"},
    {"mad.lo", "int", "", "=0 0 0 0", "mad_lo"},
    {"mad.hi", "int", "sat", "=0 0 0 0", "mad_hi"},
    {"mad.wide", "u16 s16 u32 s32", "", "=w 0 0 w", "mad_wide"},
    {"mul24.lo", "u32 s32", "", "=0 0 0", "mul24_lo"},
    {"mul24.hi", "u32 s32", "", "=0 0 0", "mul24_hi"},
    {"mad24.lo", "u32 s32", "", "=0 0 0 0", "mad24_lo"},
    {"mad24.hi", "u32 s32", "sat", "=0 0 0 0", "mad24_hi"},
    {"div", "int", "", "=0 0 0", "div"},
    {"div", "float", rounding, "=0 0 0", "div_rounded"},
    {"div.approx", "f32", "ftz", "=0 0 0", "div_approx"},
    {"div.full", "f32", "ftz", "=0 0 0", "div_rounded"},
    {"rem", "int", "", "=0 0 0", "rem"},
    {"abs", "s16 s32 s64 float half", "ftz", "=0 0", "abs"},
    {"neg", "s16 s32 s64 float half", "ftz", "=0 0", "neg"},
    {"min", "int float half", "ftz NaN xorsign abs relu", "=0 0 0", "min"},
    {"max", "int float half", "ftz NaN xorsign abs relu", "=0 0 0", "max"},
    {"sad", "int", "", "=0 0 0 0", "sad"},
    {"copysign", "float", "", "=0 0 0", "copysign"},
    {"testp", "float", "finite infinite number notanumber normal subnormal", "=pred 0", "testp"},

    // ---- sums and products of many words
    {"add.cc", "u32 s32 u64 s64", "", "=0 0 0 =cc", "addc"},
    {"addc.cc", "u32 s32 u64 s64", "", "=0 0 0 +cc", "addc"},
    {"addc", "u32 s32 u64 s64", "", "=0 0 0 cc", "addc"},
    {"sub.cc", "u32 s32 u64 s64", "", "=0 0 0 =cc", "subc"},
    {"subc.cc", "u32 s32 u64 s64", "", "=0 0 0 +cc", "subc"},
    {"subc", "u32 s32 u64 s64", "", "=0 0 0 cc", "subc"},
    {"mad.lo.cc", "u32 s32 u64 s64", "", "=0 0 0 0 =cc", "madc_lo"},
    {"mad.hi.cc", "u32 s32 u64 s64", "", "=0 0 0 0 =cc", "madc_hi"},
    {"madc.lo.cc", "u32 s32 u64 s64", "", "=0 0 0 0 +cc", "madc_lo"},
    {"madc.hi.cc", "u32 s32 u64 s64", "", "=0 0 0 0 +cc", "madc_hi"},
    {"madc.lo", "u32 s32 u64 s64", "", "=0 0 0 0 cc", "madc_lo"},
    {"madc.hi", "u32 s32 u64 s64", "", "=0 0 0 0 cc", "madc_hi"},

    // ---- bits
    {"popc", "b32 b64", "", "=u32 0", "popc"},
    {"clz", "b32 b64", "", "=u32 0", "clz"},
    {"bfind", "u32 s32 u64 s64", "shiftamt", "=u32 0", "bfind"},
    {"fns", "b32", "", "=0 0 u32 s32", "fns"},
    {"brev", "b32 b64", "", "=0 0", "brev"},
    {"bfe", "u32 s32 u64 s64", "", "=0 0 u32 u32", "bfe"},
    {"bfi", "b32 b64", "", "=0 0 0 u32 u32", "bfi"},
    {"bmsk", "b32", "clamp wrap", "=0 u32 u32", "bmsk"},
    {"szext", "u32 s32", "clamp wrap", "=0 0 u32", "szext"},
    {"prmt", "b32", "f4e b4e rc8 ecl ecr rc16", "=0 0 0 u32", "prmt"},
    {"and", "pred bits", "", "=0 0 0", "bit_and"},
    {"or", "pred bits", "", "=0 0 0", "bit_or"},
    {"xor", "pred bits", "", "=0 0 0", "bit_xor"},
    {"not", "pred bits", "", "=0 0", "bit_not"},
    {"cnot", "bits", "", "=0 0", "cnot"},
    {"shl", "bits", "", "=0 0 u32", "shl"},
    {"shr", "int bits", "", "=0 0 u32", "shr"},
    {"shf.l", "b32", "wrap clamp", "=0 0 0 u32", "shf_l"},
    {"shf.r", "b32", "wrap clamp", "=0 0 0 u32", "shf_r"},
    {"lop3", "b32", "", "=0 0 0 0 u32", "lop3"},
    {"dp4a", "u32 s32/u32 s32", "", "=b32 0 1 b32", "dp4a"},
    {"dp2a.lo", "u32 s32/u32 s32", "", "=b32 0 1 b32", "dp2a_lo"},
    {"vabsdiff4.add", "u32 s32/u32 s32/u32 s32", "", "=b32 1 b32 b32", "vabsdiff4_add"},
    {"vabsdiff4", "u32 s32/u32 s32/u32 s32", "", "=b32 1 b32 b32", "vabsdiff4"},
    {"dp2a.hi", "u32 s32/u32 s32", "", "=b32 0 1 b32", "dp2a_hi"},

    // ---- comparisons, selections, conversions
    {"set", "u32 s32 f32 f16 bf16/int bits float f16 bf16", comparisons, "=0 1 1 pred?", "set"},
    {"selp", "int bits float", "", "=0 0 0 pred", "selp"},
    {"slct", "int bits float/s32 f32", "ftz", "=0 0 0 1", "slct"},
    {"cvt", "int8 int float f16 bf16/int8 int float f16 bf16",
     "rn rz rm rp rni rzi rmi rpi ftz sat relu", "=0 1", "cvt"},
    {"cvt", "f16x2 bf16x2 e4m3x2 e5m2x2/f32", "rn rz ftz relu satfinite", "=0 1 1", "cvt_pair"},
    {"cvt.pack.sat", "u8 s8 u16 s16/s32", "", "=b32 1 1", "cvt_pack"},
    {"cvt.pack.sat", "u8 s8/s32/b32", "", "=b32 1 1 b32", "cvt_pack"},
    {"cvt.rna.tf32", "f32", "", "=b32 0", "cvt_rna_tf32"},
    {"cvt", "f16x2/e4m3x2 e5m2x2", "rn relu", "=0 1", "cvt_widen_pair"},
    {"cvt", "e4m3x2 e5m2x2/f16x2", "rn relu satfinite", "=0 1", "cvt_narrow_pair"},

    // ---- functions
    {"ex2.approx", "f32 half", "ftz", "=0 0", "ex2"},
    {"lg2.approx", "f32", "ftz", "=0 0", "lg2"},
    {"sin.approx", "f32", "ftz", "=0 0", "sin"},
    {"cos.approx", "f32", "ftz", "=0 0", "cos"},
    {"tanh.approx", "f32 half", "", "=0 0", "tanh"},
    {"rcp.approx", "float", "ftz", "=0 0", "rcp"},
    {"rcp", "float", rounding, "=0 0", "rcp"},
    {"sqrt.approx", "f32", "ftz", "=0 0", "sqrt"},
    {"sqrt", "float", rounding, "=0 0", "sqrt"},
    {"rsqrt.approx", "float", "ftz", "=0 0", "rsqrt"},

    // ---- other lanes
    {"activemask", "b32", "", "=b32", "activemask"},
    {"vote.sync.all", "pred", "", "=pred pred u32", "vote_all"},
    {"vote.sync.any", "pred", "", "=pred pred u32", "vote_any"},
    {"vote.sync.uni", "pred", "", "=pred pred u32", "vote_uni"},
    {"vote.sync.ballot", "b32", "", "=b32 pred u32", "vote_ballot"},
    {"match.any.sync", "b32 b64", "", "=b32 0 u32", "match_any_sync"},
    {"redux.sync.add", "u32 s32", "", "=b32 b32 u32", "redux_add"},
    {"redux.sync.min", "u32 s32 f32", "abs NaN", "=0 0 u32", "redux_min"},
    {"redux.sync.max", "u32 s32 f32", "abs NaN", "=0 0 u32", "redux_max"},
    {"redux.sync.and", "b32", "", "=b32 b32 u32", "redux_and"},
    {"redux.sync.or", "b32", "", "=b32 b32 u32", "redux_or"},
    {"redux.sync.xor", "b32", "", "=b32 b32 u32", "redux_xor"},

    // ---- clusters
    {"mapa", "u32 u64", "", "=0 0 u32", "mapa"},
    {"getctarank", "u32 u64", "", "=u32 0", "getctarank"},

    // ---- the rest
    {"nanosleep", "u32", "", "u32", "nanosleep"},
    {"trap", "", "", "", "trap"},
    {"brkpt", "", "", "", "brkpt"},
    {"exit", "", "", "", "exit"},
    {"mbarrier.inval", "b64", "", "[]", "mbarrier_inval"},
    {"mbarrier.pending_count", "b64", "", "=b32 b64", "mbarrier_pending_count"},
    {"mbarrier.init", "b64", "", "[] u32", "mbarrier_init"},
};

struct by_hand {
  std::string_view opcode;
  emit_function emit;
};

constexpr by_hand others[] = {
    {"mov", emit_move},
    {"setp", emit_compare},
    {"ld", emit_load},
    {"ldu", emit_load},
    {"st", emit_store},
    {"atom", emit_atomic},
    {"red", emit_atomic},
    {"cvta", emit_address_conversion},
    {"isspacep", emit_address_query},
    {"shfl", emit_shuffle},
    {"match", emit_match},
    {"elect", emit_elect},
    {"bar", emit_barrier},
    {"barrier", emit_barrier},
    {"membar", emit_fence},
    {"fence", emit_fence},
    {"cp", emit_async_copy},
    {"mbarrier", emit_mbarrier},
    {"prefetch", emit_hint},
    {"prefetchu", emit_hint},
    {"discard", emit_hint},
    {"applypriority", emit_hint},
    {"createpolicy", emit_hint},
    {"griddepcontrol", emit_hint},
    {"pmevent", emit_hint},
    {"setmaxnreg", emit_hint},
};

bool is_allowed(std::string_view type, std::string_view allowed) {
  for (const std::string& one : split(allowed, ' ')) {
    const std::string_view members = one == "int"     ? "u16 s16 u32 s32 u64 s64"
                                     : one == "int8"  ? "u8 s8"
                                     : one == "bits"  ? "b16 b32 b64"
                                     : one == "float" ? "f32 f64"
                                     : one == "half"  ? "f16 f16x2 bf16 bf16x2"
                                                      : std::string_view(one);
    const auto names = split(members, ' ');
    if (std::find(names.begin(), names.end(), type) != names.end()) return true;
  }
  return false;
}

// What the opcode says beyond the words that select the rule.
struct matched {
  std::vector<std::string> types;
  std::string modifiers;  // "::heddle_host::ptx::how::rz | …"
};

std::optional<matched> match(const rule& one, const instruction& what) {
  const auto selecting = split(one.opcode, '.');
  if (what.words[0] != selecting[0]) return std::nullopt;
  std::vector<std::string> words(what.words.begin() + 1, what.words.end());
  for (std::size_t i = 1; i < selecting.size(); ++i) {
    const auto found = std::find(words.begin(), words.end(), selecting[i]);
    if (found == words.end()) return std::nullopt;
    words.erase(found);
  }
  const auto allowed_types = split(one.types, '/');
  const auto allowed_words = split(one.modifiers, ' ');
  matched found;
  for (const std::string& word : words) {
    if (is_type(word)) {
      if (found.types.size() == allowed_types.size() ||
          !is_allowed(word, allowed_types[found.types.size()]))
        return std::nullopt;
      found.types.push_back(word);
    } else if (word == "shared" || word == "shared::cta" || word == "shared::cluster") {
      continue;  // an address says itself where it points
    } else if (std::find(allowed_words.begin(), allowed_words.end(), word) != allowed_words.end()) {
      found.modifiers += (found.modifiers.empty() ? "" : " | ") + of_modifier(word);
    } else {
      return std::nullopt;
    }
  }
  if (found.types.size() != allowed_types.size()) return std::nullopt;
  if (found.modifiers.empty()) found.modifiers = of_runtime("how::none");
  return found;
}

std::string wider(const std::string& type) {
  return type.substr(0, 1) + std::to_string(2 * bits_of(type));
}

// The call, for the operands that the instruction has; nothing if their number is wrong.
std::optional<std::string> emit_by(const rule& one, const matched& found, const instruction& what,
                                   operand_writer& operands) {
  std::string arguments;
  bool depends_on_type = false;
  const operand* result = nullptr;
  std::size_t next = 0;
  for (std::string place : split(one.operands, ' ')) {
    const bool is_result = place[0] == '=';
    if (is_result) place.erase(0, 1);
    const bool may_be_missing = place.back() == '?';
    if (may_be_missing) place.pop_back();
    depends_on_type = depends_on_type || place == "0" || place == "1" || place == "w";
    std::string argument;
    if (place == "cc" || place == "+cc") {
      argument = is_result        ? operands.set_carry()
                 : place == "+cc" ? operands.carry()
                                  : operands.copy_of_carry();
    } else if (next == what.operands.size()) {
      if (may_be_missing) break;
      return std::nullopt;
    } else if (is_result) {
      result = &what.operands[next++];
      continue;
    } else if (place == "[]") {
      argument = operands.address(what.operands[next++]);
    } else {
      const std::string type = place == "0"   ? found.types[0]
                               : place == "1" ? found.types[1]
                               : place == "w" ? wider(found.types[0])
                                              : place;
      argument = operands.read(what.operands[next++], type);
    }
    arguments += (arguments.empty() ? "" : ", ") + argument;
  }
  if (next != what.operands.size()) return std::nullopt;
  std::string parameters;
  for (const std::string& type : depends_on_type ? found.types : std::vector<std::string>{})
    parameters += (parameters.empty() ? "" : ", ") + of_runtime(type);
  if (!one.modifiers.empty()) parameters += (parameters.empty() ? "" : ", ") + found.modifiers;
  const std::string call = of_runtime(one.function) +
                           (parameters.empty() ? "" : "<" + parameters + ">") + "(" + arguments +
                           ")";
  return result != nullptr ? operands.write(*result, call) : call;
}

}  // namespace

std::string emit(const instruction& what, operand_writer& operands) {
  for (const rule& one : rules) {
    const auto found = match(one, what);
    if (!found) continue;
    if (auto code = emit_by(one, *found, what, operands)) return *code;
  }
  for (const by_hand& one : others)
    if (one.opcode == what.words[0]) return one.emit(what, operands);
  throw unsupported{};
}

std::string of_modifier(const std::string& word) {
  const bool is_reserved = word == "and" || word == "or" || word == "xor";
  return of_runtime("how::" + word) + (is_reserved ? "_" : "");
}

bool word_list::take(std::string_view word) {
  const auto found = std::find(left_.begin(), left_.end(), word);
  if (found == left_.end()) return false;
  left_.erase(found);
  return true;
}

std::string word_list::take_one_of(std::string_view words, std::string_view otherwise) {
  for (const std::string& word : split(words, ' '))
    if (take(word)) return word;
  return std::string(otherwise);
}

std::string word_list::take_type() {
  const auto found = std::find_if(left_.begin(), left_.end(),
                                  [](const std::string& word) { return is_type(word); });
  if (found == left_.end()) throw unsupported{};
  std::string type = *found;
  left_.erase(found);
  return type;
}

void word_list::take_cache_hints() {
  left_.erase(std::remove_if(left_.begin(), left_.end(),
                             [](const std::string& word) {
                               return word.rfind("L1::", 0) == 0 || word.rfind("L2::", 0) == 0;
                             }),
              left_.end());
}

std::string word_list::take_scope(std::string_view otherwise) {
  const std::string word = take_one_of("cta cluster gpu sys");
  return word == "cta"       ? "block"
         : word == "cluster" ? "cluster"
         : word == "gpu"     ? "device"
         : word == "sys"     ? "system"
                             : std::string(otherwise);
}

void word_list::expect_end() const {
  if (!left_.empty()) throw unsupported{};
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void expect_operands(const instruction& what, std::size_t least, std::size_t most) {
  if (what.operands.size() < least || what.operands.size() > most) throw unsupported{};
}

}  // namespace heddle::frontend::ptx
