// The table of supported inline PTX, and the translation of each instruction.
#include "frontend/ptx/ptx_instruction.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

namespace heddle::frontend {
namespace {

constexpr std::string_view calls = "::heddle_host::ptx::";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1));
}

std::string without_comments(const std::string& text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 1;
      kept += ' ';
    } else {
      kept += text[i];
    }
  }
  return kept;
}

// Splits at `separator` outside brackets and braces.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == separator && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty()) parts.push_back(trimmed(part));
  return parts;
}

// `setp.ne.s32 p, %0, 0` from a block in braces: skips the declarations at its beginning.
std::string first_instruction(std::string block) {
  while (true) {
    block = trimmed(block);
    const std::size_t end = block.find(';');
    const bool is_declaration = block.front() == '.' && end != std::string::npos;
    const std::size_t skipped = block.front() == '{' ? 1 : is_declaration ? end + 1 : 0;
    const std::string rest = trimmed(std::string_view(block).substr(skipped));
    if (skipped == 0 || rest.empty()) return trimmed(std::string_view(block).substr(0, end));
    block = rest;
  }
}

struct type_name {
  std::string_view ptx;
  std::string_view cpp;
};

constexpr std::array<type_name, 14> value_types{{
    {"u8", "unsigned char"},
    {"s8", "signed char"},
    {"b8", "unsigned char"},
    {"u16", "unsigned short"},
    {"s16", "short"},
    {"b16", "unsigned short"},
    {"u32", "unsigned"},
    {"s32", "int"},
    {"b32", "unsigned"},
    {"u64", "unsigned long long"},
    {"s64", "long long"},
    {"b64", "unsigned long long"},
    {"f32", "float"},
    {"f64", "double"},
}};

// Special registers. Each has a function of the same name, with underscores for dots.
constexpr std::array<std::string_view, 26> registers{
    "laneid",      "warpid",      "nwarpid",     "smid",        "nsmid",   "lanemask_eq",
    "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge", "clock",   "clock64",
    "clock_hi",    "globaltimer", "tid.x",       "tid.y",       "tid.z",   "ntid.x",
    "ntid.y",      "ntid.z",      "ctaid.x",     "ctaid.y",     "ctaid.z", "nctaid.x",
    "nctaid.y",    "nctaid.z"};

class translator {
 public:
  explicit translator(const asm_statement& statement) : statement_(statement) {}

  ptx_translation run() {
    std::string code;
    for (const std::string& instruction : split(without_comments(statement_.text), ';')) {
      if (instruction.empty()) continue;
      const auto one = translate(instruction);
      if (!one) return {"", first_instruction(instruction)};
      code += *one + "; ";
    }
    // An empty asm statement only keeps the compiler from moving memory accesses.
    if (code.empty()) code = "__asm__ __volatile__(\"\" : : : \"memory\"); ";
    return {"do { " + code + "} while (false)", ""};
  }

 private:
  std::optional<std::string> translate(const std::string& instruction) const {
    const std::size_t space = instruction.find_first_of(" \t\n");
    const std::string opcode = instruction.substr(0, space);
    const auto operands = space == std::string::npos ? std::vector<std::string>{}
                                                     : split(instruction.substr(space), ',');
    const std::vector<std::string> words = split(opcode, '.');
    if (words.empty()) return std::nullopt;
    if (words[0] == "mov") return translate_move(words, operands);
    if (words[0] == "bar" || words[0] == "barrier") return translate_barrier(words, operands);
    if (words[0] == "shfl") return translate_shuffle(words, operands);
    if ((words[0] == "membar" || words[0] == "fence") && operands.empty())
      return translate_fence(words);
    if (words[0] == "ld" && operands.size() == 2) return translate_load(words, operands);
    if (words[0] == "st" && operands.size() == 2) return translate_store(words, operands);
    if ((words[0] == "prefetch" || words[0] == "prefetchu") && operands.size() == 1)
      return translate_prefetch(operands);
    if (words[0] == "createpolicy" && !operands.empty()) return translate_policy(operands);
    if (words[0] == "cp" && words.size() > 3 && words[1] == "async" && words[2] == "bulk")
      return translate_bulk_copy({words.begin() + 3, words.end()}, operands);
    return std::nullopt;
  }

  std::optional<std::string> translate_move(const std::vector<std::string>& words,
                                            const std::vector<std::string>& operands) const {
    if (words.size() != 2 || operands.size() != 2) return std::nullopt;
    const auto type = type_of(words[1]);
    const auto target = operand(operands[0]);
    if (!type || !target) return std::nullopt;
    const auto source = operands[1].rfind("%%", 0) == 0 ? special_register(operands[1].substr(2))
                                                        : value(operands[1], *type);
    if (!source) return std::nullopt;
    return put(*target, "static_cast<" + *type + ">(" + *source + ")");
  }

  static std::optional<std::string> special_register(const std::string& name) {
    if (std::find(registers.begin(), registers.end(), name) == registers.end()) return std::nullopt;
    std::string function = name;
    std::replace(function.begin(), function.end(), '.', '_');
    return std::string(calls) + function + "()";
  }

  std::optional<std::string> translate_barrier(std::vector<std::string> words,
                                               const std::vector<std::string>& operands) const {
    words.erase(std::remove_if(words.begin(), words.end(),
                               [](const std::string& w) { return w == "cta" || w == "aligned"; }),
                words.end());
    std::vector<std::string> values;
    for (const std::string& one : operands) {
      const auto number = value(one, "unsigned");
      if (!number) return std::nullopt;
      values.push_back(*number);
    }
    if (words.size() == 3 && words[1] == "warp" && words[2] == "sync" && values.size() == 1)
      return std::string(calls) + "bar_warp_sync(" + values[0] + ")";
    // bar.arrive always gives the number of threads.
    if (words.size() == 2 && words[1] == "arrive" && values.size() == 2)
      return std::string(calls) + "bar_arrive(" + values[0] + ", " + values[1] + ")";
    if (words.size() != 2 || words[1] != "sync" || values.empty() || values.size() > 2)
      return std::nullopt;
    return std::string(calls) + "bar_sync(" + values[0] +
           (values.size() == 2 ? ", " + values[1] : "") + ")";
  }

  // `shfl.sync.up.b32 %0, %1, %2, %3, %4`; a predicate after the target is not supported.
  std::optional<std::string> translate_shuffle(const std::vector<std::string>& words,
                                               const std::vector<std::string>& operands) const {
    constexpr std::array<std::string_view, 4> modes{"up", "down", "bfly", "idx"};
    if (words.size() != 4 || words[1] != "sync" || words[3] != "b32" || operands.size() != 5 ||
        std::find(modes.begin(), modes.end(), words[2]) == modes.end())
      return std::nullopt;
    const auto target = operand(operands[0]);
    if (!target) return std::nullopt;
    std::string values;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const auto number = value(operands[i], "unsigned");
      if (!number) return std::nullopt;
      values += (i == 1 ? "" : ", ") + *number;
    }
    return put(*target, std::string(calls) + "shfl_" + words[2] + "(" + values + ")");
  }

  static std::optional<std::string> translate_fence(const std::vector<std::string>& words) {
    if (words.size() < 2) return std::nullopt;
    const auto has = [&](std::string_view word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    };
    const std::string scope = has("cta") ? "block" : has("sys") ? "system" : "device";
    const bool is_sequential = words[0] == "membar" || has("sc");
    return std::string(calls) + (is_sequential ? "fence_" : "fence_acq_rel_") + scope + "()";
  }

  // The meaning of an instruction such as `ld.volatile.global.v4.f32`.
  struct access {
    std::string type;
    std::string strength = "weak";  // weak, relaxed, acquire, release
    std::size_t count = 1;
    std::string scope = "device";

    // "load_acquire<unsigned, ::heddle_host::memory_scope::block>"
    [[nodiscard]] std::string function(const std::string& verb) const {
      const std::string whom = strength == "weak" ? "" : ", ::heddle_host::memory_scope::" + scope;
      return std::string(calls) + verb + "_" + strength + "<" + type + whom + ">";
    }
  };

  static std::optional<access> read_access(const std::vector<std::string>& words) {
    constexpr std::array<std::string_view, 11> without_effect{
        "weak", "gpu", "global", "shared", "shared::cta", "ca", "cs", "lu", "wb", "wt", "nc"};
    access found;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "volatile" || word == "cv") {
        found.strength = "relaxed";
        found.scope = "system";
      } else if (word == "relaxed" || word == "cg")
        found.strength = "relaxed";
      else if (word == "cta")
        found.scope = "block";
      else if (word == "cluster")
        found.scope = "cluster";
      else if (word == "sys")
        found.scope = "system";
      else if (word == "acquire" || word == "release")
        found.strength = word;
      else if (word == "v2")
        found.count = 2;
      else if (word == "v4")
        found.count = 4;
      else if (const auto type = type_of(word))
        found.type = *type;
      else if (word.rfind("L1::", 0) != 0 && word.rfind("L2::", 0) != 0 &&
               std::find(without_effect.begin(), without_effect.end(), word) ==
                   without_effect.end())
        return std::nullopt;
    }
    if (found.type.empty()) return std::nullopt;
    return found;
  }

  std::optional<std::string> translate_load(const std::vector<std::string>& words,
                                            const std::vector<std::string>& operands) const {
    const auto what = read_access(words);
    const auto from = address(operands[1]);
    if (!what || !from || what->strength == "release") return std::nullopt;
    const auto targets = elements(operands[0], what->count);
    if (targets.empty()) return std::nullopt;
    // All loads precede the first assignment: a target may be part of the address.
    std::string code = "const auto heddle_from = " + *from + "; ";
    for (std::size_t i = 0; i < what->count; ++i)
      code += "const auto heddle_value_" + std::to_string(i) + " = " + what->function("load") +
              "(heddle_from, " + std::to_string(i) + "); ";
    for (std::size_t i = 0; i < what->count; ++i) {
      const auto target = operand(targets[i]);
      if (!target) return std::nullopt;
      code += put(*target, "heddle_value_" + std::to_string(i)) + "; ";
    }
    return "{ " + code + "}";
  }

  std::optional<std::string> translate_store(const std::vector<std::string>& words,
                                             const std::vector<std::string>& operands) const {
    const auto what = read_access(words);
    const auto to = address(operands[0]);
    if (!what || !to || what->strength == "acquire") return std::nullopt;
    const auto sources = elements(operands[1], what->count);
    if (sources.empty()) return std::nullopt;
    std::string code = "const auto heddle_to = " + *to + "; ";
    for (std::size_t i = 0; i < what->count; ++i) {
      const auto source = value(sources[i], what->type);
      if (!source) return std::nullopt;
      code += what->function("store") + "(heddle_to, " + std::to_string(i) + ", " + *source + "); ";
    }
    return "{ " + code + "}";
  }

  std::optional<std::string> translate_prefetch(const std::vector<std::string>& operands) const {
    const auto from = address(operands[0]);
    if (!from) return std::nullopt;
    return "static_cast<void>(" + *from + ")";
  }

  // A cache policy is only a hint, so any value will do.
  std::optional<std::string> translate_policy(const std::vector<std::string>& operands) const {
    const auto target = operand(operands[0]);
    if (!target) return std::nullopt;
    return put(*target, "0ull");
  }

  // `words` follow `cp.async.bulk`. Copies to several blocks of a cluster are not supported.
  std::optional<std::string> translate_bulk_copy(std::vector<std::string> words,
                                                 std::vector<std::string> operands) const {
    if (words.back() == "L2::cache_hint" && !operands.empty()) {
      words.pop_back();
      operands.pop_back();
    }
    if (words.front() == "shared::cta") words.front() = "shared::cluster";  // contains it
    const std::vector<std::string> to_shared{"shared::cluster", "global",
                                             "mbarrier::complete_tx::bytes"};
    const std::vector<std::string> to_global{"global", "shared::cta", "bulk_group"};
    const std::size_t expected = words == to_shared ? 4 : words == to_global ? 3 : 0;
    if (expected == 0 || operands.size() != expected) return std::nullopt;
    const auto to = address(operands[0]);
    const auto from = address(operands[1]);
    const auto bytes = value(operands[2], "unsigned");
    if (!to || !from || !bytes) return std::nullopt;
    std::string arguments = *to + ", " + *from + ", " + *bytes;
    if (words == to_shared) {
      const auto barrier = address(operands[3]);
      if (!barrier) return std::nullopt;
      arguments += ", " + *barrier;
    }
    return std::string(calls) + "cp_async_bulk(" + arguments + ")";
  }

  // The elements of `{%0, %1}`, or of `%0` alone; empty if there are not `count`.
  static std::vector<std::string> elements(const std::string& text, std::size_t count) {
    const bool is_list = !text.empty() && text.front() == '{' && text.back() == '}';
    auto parts = is_list ? split(std::string_view(text).substr(1, text.size() - 2), ',')
                         : std::vector<std::string>{text};
    if (parts.size() != count || is_list != (count > 1)) return {};
    return parts;
  }

  // `[%1]`, `[%1+16]`, `[%1 + -8]`
  std::optional<std::string> address(const std::string& text) const {
    if (text.size() < 3 || text.front() != '[' || text.back() != ']') return std::nullopt;
    const std::string inside = trimmed(std::string_view(text).substr(1, text.size() - 2));
    const std::size_t plus = inside.find('+');
    const auto base = operand(trimmed(inside.substr(0, plus)));
    if (!base) return std::nullopt;
    std::string offset = "0";
    if (plus != std::string::npos) {
      offset = trimmed(inside.substr(plus + 1));
      if (!is_integer(offset)) return std::nullopt;
    }
    return std::string(calls) + "address(" + *base + ", " + offset + ")";
  }

  static bool is_integer(const std::string& text) {
    const std::size_t start = !text.empty() && text[0] == '-' ? 1 : 0;
    if (start == text.size() || !std::isdigit(static_cast<unsigned char>(text[start])))
      return false;
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(start), text.end(),
                       [](unsigned char c) { return std::isxdigit(c) || c == 'x' || c == 'U'; });
  }

  // The expression for `%0` or `%[name]`.
  std::optional<std::string> operand(const std::string& text) const {
    if (text.size() < 2 || text[0] != '%' || text[1] == '%') return std::nullopt;
    if (text[1] == '[') {
      for (const asm_operand& one : statement_.operands)
        if ("%[" + one.name + "]" == text) return one.expression;
      return std::nullopt;
    }
    if (text.find_first_not_of("0123456789", 1) != std::string::npos) return std::nullopt;
    const std::size_t index = std::stoul(text.substr(1));
    if (index >= statement_.operands.size()) return std::nullopt;
    return statement_.operands[index].expression;
  }

  // An operand or a number as a value of the given type.
  std::optional<std::string> value(const std::string& text, const std::string& type) const {
    if (is_integer(text)) return "static_cast<" + type + ">(" + text + ")";
    const auto expression = operand(text);
    if (!expression) return std::nullopt;
    return std::string(calls) + "take<" + type + ">" + *expression;
  }

  static std::string put(const std::string& target, const std::string& source) {
    return std::string(calls) + "put(" + target + ", " + source + ")";
  }

  static std::optional<std::string> type_of(std::string_view name) {
    for (const type_name& one : value_types)
      if (one.ptx == name) return std::string(one.cpp);
    return std::nullopt;
  }

  const asm_statement& statement_;
};

}  // namespace

ptx_translation translate_ptx(const asm_statement& statement) {
  return translator(statement).run();
}

}  // namespace heddle::frontend
