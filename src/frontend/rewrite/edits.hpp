// Collects changes to a list of tokens and produces the resulting text.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/rewrite/token.hpp"

namespace heddle::frontend {

// `CALLEE<<<CONFIGURATION>>>(ARGUMENTS)`, as token positions.
struct launch_site {
  std::size_t callee;         // first token of the callee
  std::size_t callee_end;     // the `<<`
  std::size_t configuration;  // first token after `<<<`
  std::size_t configuration_end;
  std::size_t arguments;  // the `(`
  std::size_t end;        // one past the `)`
};

// A message about the user's source; the frontend never prints it.
struct diagnostic {
  std::string location;  // "file.cu:12"
  std::string text;
};

// An inline PTX instruction, for the report on what a program ran.
struct listed_operation {
  bool is_supported = true;
  std::string file;
  std::uint32_t line = 0;
  std::string text;  // "ex2.approx.f32"
};

// Changes are collected first and applied together, so the parts of the frontend do not see each
// other's changes. Inserted text never contains a newline: the user's lines stay where they are.
class edits {
 public:
  explicit edits(const token_list& list) : list_(list), touched_(list.tokens.size(), 0) {}

  void insert_before(std::size_t index, const std::string& text);
  void insert_after(std::size_t index, const std::string& text);
  void erase(std::size_t index);
  void erase(std::size_t from, std::size_t to);
  void replace(std::size_t index, std::string text);
  bool is_erased(std::size_t index) const { return erased_.count(index) != 0; }
  void withdraw(std::size_t index);  // drops the insertion at a token
  void add_launch(const launch_site& site);
  void add_diagnostic(std::size_t index, std::string text);
  void add_note(std::size_t index, std::string text);
  void add_operation(std::size_t index, bool is_supported, std::string text);

  // The user's tokens of a range as written, for text that moves elsewhere.
  std::string text_of(std::size_t from, std::size_t to) const;

  const std::vector<diagnostic>& diagnostics() const { return diagnostics_; }
  const std::vector<diagnostic>& notes() const { return notes_; }
  const std::vector<listed_operation>& operations() const { return operations_; }
  std::string location(std::size_t index) const { return list_.location(index); }
  std::string apply() const;

 private:
  friend class writer;
  const token_list& list_;
  std::vector<char> touched_;
  std::unordered_map<std::size_t, std::string> before_, after_;
  std::unordered_map<std::size_t, bool> erased_;
  std::unordered_map<std::size_t, launch_site> launches_;
  std::vector<diagnostic> diagnostics_;
  std::vector<diagnostic> notes_;
  std::vector<listed_operation> operations_;
};

}  // namespace heddle::frontend
