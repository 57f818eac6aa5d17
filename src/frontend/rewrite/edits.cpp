// Writes tokens back as text. After every insertion, move or removal, line markers and blanks
// restore the user's line and column.
#include "frontend/rewrite/edits.hpp"

#include <algorithm>

namespace heddle::frontend {

void edits::insert_before(std::size_t index, const std::string& text) {
  touched_[index] = 1;
  before_[index] += text;
}

void edits::insert_after(std::size_t index, const std::string& text) {
  touched_[index] = 1;
  after_[index] += text;
}

void edits::erase(std::size_t index) {
  touched_[index] = 1;
  erased_[index] = true;
}

void edits::erase(std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) erase(i);
}

void edits::replace(std::size_t index, std::string text) {
  erase(index);
  insert_before(index, std::move(text));
}

void edits::withdraw(std::size_t index) {
  before_.erase(index);
  after_.erase(index);
}

void edits::add_launch(const launch_site& site) {
  touched_[site.callee] = 1;
  launches_[site.callee] = site;
}

void edits::add_diagnostic(std::size_t index, std::string text) {
  diagnostics_.push_back({list_.location(index), std::move(text)});
}

void edits::add_note(std::size_t index, std::string text) {
  notes_.push_back({list_.location(index), std::move(text)});
}

void edits::add_operation(std::size_t index, bool is_supported, std::string text) {
  const token& at = list_.tokens[index];
  operations_.push_back({is_supported, list_.files[at.file].name, at.line, std::move(text)});
}

std::string edits::text_of(std::size_t from, std::size_t to) const {
  std::string text;
  for (std::size_t i = from; i < to; ++i) {
    if (i > from && !list_.tokens[i].prefix.empty()) text += ' ';
    text += list_.tokens[i].text;
  }
  return text;
}

class writer {
 public:
  explicit writer(const edits& changes) : changes_(changes), list_(changes.list_) {
    out_.reserve(list_.text.size() + list_.text.size() / 16);
  }

  std::string run() {
    write_range(0, list_.tokens.size(), false);
    out_ += list_.tail;
    return std::move(out_);
  }

 private:
  void write_range(std::size_t from, std::size_t to, bool first_launch_is_written) {
    for (std::size_t i = from; i < to;) {
      if (!changes_.touched_[i]) {
        write_source(i++);
        continue;
      }
      const auto launch = changes_.launches_.find(i);
      if (launch != changes_.launches_.end() && !(first_launch_is_written && i == from)) {
        write_launch(launch->second);
        i = launch->second.end;
      } else {
        write_touched(i++);
      }
    }
  }

  void write_touched(std::size_t i) {
    const bool is_erased = changes_.erased_.count(i) != 0;
    const auto before = changes_.before_.find(i);
    if (before != changes_.before_.end()) {
      write_gap(i);
      write_own(before->second);
    }
    if (!is_erased)
      write_source(i);
    else if (before == changes_.before_.end())
      write_gap(i);
    const auto after = changes_.after_.find(i);
    if (after != changes_.after_.end()) write_own(after->second);
  }

  void write_launch(const launch_site& site) {
    write_gap(site.callee);
    write_own("(::heddle_host::push_configuration(");
    write_range(site.configuration, site.configuration_end, false);
    write_own(") ? (void)0 : ");
    write_range(site.callee, site.callee_end, true);
    write_range(site.arguments, site.end, false);
    write_own(")");
    next_ = site.end;
  }

  void write_own(std::string_view text) {
    out_ += text;
    column_is_lost_ = true;
  }

  // Advances the output to the position of token `i`.
  void write_gap(std::size_t i) {
    const token& t = list_.tokens[i];
    if (gap_is_written_for_ == i) {
      if (column_is_lost_) resume_at(t);
    } else if (next_ == i) {
      const bool starts_line = t.prefix.find('\n') != std::string_view::npos;
      if (column_is_lost_ && !starts_line) {
        resume_at(t);
      } else {
        out_ += t.prefix;
        if (!t.is_expanded && column() != t.column) move_to(t);
      }
    } else {
      resume_at(t);
    }
    column_is_lost_ = false;
    file_ = t.file;
    line_ = t.line;
    gap_is_written_for_ = i;
    next_ = i + 1;
  }

  void write_source(std::size_t i) {
    const token& t = list_.tokens[i];
    write_gap(i);
    out_ += t.text;
    if (t.kind == token_kind::string)
      line_ += static_cast<std::uint32_t>(std::count(t.text.begin(), t.text.end(), '\n'));
    gap_is_written_for_ = nowhere_;
  }

  std::size_t column() const { return out_.size() - (out_.rfind('\n') + 1); }

  void resume_at(const token& t) {
    const bool is_near = t.file == file_ && t.line > line_ && t.line - line_ < 8;
    if (t.file == file_ && t.line == line_ && column() < t.column) {
      out_.append(t.column - column(), ' ');
    } else if (is_near) {
      out_.append(t.line - line_, '\n');
      out_.append(t.column, ' ');
    } else {
      begin_line(t);
    }
  }

  // The output is on the line of `t`, but not at its column.
  void move_to(const token& t) {
    if (column() < t.column)
      out_.append(t.column - column(), ' ');
    else
      begin_line(t);
  }

  void begin_line(const token& t) {
    const source_file& file = list_.files[t.file];
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    out_ += "# " + std::to_string(t.line) + " \"" + file.name + "\"" + file.flags + "\n";
    out_.append(t.column, ' ');
  }

  static constexpr std::size_t nowhere_ = static_cast<std::size_t>(-1);
  const edits& changes_;
  const token_list& list_;
  std::string out_;
  std::size_t next_ = 0;  // the token whose prefix continues the output
  std::size_t gap_is_written_for_ = nowhere_;
  std::uint32_t file_ = 0;
  std::uint32_t line_ = 1;
  bool column_is_lost_ = false;
};

std::string edits::apply() const { return writer(*this).run(); }

}  // namespace heddle::frontend
