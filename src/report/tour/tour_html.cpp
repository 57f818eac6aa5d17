// Writes the results of a tour as a page that opens from disk.
#include <fmt/core.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "markup/filled.hpp"
#include "report/tour/tour_page.hpp"
#include "report/tour/tour_report.hpp"

namespace heddle_report {
namespace {

using nlohmann::json;

json json_of(const tour_stop& stop) {
  json made{{"name", stop.name},       {"title", stop.title},     {"idea", stop.idea},
            {"source", stop.source},   {"verdict", stop.verdict}, {"seconds", stop.seconds},
            {"listing", stop.listing}, {"notes", stop.notes},     {"state", word_of(stop.state)}};
  made["figures"] = json::array();
  for (const tour_figure& one : stop.figures)
    made["figures"].push_back({{"experiment", one.experiment},
                               {"variant", one.variant},
                               {"metric", one.metric},
                               {"unit", one.unit},
                               {"value", one.value},
                               {"text", number_text(one.value)}});
  made["points"] = json::array();
  // Centimetres are precise enough for a picture.
  const auto rounded = [](float value) { return std::round(100 * double{value}) / 100; };
  for (const tour_point& one : stop.points)
    made["points"].push_back({rounded(one.x), rounded(one.y), one.label});
  return made;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

}  // namespace

bool pages_have_plots() { return !tour_charts.empty(); }

std::string html_of(const tour_report& report, const std::string& version) {
  json made{{"heddle", version},     {"device", report.device},  {"machine", report.machine},
            {"date", report.date},   {"quick", report.is_quick}, {"seconds", report.seconds},
            {"stops", json::array()}};
  for (const tour_stop& stop : report.stops) made["stops"].push_back(json_of(stop));
  // A program may print bytes that are not UTF-8, and text that would close the script element.
  std::string data = made.dump(-1, ' ', false, json::error_handler_t::replace);
  replace_all(data, "<", "\\u003c");
  return heddle::markup::filled(tour_html, {{"style", std::string(tour_css)},
                                            {"charts", std::string(tour_charts)},
                                            {"script", std::string(tour_js)},
                                            {"data", data}});
}

}  // namespace heddle_report
