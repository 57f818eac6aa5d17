// Compares the texts for host and device line by line. Both come from the same files, so a line is
// known by its file and its number.
#include "frontend/sides/compare.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>

namespace heddle::frontend {
namespace {

struct line {
  std::size_t first;  // its first token
  std::uint64_t key;  // of its file, its number and its tokens
};

std::uint64_t mixed(std::uint64_t so_far, std::uint64_t value) {
  return (so_far ^ value) * 0x9e3779b97f4a7c15u + (so_far >> 29);
}

std::vector<line> lines_of(const token_list& list) {
  const std::hash<std::string_view> hash;
  std::vector<line> lines;
  const token* previous = nullptr;
  for (std::size_t i = 0; i < list.tokens.size(); ++i) {
    const token& t = list.tokens[i];
    if (previous == nullptr || t.line != previous->line || t.file != previous->file)
      lines.push_back({i, mixed(hash(list.files[t.file].name), t.line)});
    lines.back().key = mixed(lines.back().key, hash(t.text));
    previous = &t;
  }
  return lines;
}

// Where each line occurs, in order.
class occurrences {
 public:
  explicit occurrences(const std::vector<line>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) places_[lines[i].key].push_back(i);
  }
  // The first place at or after `from`; `end` if there is none.
  [[nodiscard]] std::size_t next(std::uint64_t key, std::size_t from, std::size_t end) const {
    const auto found = places_.find(key);
    if (found == places_.end()) return end;
    const auto place = std::lower_bound(found->second.begin(), found->second.end(), from);
    return place == found->second.end() ? end : *place;
  }

 private:
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> places_;
};

}  // namespace

std::vector<difference> compare(const token_list& host, const token_list& device) {
  const std::vector<line> h = lines_of(host), d = lines_of(device);
  const occurrences in_host(h), in_device(d);
  const auto token_of = [](const std::vector<line>& lines, std::size_t i, const token_list& list) {
    return i < lines.size() ? lines[i].first : list.tokens.size();
  };
  std::vector<difference> found;
  for (std::size_t i = 0, j = 0; i < h.size() || j < d.size();) {
    if (i < h.size() && j < d.size() && h[i].key == d[j].key) {
      ++i;
      ++j;
      continue;
    }
    // The nearest line that both have, looking from the host's text and from the device's.
    std::size_t host_end = h.size(), device_end = d.size();
    for (std::size_t k = i; k < h.size(); ++k) {
      const std::size_t place = in_device.next(h[k].key, j, d.size());
      if (place == d.size()) continue;
      host_end = k;
      device_end = place;
      break;
    }
    for (std::size_t k = j; k < d.size(); ++k) {
      const std::size_t place = in_host.next(d[k].key, i, h.size());
      if (place == h.size()) continue;
      if (place + k < host_end + device_end) {
        host_end = place;
        device_end = k;
      }
      break;
    }
    found.push_back({{token_of(h, i, host), token_of(h, host_end, host)},
                     {token_of(d, j, device), token_of(d, device_end, device)}});
    i = host_end;
    j = device_end;
  }
  return found;
}

}  // namespace heddle::frontend
