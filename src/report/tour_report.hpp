// What a tour has seen, and how it is told: as text and as a page.
#pragma once
#include <string>
#include <vector>

namespace heddle_report {

// One number. Those of one experiment and metric are comparable.
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
// right, wrong, failed, left out
[[nodiscard]] std::string word_of(tour_state state);

struct tour_stop {
  std::string name;  // as --only takes it
  std::string title;
  std::string idea;    // what is to be seen, in some sentences
  std::string source;  // what the figures are: counters, or times of which device
  tour_state state = tour_state::failed;
  std::string verdict;  // one line
  double seconds = 0;   // that it took to build and run
  std::vector<tour_figure> figures;
  std::string listing;  // of a checker, as it was printed
  std::vector<tour_point> points;
  std::vector<std::string> notes;
};

struct tour_report {
  std::string device;   // a sentence: where kernels ran
  std::string machine;  // processor, compilers
  std::string date;
  bool is_quick = false;
  double seconds = 0;
  std::vector<tour_stop> stops;

  [[nodiscard]] bool is_all_right() const;
};

// A table for each stop, for people.
[[nodiscard]] std::string text_of(const tour_stop& stop);
// The last lines of all.
[[nodiscard]] std::string summary_of(const tour_report& report);

// One page that needs no other file.
[[nodiscard]] std::string html_of(const tour_report& report, const std::string& version);
// False if heddle was built without the library that draws plots; the page has tables alone then.
[[nodiscard]] bool pages_have_plots();

// 1234567.0 as "1,234,567", 12.345 as "12.3".
[[nodiscard]] std::string number_text(double value);

}  // namespace heddle_report
