// Writes a page that shows a clustered cloud in a browser.
#include "cloud/view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "cloud/grouped_number.hpp"
#include "cloud/viewer_files.hpp"
#include "markup/escaped.hpp"
#include "markup/filled.hpp"

namespace heddle::cloud {
namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[at])) : 0u;
  };
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const unsigned group = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
    text += letters[group >> 18];
    text += letters[group >> 12 & 63];
    text += at + 1 < bytes.size() ? letters[group >> 6 & 63] : '=';
    text += at + 2 < bytes.size() ? letters[group & 63] : '=';
  }
  return text;
}

template <typename T>
std::string base64_of(const std::vector<T>& values) {
  return base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace

std::string view_page(const view& shown) {
  const std::size_t count = shown.labels.size();
  const std::size_t most = std::max<std::size_t>(shown.most_points, 1);
  const std::size_t step = std::max<std::size_t>((count + most - 1) / most, 1);
  std::vector<float> positions;
  std::vector<std::int32_t> labels;
  for (std::size_t point = 0; point < count; point += step) {
    const auto place = shown.points.subspan(3 * point, 3);
    if (!std::all_of(place.begin(), place.end(), [](float value) { return std::isfinite(value); }))
      continue;
    positions.insert(positions.end(), place.begin(), place.end());
    labels.push_back(shown.labels[point]);
  }
  std::vector<std::uint32_t> sizes;
  std::vector<float> boxes;
  for (const shown_cluster& one : shown.clusters) {
    sizes.push_back(one.size);
    boxes.insert(boxes.end(), one.low.begin(), one.low.end());
    boxes.insert(boxes.end(), one.high.begin(), one.high.end());
  }
  const auto noise = std::count_if(shown.labels.begin(), shown.labels.end(),
                                   [](std::int32_t label) { return label < 0; });
  std::string facts =
      fmt::format("{} points, {} cluster{}, {} noise", grouped(count), grouped(sizes.size()),
                  sizes.size() == 1 ? "" : "s", grouped(static_cast<std::size_t>(noise)));
  if (step > 1) facts += fmt::format("; one point of {} is shown", step);
  return markup::filled(
      viewer_html,
      {{"title", markup::escaped(shown.title)},
       {"facts", facts},
       {"note", markup::escaped(shown.note)},
       {"style", std::string(viewer_css)},
       {"origin", fmt::format("[{}, {}, {}]", shown.origin[0], shown.origin[1], shown.origin[2])},
       {"positions", base64_of(positions)},
       {"labels", base64_of(labels)},
       {"sizes", base64_of(sizes)},
       {"boxes", base64_of(boxes)},
       {"script", std::string(viewer_js)}});
}

}  // namespace heddle::cloud
