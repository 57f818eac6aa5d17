// A sum of doubles without any error, to compare other sums with.
#pragma once
#include <cmath>
#include <vector>

namespace heddle_test {

// Non-overlapping parts, the smallest first, built with Shewchuk's method.
class exact_sum {
 public:
  void add(double value) {
    std::vector<double> grown;
    for (const double part : parts_) {
      const double sum = value + part;
      const double taken_in = sum - value;
      const double cut_off = (value - (sum - taken_in)) + (part - taken_in);
      if (cut_off != 0) grown.push_back(cut_off);
      value = sum;
    }
    grown.push_back(value);
    parts_ = grown;
  }
  // Right up to the last but one place of a double, because it adds smaller parts first.
  double rounded() const {
    double sum = 0;
    for (const double part : parts_) sum += part;
    return sum;
  }
  double distance_to(double other) const {
    exact_sum difference = *this;
    difference.add(-other);
    return std::abs(difference.rounded());
  }

 private:
  std::vector<double> parts_;
};

}  // namespace heddle_test
