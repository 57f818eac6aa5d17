// Distinguishes template brackets from comparisons: finds the `>` that closes a `<`.
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "frontend/rewrite/token.hpp"

namespace heddle::frontend {

// Tokens alone do not show whether `a < b` begins template arguments. Three things help: which
// names the text declares as templates and as variables, which tokens cannot occur between
// brackets, and that every bracket must be closed. If the case is still open, `<` after a name is
// first read as a bracket, and as a comparison if that fails.
class angle_reader {
 public:
  // `partner` has the other bracket of each pair of (), [] and {}.
  angle_reader(const token_list& list, const std::vector<std::uint32_t>& partner);

  // The `>` that closes the template bracket at `open`; `size_t(-1)` if there is none.
  std::size_t close_of(std::size_t open) const;
  // The first `>` of the `>>>(` that ends the launch configuration starting at `from`; `size_t(-1)`
  // if there is none.
  std::size_t launch_end(std::size_t from) const;

 private:
  struct reading;
  enum class meaning : std::uint8_t { comparison, arguments, parameters, either };

  const token& at(std::size_t index) const { return list_.tokens[index]; }
  std::size_t size() const { return list_.tokens.size(); }
  bool is(std::size_t index, std::string_view spelling) const {
    return index < size() && at(index).is(spelling);
  }
  void collect_values();
  void collect_templates();
  void collect_declared_template(std::size_t from);
  meaning meaning_of(std::size_t index) const;
  bool cannot_occur(const reading& now) const;
  bool is_literal(std::size_t index) const;
  std::size_t launch_end_at(std::size_t index) const;
  std::size_t read(reading now) const;

  const token_list& list_;
  const std::vector<std::uint32_t>& partner_;
  std::unordered_set<std::string_view> values_, templates_;
};

}  // namespace heddle::frontend
