// Restores the columns that tokens have in the user's files, by comparing lines with their source.
#include "frontend/rewrite/columns.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace heddle::frontend {
namespace {

// Longer lines are data tables, where columns do not matter.
constexpr std::size_t most_comparisons = 1 << 18;

// `__global__` has become `__heddle_global__`.
bool is_same_word(const token& preprocessed, const token& source) {
  constexpr std::string_view marker = "__heddle_";
  if (preprocessed.text == source.text) return true;
  return preprocessed.text.starts_with(marker) && source.text.starts_with("__") &&
         preprocessed.text.substr(marker.size()) == source.text.substr(2);
}

// Matches the tokens of one line before and after preprocessing; both are in the same order.
class line_match {
 public:
  line_match(std::span<token> preprocessed, std::span<const token> source)
      : preprocessed_(preprocessed), source_(source) {}

  void run() {
    std::size_t begin = 0;
    const std::size_t shorter = std::min(preprocessed_.size(), source_.size());
    while (begin < shorter && is_same_word(preprocessed_[begin], source_[begin])) {
      place(begin, begin);
      ++begin;
    }
    std::size_t end = preprocessed_.size(), source_end = source_.size();
    while (end > begin && source_end > begin &&
           is_same_word(preprocessed_[end - 1], source_[source_end - 1]))
      place(--end, --source_end);
    match_between(begin, end, begin, source_end);
  }

 private:
  void place(std::size_t at, std::size_t source) {
    preprocessed_[at].column = source_[source].column;
  }

  // Finds the longest common subsequence. Tokens outside it come from a macro at that place.
  void match_between(std::size_t begin, std::size_t end, std::size_t source_begin,
                     std::size_t source_end) {
    const std::size_t rows = end - begin, columns = source_end - source_begin;
    const bool is_small = rows * columns <= most_comparisons;
    const auto is_same = [&](std::size_t row, std::size_t column) {
      return is_same_word(preprocessed_[begin + row], source_[source_begin + column]);
    };
    // count(row, column): how many tokens from `row` and `column` on can be matched.
    std::vector<std::uint32_t> counts(is_small ? (rows + 1) * (columns + 1) : 0);
    const auto count = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
      return counts[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; is_small && row-- > 0;)
      for (std::size_t column = columns; column-- > 0;)
        count(row, column) = is_same(row, column)
                                 ? 1 + count(row + 1, column + 1)
                                 : std::max(count(row + 1, column), count(row, column + 1));
    for (std::size_t row = 0, column = 0; row < rows;) {
      if (!is_small || column == columns) {
        expand(begin + row++, source_begin + column);
      } else if (is_same(row, column)) {
        place(begin + row++, source_begin + column++);
      } else if (count(row + 1, column) >= count(row, column + 1)) {
        expand(begin + row++, source_begin + column);
      } else {
        ++column;
      }
    }
  }

  void expand(std::size_t at, std::size_t source) {
    preprocessed_[at].is_expanded = true;
    if (!source_.empty())
      preprocessed_[at].column = source_[std::min(source, source_.size() - 1)].column;
  }

  std::span<token> preprocessed_;
  std::span<const token> source_;
};

// The tokens of a file, by line.
class source_lines {
 public:
  explicit source_lines(std::string text) : list_(std::move(text)) {}

  std::span<const token> operator[](std::uint32_t line) const {
    const auto before = [](const token& t, std::uint32_t number) { return t.line < number; };
    const auto begin = std::lower_bound(list_.tokens.begin(), list_.tokens.end(), line, before);
    const auto end = std::lower_bound(begin, list_.tokens.end(), line + 1, before);
    return {begin, end};
  }

 private:
  token_list list_;
};

}  // namespace

void restore_columns(token_list& list, const source_reader& read) {
  std::map<std::string, source_lines> sources;
  std::vector<token>& tokens = list.tokens;
  for (std::size_t begin = 0, end = 0; begin < tokens.size(); begin = end) {
    const token first = tokens[begin];
    end = begin + 1;
    while (end < tokens.size() && tokens[end].line == first.line && tokens[end].file == first.file)
      ++end;
    const source_file& file = list.files[first.file];
    if (file.is_system) continue;
    auto source = sources.find(file.name);
    if (source == sources.end()) source = sources.try_emplace(file.name, read(file.name)).first;
    const std::span<const token> words = source->second[first.line];
    if (!words.empty()) line_match(std::span(tokens).subspan(begin, end - begin), words).run();
  }
}

}  // namespace heddle::frontend
