// The results of a tour, and their formatting as text and as a page.
#pragma once
#include <string>
#include <vector>

namespace heddle_report {

// One number. Figures of the same experiment and metric are comparable.
struct tour_figure {
  std::string experiment;
  std::string variant;
  std::string metric;
  std::string unit;  // empty: a count
  double value = 0;
};

// A point of a scan, seen from above.
struct tour_point {
  float x = 0, y = 0;
  int label = -1;  // -1: noise
};

enum class tour_state { right, wrong, failed, left_out };
// right, wrong, failed, skipped
[[nodiscard]] std::string word_of(tour_state state);

struct tour_stop {
  std::string name;  // the argument of --only
  std::string title;
  std::string idea;    // what the stop shows, in a few sentences
  std::string source;  // what the figures are: counters, or times on which device
  tour_state state = tour_state::failed;
  std::string verdict;  // one line
  double seconds = 0;   // to build and run
  std::vector<tour_figure> figures;
  std::string listing;  // the checker's output
  std::vector<tour_point> points;
  std::vector<std::string> notes;
};

struct tour_report {
  std::string device;   // a sentence that says where the kernels ran
  std::string machine;  // processor, compilers
  std::string date;
  bool is_quick = false;
  double seconds = 0;
  std::vector<tour_stop> stops;

  [[nodiscard]] bool is_all_right() const;
};

// A table for each stop.
[[nodiscard]] std::string text_of(const tour_stop& stop);
// The closing lines.
[[nodiscard]] std::string summary_of(const tour_report& report);

// A self-contained page.
[[nodiscard]] std::string html_of(const tour_report& report, const std::string& version);
// False if heddle was built without the plotting library; then the page has only tables.
[[nodiscard]] bool pages_have_plots();

// 1234567.0 as "1,234,567", 12.345 as "12.3".
[[nodiscard]] std::string number_text(double value);

}  // namespace heddle_report
