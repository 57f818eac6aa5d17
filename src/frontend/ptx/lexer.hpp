// The tokens of PTX text.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace heddle::frontend::ptx {

enum class token_kind {
  word,         // ld.global.v4.u32, .reg, r1, LOOP, WARP_SZ
  parameter,    // %0, %[name]: an operand of the asm statement
  percent,      // %laneid, %%tid.x, %p1: a special register, or a register with % in its name
  integer,      // 12, 0x1f, 0b101
  real,         // 0f3f800000, 1.5
  quoted,       // "nounroll"
  punctuation,  // one character
  unknown,
};

struct token {
  token_kind kind;
  std::string text;    // of a parameter the number or name, of a percent the name
  std::size_t offset;  // in the text
};

// Comments become blanks of the same length, so that offsets stay.
std::string without_comments(std::string text);

// The tokens of a text without comments.
std::vector<token> tokens_of(const std::string& text);

}  // namespace heddle::frontend::ptx
