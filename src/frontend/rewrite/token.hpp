// The lexer: turns preprocessed C++ into tokens that know the user's file and line.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

enum class token_kind : std::uint8_t { identifier, number, string, character, punctuation };

// A file named by a line marker, and the marker's flags, which say whether warnings are wanted.
struct source_file {
  std::string name;   // as quoted in the marker
  std::string flags;  // "", " 3" or " 3 4"
  bool is_system = false;
};

struct token {
  std::string_view prefix;  // everything since the previous token: blanks, markers
  std::string_view text;
  std::uint32_t file = 0;  // index into token_list::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // counted from 0
  token_kind kind = token_kind::punctuation;
  bool is_expanded = false;  // comes from a macro, so it has no column of its own

  bool is(std::string_view spelling) const { return text == spelling; }
  template <typename Spellings>
  bool is_one_of(const Spellings& all) const {
    return std::find(all.begin(), all.end(), text) != all.end();
  }
};

// Tokens point into `text`, which must not move: lists can be neither copied nor moved.
struct token_list {
  std::string text;
  std::vector<token> tokens;
  std::vector<source_file> files;
  std::string_view tail;  // what follows the last token

  explicit token_list(std::string preprocessed);
  token_list(const token_list&) = delete;
  token_list& operator=(const token_list&) = delete;

  std::string location(std::size_t index) const;  // "file.cu:12"
};

struct token_range {
  std::size_t from;
  std::size_t to;  // one past the last
};

// A file's name as line markers have it, which may be relative to the folder of the compilation.
std::string absolute_path(const std::string& file);

bool is_keyword_before_expression(std::string_view word);  // return, else, case, throw …
bool has_parentheses_after_it(const token& word);          // __attribute__, alignas, noexcept …

}  // namespace heddle::frontend
