// Rows of a bench: ours, a peer and the ratio, as a table or as JSON lines.
#pragma once
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "support/asked_rows.hpp"
#include "support/machine.hpp"

namespace heddle_bench {

inline double median(std::vector<double> figures) {
  const auto middle = figures.begin() + static_cast<std::ptrdiff_t>(figures.size() / 2);
  std::nth_element(figures.begin(), middle, figures.end());
  return *middle;
}

// What one call of a contender costs.
struct cost {
  double busy = 0;   // nanoseconds per call and multiprocessor on a full GPU
  double alone = 0;  // cycles per call of a single warp or block on an idle GPU
};

class report : public asked_rows {
 public:
  report(int count, char** arguments, const char* called_by)
      : asked_rows(count, arguments), called_by_(called_by) {}

  void head(const machine& here) const {
    print_machine(here, called_by_, is_json_);
    if (is_json_) return;
    std::printf("median, ours and peers in turns\n");
    std::printf("busy: ns per call of a %s and multiprocessor on a full GPU\n", called_by_);
    std::printf("alone: cycles per call of a single %s on an idle GPU\n", called_by_);
    std::printf("%-50s %-38s %8s %8s %6s   %8s %8s %6s   %s\n", "ours", "peer", "busy", "peer",
                "ratio", "alone", "peer", "ratio", "goal");
  }

  // One row. A goal of 0 means none: the peer does less than ours, or a different job.
  void row(const std::string& ours, const std::string& peer, cost our_cost, cost peer_cost,
           double goal) {
    const double busy = our_cost.busy / peer_cost.busy;
    const double alone = our_cost.alone / peer_cost.alone;
    // Two runs of the same code differ by up to two percent.
    const bool is_missed = goal > 0 && busy > goal * 1.02;
    missed_ += is_missed;
    if (is_json_) {
      std::printf(
          "{\"case\": \"%s\", \"peer\": \"%s\", \"ours_ns\": %.4g, \"peer_ns\": %.4g, "
          "\"ratio\": %.4g, \"ours_alone_cycles\": %.4g, \"peer_alone_cycles\": %.4g, "
          "\"alone_ratio\": %.4g, \"goal\": %.4g}\n",
          ours.c_str(), peer.c_str(), our_cost.busy, peer_cost.busy, busy, our_cost.alone,
          peer_cost.alone, alone, goal);
    } else {
      char wanted[32] = "";
      if (goal > 0) {
        std::snprintf(wanted, sizeof wanted, "<= %.2f%s", goal, is_missed ? "  missed" : "");
      }
      std::printf("%-50s %-38s %8.3f %8.3f %6.2f   %8.1f %8.1f %6.2f   %s\n", ours.c_str(),
                  peer.c_str(), our_cost.busy, peer_cost.busy, busy, our_cost.alone,
                  peer_cost.alone, alone, wanted);
    }
    std::fflush(stdout);
  }

  void foot() const {
    if (!is_json_) std::printf("%d goals missed\n", missed_);
  }

 private:
  const char* called_by_ = "";
  int missed_ = 0;
};

}  // namespace heddle_bench
