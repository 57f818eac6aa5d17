// Combines the texts of a file for host and device into one that has the code of both.
#include "frontend/sides/merge.hpp"

#include <algorithm>
#include <string_view>

#include "frontend/sides/merge_plan.hpp"

namespace heddle::frontend {
namespace {

// Line markers without the flags that say that a file begins or ends: the file may have begun in
// text that is left out.
std::string without_nesting(std::string_view prefix) {
  std::string text;
  for (std::size_t at = 0; at < prefix.size();) {
    const std::size_t end = std::min(prefix.find('\n', at), prefix.size());
    const std::string_view line = prefix.substr(at, end - at);
    const std::size_t quote = line.rfind('"');
    const bool is_marker = line.substr(0, 2) == "# " && quote != std::string_view::npos;
    text += is_marker ? line.substr(0, quote + 1) : line;
    if (is_marker)
      for (const char flag : line.substr(quote + 1))
        if (flag == '3' || flag == '4') text += std::string(" ") + flag;
    if (end < prefix.size()) text += '\n';
    at = end + 1;
  }
  return text;
}

// Writes the merged text.
class writer {
 public:
  writer(const side& host, const side& device, const merge_plan& plan)
      : host_(host), device_(device), plan_(plan) {}

  std::string run() {
    const std::size_t end = device_.list.tokens.size();
    write(device_, {0, end});
    add_declarations(end);
    text_ += device_.list.tail;
    return std::move(text_);
  }

 private:
  // Writes tokens of one side; functions with two versions get both.
  void write(const side& from, token_range range) {
    const bool is_device = &from == &device_;
    const auto& partners = is_device ? plan_.host_of : plan_.device_of;
    for (std::size_t i = range.from; i < range.to; ++i) {
      const token& t = from.list.tokens[i];
      text_ += is_device ? std::string(t.prefix) : without_nesting(t.prefix);
      if (is_device) add_declarations(i);
      const auto partner = partners.find(i);
      if (partner == partners.end()) {
        text_ += t.text;
        continue;
      }
      const scope& mine = *from.shape.scope_opened_at(i);
      write_versions(is_device ? *partner->second : mine, is_device ? mine : *partner->second);
      i = mine.close;
      mark_line(from.list, i);
    }
  }

  void write_versions(const scope& h, const scope& d) {
    const token_range header{start_of(host_.shape, h), h.open};
    const bool is_constexpr = has_word(host_.shape, header, "constexpr");
    const bool runs_on_device = d.is_device || is_constexpr;
    const bool runs_on_host = !d.is_device || d.is_host_too || !h.is_device;
    const bool has_both = runs_on_device && runs_on_host && !d.is_kernel;
    if (has_both) {
      text_ += "{ if (::heddle_host::is_on_host";
      if (is_constexpr && takes_nothing(host_.shape, header)) text_ += "_at_run_time";
      text_ += "()) ";
    }
    if (has_both || !runs_on_device) write_body(host_, h);
    if (has_both) text_ += " else ";
    if (has_both || runs_on_device) write_body(device_, d);
    if (has_both) text_ += " }";
  }

  void write_body(const side& from, const scope& body) {
    mark_line(from.list, body.open);
    text_ += '{';
    write(from, {body.open + 1, body.close + 1});
  }

  // Writes the host's declarations that belong before a token of the device.
  void add_declarations(std::size_t device_index) {
    const auto found = plan_.added.find(device_index);
    if (found == plan_.added.end()) return;
    for (const token_range& one : found->second) {
      mark_line(host_.list, one.from);
      text_ += host_.list.tokens[one.from].text;
      write(host_, {one.from + 1, one.to});
    }
    if (device_index < device_.list.tokens.size()) mark_line(device_.list, device_index);
  }

  // What follows is on the line of the token.
  void mark_line(const token_list& list, std::size_t index) {
    const token& at = list.tokens[index];
    const source_file& file = list.files[at.file];
    text_ += "\n# " + std::to_string(at.line) + " \"" + file.name + '"' + file.flags + '\n';
  }

  const side& host_;
  const side& device_;
  const merge_plan& plan_;
  std::string text_;
};

}  // namespace

merged_sides merge_sides(std::string host, std::string device) {
  const token_list host_tokens(std::move(host)), device_tokens(std::move(device));
  const std::vector<difference> differences = compare(host_tokens, device_tokens);
  if (differences.empty()) return {device_tokens.text, {}};
  const side of_host(host_tokens), of_device(device_tokens);
  merge_plan plan = plan_merge(of_host, of_device, differences);
  std::string text = writer(of_host, of_device, plan).run();
  return {std::move(text), std::move(plan.notes)};
}

}  // namespace heddle::frontend
